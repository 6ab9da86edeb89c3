import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import { listResources } from '../../../../src/bridge/lmTools/listItems.ts';
import { TestHost } from '../../../support/testHost.ts';

interface Page {
  readonly servers: readonly {
    readonly server: string;
    readonly error?: string;
    readonly resources?: readonly { readonly uri: string; readonly about?: string }[];
    readonly templates?: readonly { readonly uriTemplate: string }[];
    readonly prompts?: readonly { readonly name: string }[];
  }[];
  readonly total?: number;
  readonly nextCursor?: string;
  readonly next: string;
}

const { signal } = new AbortController();
const server = (file: string): object => ({ command: process.execPath, args: [path.join(root, file)] });
/** Says that it has resources, and fails when it is asked for them. */
const BROKEN = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = { protocolVersion: params?.protocolVersion, capabilities: { resources: {} }, serverInfo: { name: 'b', version: '1' } };
  const answer = method === 'initialize' ? { result } : { error: { code: -32603, message: 'the disk is gone' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});`;

describe('mcp_list_resources', function () {
  this.timeout(60_000);
  let rig: TestHost;
  const ask = async (input: Record<string, string> = {}): Promise<Page> => {
    const [part] = await listResources(rig.host, input, signal);
    assert.equal(part?.kind, 'text');
    return JSON.parse(part.text) as Page;
  };

  before(async () => {
    rig = new TestHost();
    const mcpServers = {
      offers: server('test/fixtures/servers/offers.ts'),
      broken: { command: process.execPath, args: ['-e', BROKEN] },
      paged: server('test/fixtures/servers/paged.ts'),
      notes: server('demo/notes-server/main.js'),
    };
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    await rig.host.start();
    await rig.approveAll();
  });

  after(() => rig.stop());

  it('gives everything of every server once, page by page', async () => {
    const pages = [await ask()];
    for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor)
      pages.push(await ask({ cursor }));
    const keys = pages.map((page) =>
      page.servers.flatMap(
        ({ server: from, resources = [], templates = [], prompts = [] }) =>
        [...resources.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate), ...prompts.map(({ name }) => name)].map((key) => `${from} ${key}`), // prettier-ignore
      ),
    );
    assert.deepEqual(keys.map((some) => some.length), [100, 100, 37]); // prettier-ignore
    assert.deepEqual(pages.map(({ total }) => total), [237, 237, 237]); // prettier-ignore
    assert.deepEqual(keys.flat(), [
      'offers offers://counter',
      'offers offers://docs/links',
      'offers offers://docs/guide',
      'offers offers://pictures/icon',
      'offers offers://cities/{city}{?lang}',
      'offers trip',
      ...Array.from({ length: 230 }, (_unused, index) => `paged paged://minutes/${index}`),
      'paged greeting',
    ]);
    assert.match(pages[2]?.next ?? '', /mcp_read_resource/);
  });

  it('pages one server by itself, too', async () => {
    const last = await ask({ server: 'paged', cursor: '200' });
    assert.deepEqual([last.total, last.nextCursor, last.servers.length], [231, undefined, 1]);
    assert.equal(last.servers[0]?.resources?.length, 30);
    assert.equal(last.servers[0]?.resources?.at(-1)?.about, 'Minutes of the lighthouse committee');
    assert.deepEqual(last.servers[0]?.prompts?.map(({ name }) => name), ['greeting']); // prettier-ignore
    assert.deepEqual((await ask({ server: 'paged', cursor: '231' })).servers, []);
    assert.equal((await ask({ server: 'paged', cursor: 'what?' })).servers[0]?.resources?.length, 100);
  });

  it('a server that fails costs itself alone, and is named on the first page', async () => {
    const errorsOf = (page: Page): string[] =>
      page.servers.flatMap(({ server: from, error }) => (error === undefined ? [] : [`${from}: ${error}`]));
    const [error, ...others] = errorsOf(await ask());
    assert.match(error ?? '', /^broken: .*the disk is gone/);
    assert.deepEqual([others, errorsOf(await ask({ cursor: '100' }))], [[], []]);
  });

  it('says so where there is nothing', async () => {
    const page = await ask({ server: 'notes' });
    assert.deepEqual(page, { servers: [], next: 'No connected server has resources or prompts.' });
    await assert.rejects(ask({ server: 'nobody' }), { code: 'unknown-server' });
  });
});
