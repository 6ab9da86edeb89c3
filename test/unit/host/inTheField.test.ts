import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listAllPrompts, listAllResources, listAllTemplates } from '../../../src/bridge/resources/listOffered.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../src/calls/callSettings.ts';
import type { ResultPart } from '../../../src/calls/results/resultParts.ts';
import { withServers, type TestHost } from '../../support/testHost.ts';

const FIXTURE = fileURLToPath(new URL('../../fixtures/servers/inTheField.ts', import.meta.url));

/** With one of the servers; no time-out is as short as a test may take, but that of a call where it is given. */
function withServer(
  name: string,
  body: (rig: TestHost, log: readonly string[]) => Promise<void>,
  callTimeoutMs = 60_000,
): Promise<void> {
  const log: string[] = [];
  return withServers({ server: { command: process.execPath, args: [FIXTURE, name] } }, (rig) => body(rig, log), {
    settings: { handshakeTimeoutMs: 60_000, discoveryTimeoutMs: 60_000, callTimeoutMs },
    ports: {
      serverLog: () => ({ log: (level, message) => log.push(`${level}: ${message}`) }),
      calls: {
        settings: () => DEFAULT_CALL_SETTINGS,
        resultsFolder: path.join(tmpdir(), `switchboard-results-${process.pid}`),
      },
    },
  });
}

async function partsOf(rig: TestHost, tool: string): Promise<readonly ResultPart[]> {
  const name = rig.host.catalog.tools.find((each) => each.tool.name === tool)?.name ?? tool;
  const signal = new AbortController().signal;
  return (await rig.host.broker.call({ name, args: {}, surface: 'test', signal })).parts;
}

async function said(rig: TestHost, tool: string): Promise<string> {
  const parts = await partsOf(rig, tool);
  return parts.map((part) => (part.kind === 'text' ? part.text : `(${part.mimeType})`)).join('\n');
}

const toolNames = (rig: TestHost): readonly string[] => rig.host.catalog.tools.map(({ tool }) => tool.name).sort();
const stateOf = (rig: TestHost): string | undefined => rig.host.pool.all[0]?.state.kind;

