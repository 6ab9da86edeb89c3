import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanIcons } from '../../../src/connection/cleaning/cleanIcons.ts';
import { drawableIcon, MAX_ICON_BYTES } from '../../../src/connection/icons/drawableIcon.ts';
import { ServerIcons } from '../../../src/connection/icons/serverIcons.ts';
import { passedIcons, withPassedIcons } from '../../../src/bridge/gateway/passedIcons.ts';
import { dataUrl, pngOf, SVG } from '../../support/pictures.ts';

describe('attacks: icons', () => {
  const servers: Server[] = [];
  const seen: string[] = [];
  const headers: (readonly string[])[] = [];
  const picture = pngOf(16, 16);

  /** A web server that gives what a path names. */
  async function web(
    answers: Readonly<Record<string, { status?: number; headers?: object; body?: Buffer }>>,
  ): Promise<string> {
    const server = createServer((request, response) => {
      seen.push(`${request.headers.host}${request.url}`);
      headers.push(Object.keys(request.headers));
      const {
        status = 200,
        headers: given = {},
        body = Buffer.alloc(0),
      } = answers[request.url ?? ''] ?? { status: 404 };
      response.writeHead(status, { ...given }).end(body);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const iconsOf = (...sources: readonly string[]): { readonly src: string }[] => sources.map((src) => ({ src }));
  const icons = (): ServerIcons => new ServerIcons(fetch);

  beforeEach(() => {
    seen.length = 0;
    headers.length = 0;
  });

  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('An icon at an address of somebody else, who would see when the server is used', async () => {
    const [own, stranger] = [await web({ '/i.png': { body: picture } }), await web({ '/i.png': { body: picture } })];
    const serverUrl = `${own}/mcp`;
    assert.ok(await icons().of({ icons: iconsOf(`${stranger}/i.png`, `${own}/i.png`), serverUrl }, 'dark'));
    assert.deepEqual(seen, [`${new URL(own).host}/i.png`]);
    assert.equal(await icons().of({ icons: iconsOf(`${own}/i.png`) }, 'dark'), undefined);
    assert.equal(seen.length, 1, 'a server on this machine has no origin');
  });

  it('An icon of the server’s own that redirects elsewhere', async () => {
    const stranger = await web({ '/i.png': { body: picture } });
    const own = await web({ '/i.png': { status: 302, headers: { location: `${stranger}/i.png` } } });
    assert.equal(await icons().of({ icons: iconsOf(`${own}/i.png`), serverUrl: own }, 'dark'), undefined);
    assert.deepEqual(seen, [`${new URL(own).host}/i.png`]);
  });

  it('An icon that is asked for with what identifies the user', async () => {
    const own = await web({ '/i.png': { headers: { 'set-cookie': 'who=ada' }, body: picture } });
    for (let time = 0; time < 2; time += 1)
      assert.ok(await icons().of({ icons: iconsOf(`${own}/i.png`), serverUrl: own }, 'dark'));
    const names = headers.flat();
    for (const name of ['cookie', 'authorization', 'referer', 'origin']) assert.ok(!names.includes(name), name);
  });

  it('An icon without an end, or one that is asked for again and again', async () => {
    const own = await web({
      '/long.png': { body: Buffer.concat([picture, Buffer.alloc(MAX_ICON_BYTES)]) },
      '/i.png': { body: picture },
    });
    const known = icons();
    const first = await known.of({ icons: iconsOf(`${own}/long.png`, `${own}/i.png`), serverUrl: own }, 'dark');
    assert.deepEqual(first, drawableIcon(picture));
    for (let time = 0; time < 20; time += 1) await known.of({ icons: iconsOf(`${own}/i.png`), serverUrl: own }, 'dark');
    assert.equal(seen.length, 2);
    const many = Array.from({ length: 500 }, (_, at) => `${own}/none-${at}.png`);
    assert.equal(await known.of({ icons: iconsOf(...many), serverUrl: own }, 'dark'), undefined);
    assert.equal(seen.length, 5, 'three of a list are tried');
  });

  it('An icon that wasn’t there is asked for again, and one that was isn’t', async () => {
    const answers: Record<string, { status?: number; body?: Buffer }> = { '/i.png': { status: 503 } };
    const serverUrl = await web(answers);
    const all = icons();
    const at = (): Promise<unknown> => all.of({ icons: iconsOf(`${serverUrl}/i.png`), serverUrl }, 'dark');
    assert.equal(await at(), undefined);
    answers['/i.png'] = { body: picture };
    assert.ok(await at());
    assert.ok(await at());
    assert.equal(seen.length, 2);
  });

  it('An icon with scripts, styles or references, or a page in its place', async () => {
    const own = await web({ '/i.svg': { headers: { 'content-type': 'image/png' }, body: SVG } });
    const given = iconsOf(`${own}/i.svg`, dataUrl('image/svg+xml', SVG), dataUrl('image/png', SVG));
    assert.equal(await icons().of({ icons: given, serverUrl: own }, 'dark'), undefined);
  });

  it('An icon of few bytes and many pixels', () => {
    for (const [width, height] of [
      [60_000, 60_000],
      [1, 1_025],
    ] as const)
      assert.equal(drawableIcon(pngOf(width, height)), undefined);
  });

  it('An icon that is a file, a script or a command of whoever draws it, or leads a client of the gateway elsewhere', () => {
    const bad = ['file:///etc/passwd', 'javascript:alert(1)', 'command:a', 'ui://x', 'data:text/html,x'];
    const data = dataUrl('image/png', picture);
    const { icons: kept } = cleanIcons([...iconsOf(...bad, 'https://tracker.example/1.png', data)]);
    assert.deepEqual(kept, iconsOf('https://tracker.example/1.png', data));
    assert.deepEqual(passedIcons(kept), { icons: iconsOf(data) });
    const page = { prompts: [{ name: 'a', icons: iconsOf('https://tracker.example/1.png') }], nextCursor: 'b' };
    assert.deepEqual(withPassedIcons(page), { prompts: [{ name: 'a' }], nextCursor: 'b' });
  });
});