describe('servers in the field', () => {
  it('one drops a request with the id 0, and a progress token 0', () =>
    withServer('no-id-0', async (rig) => {
      assert.equal(stateOf(rig), 'connected');
      assert.equal(await said(rig, 'a'), 'ok');
    }));

  it('one writes a byte order mark, each time it is started', () =>
    withServer('byte-order-mark', async (rig) => {
      assert.equal(await said(rig, 'a'), 'ok');
      for (let again = 0; again < 2; again += 1) {
        const [connection] = rig.host.pool.all;
        assert.ok(connection);
        assert.equal((await rig.host.pool.restart(connection.id)).kind, 'connected');
      }
    }));

  it('numbers keep their digits up to the model', () =>
    withServer('numbers', async (rig) => {
      assert.equal(await said(rig, 'both'), '{"id":1915883588174806058}');
      assert.equal(
        await said(rig, 'structuredOnly'),
        '{"id":1915883588174806058,"price":1.10,"eps":1e400,"nan":"NaN"}',
      );
      assert.equal(await said(rig, 'textOnly'), '{"id": 1915883588174806058}');
      assert.equal(await said(rig, 'unknownBlock'), '{"type":"json","json":{"id":1915883588174806058}}');
    }));

  it('images go by their bytes; what models refuse is text or a file', () =>
    withServer('images', async (rig) => {
      assert.equal(await said(rig, 'jpegSaidToBePng'), '(image/jpeg)');
      assert.equal(await said(rig, 'imageJpg'), '(image/jpeg)');
      assert.match(await said(rig, 'svg'), /^\(image\/svg\+xml\)\n<svg\/>$/);
      const [png] = await partsOf(rig, 'dataUrl');
      assert.ok(png?.kind === 'data' && png.mimeType === 'image/png');
      assert.equal(Buffer.from(png.data.subarray(1, 4)).toString(), 'PNG');
      assert.match(await said(rig, 'empty'), /without any bytes/);
      assert.match(await said(rig, 'noImage'), /Error: no display/);
      const tiff = await said(rig, 'tiff');
      const address = /(file:\S+\.tiff)$/.exec(tiff)?.[1];
      assert.ok(address, tiff);
      assert.equal(readFileSync(fileURLToPath(address)).toString('hex'), '49492a00');
    }));

  it('an odd item costs itself alone, and it is said', () =>
    withServer('odd-lists', async (rig, log) => {
      const { signal } = new AbortController();
      const resources = await listAllResources(rig.host, signal, 'server');
      assert.deepEqual(
        resources.items.map(({ uri, name }) => [uri, name]),
        [
          ['x://a', 'a'],
          ['x://b', 'x://b'],
        ],
      );
      assert.deepEqual(resources.failures, ['server: left out. Resource number 2: it has no uri.']);
      const templates = await listAllTemplates(rig.host, signal, 'server');
      assert.deepEqual(
        templates.items.map(({ uriTemplate }) => uriTemplate),
        ['x://{a}', 'x://{b}'],
      );
      const prompts = await listAllPrompts(rig.host, signal, 'server');
      assert.deepEqual(
        prompts.items.map(({ name, arguments: args }) => [name, args]),
        [
          ['p', []],
          ['q', [{ name: 'city', required: true }]],
        ],
      );
      assert.ok(
        log.some((line) => line.includes('Prompt number 3: it has no name.')),
        log.join('\n'),
      );
    }));

  it('a list that is null is said, and costs no other', () =>
    withServer('null-lists', async (rig) => {
      const { signal } = new AbortController();
      assert.deepEqual(await listAllResources(rig.host, signal, 'server'), {
        items: [],
        failures: ['server: left out. The whole list: "resources" is not an array.'],
      });
      assert.deepEqual(
        (await listAllPrompts(rig.host, signal, 'server')).items.map(({ name }) => name),
        ['p'],
      );
    }));

  it('notifications and requests before the handshake are taken', () =>
    withServer('early', async (rig) => {
      assert.equal(await said(rig, 'a'), 'ok');
    }));

  for (const name of ['exits-on-discover', 'silent-on-discover']) {
    it(`the probe for the protocol is no hurdle: ${name}`, () =>
      withServer(name, async (rig) => {
        assert.equal(stateOf(rig), 'connected');
        assert.equal(await said(rig, 'a'), 'ok');
      }));
  }

  for (const name of ['cursor-empty', 'cursor-same', 'cursor-number']) {
    it(`a list whose pages never end is listed once: ${name}`, () =>
      withServer(name, async (rig, log) => {
        assert.deepEqual(toolNames(rig), ['a', 'b']);
        assert.ok(!log.some((line) => line.includes('list 3')), log.join('\n'));
      }));
  }

  it('a cursor goes back as it came', () =>
    withServer('cursor-counts', async (rig) => {
      assert.deepEqual(toolNames(rig), ['a', 'b', 'c']);
    }));

  for (const name of ['ttl-absent', 'ttl-negative', 'ttl-fraction', 'ttl-word']) {
    it(`odd caching fields cost nothing but themselves, and the list is fetched anew for its next use: ${name}`, () =>
      withServer(name, async (rig) => {
        assert.equal(rig.host.pool.all[0]?.session?.info.era, 'modern');
        assert.deepEqual(toolNames(rig), ['a', 'list_1']);
        assert.equal(await said(rig, 'a'), 'ok');
        const { signal } = new AbortController();
        assert.deepEqual((await listAllResources(rig.host, signal, 'server')).items.length, 1);
        await rig.host.settled();
        assert.deepEqual(toolNames(rig), ['a', 'list_2']);
      }));
  }

  it('a list that may be kept is not fetched anew', () =>
    withServer('ttl-long', async (rig) => {
      await rig.host.settled();
      assert.deepEqual(toolNames(rig), ['a', 'list_1']);
    }));

  it('progress with texts for numbers restarts the time-out', () =>
    withServer(
      'progress',
      async (rig) => {
        assert.equal(await said(rig, 'a'), 'done');
        assert.equal(await said(rig, 'b'), 'done');
      },
      1_000,
    ));

  it('an error about a notification is none about a request', () =>
    withServer('refuses-notifications', async (rig) => {
      assert.deepEqual(toolNames(rig), ['a', 'b']);
      assert.equal(await said(rig, 'a'), 'ok');
    }));

  it('a message may have line breaks in it', () =>
    withServer('pretty', async (rig, log) => {
      assert.equal(await said(rig, 'a'), 'two\nlines');
      assert.ok(
        log.some((line) => line.includes('messages with line breaks')),
        log.join('\n'),
      );
    }));

  it('messages may stand behind other text and behind each other', () =>
    withServer('glued', async (rig) => {
      assert.equal(await said(rig, 'a'), 'glued');
    }));

  it('the id of a server’s request goes back as it came', () =>
    withServer('odd-ids', async (rig) => {
      assert.equal(await said(rig, 'a'), 'the id came back');
    }));
});
