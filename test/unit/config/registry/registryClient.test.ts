import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { RegistryClient } from '../../../../src/config/registry/registryClient.ts';
import { eventually } from '../../../support/eventually.ts';
import { McpRegistry, published, type RegistryFault } from '../../../support/mcpRegistry.ts';

const server = (name: string, version = '1.0.0', more: object = {}): Record<string, unknown> => ({
  name,
  version,
  description: `About ${name}`,
  packages: [{ registryType: 'npm', identifier: name.split('/')[1], version, transport: { type: 'stdio' } }],
  ...more,
});

describe('config/registryClient', () => {
  let registry: McpRegistry;
  const { signal } = new AbortController();
  const client = (url = registry.url, timeoutMs = 5_000): RegistryClient =>
    new RegistryClient({ url, fetch, timeoutMs });
  const names = async (search: string, cursor?: string): Promise<readonly string[]> =>
    (await client().search(search, cursor, signal)).entries.map(({ name }) => name);

  beforeEach(async () => (registry = await McpRegistry.open()));
  afterEach(() => registry.close());

  it('lists page by page, each server once, with the cursor as it came', async () => {
    const all = Array.from({ length: 75 }, (_, index) => `com.acme/server-${index}`);
    registry.publish(...all.flatMap((name) => [published(server(name, '2.0.0')), published(server(name, '1.0.0'))]));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client().search('', cursor, signal);
      found.push(...page.entries.map(({ name, version }) => `${name} ${version}`));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(
      found,
      all.map((name) => `${name} 2.0.0`),
    );
    assert.equal(registry.requests.length, 3);
    assert.ok(registry.requests.every((request) => request.includes('version=latest') && request.includes('limit=30')));
  });

  it('searches, gives versions and one version, and sends nothing of the user’s', async () => {
    registry.publish(
      published(server('com.acme/weather', '2.0.0')),
      published(server('com.acme/weather', '1.0.0+build/1')),
      published(server('com.acme/notes & more'.replace(' & more', ''))),
    );
    assert.deepEqual(await names('  WEATH & '.replace(' & ', '')), ['com.acme/weather']);
    assert.deepEqual(await names('a&b=c#'), []);
    assert.match(registry.requests.at(-1) ?? '', /search=a%26b%3Dc%23/);
    const versions = await client().versions('com.acme/weather', signal);
    assert.deepEqual(
      versions.map(({ version }) => version),
      ['2.0.0', '1.0.0+build/1'],
    );
    assert.equal((await client().version('com.acme/weather', '1.0.0+build/1', signal)).version, '1.0.0+build/1');
    assert.equal((await client().version('com.acme/weather', 'latest', signal)).version, '2.0.0');
    for (const headers of registry.headers)
      for (const name of ['authorization', 'cookie', 'referer']) assert.equal(headers[name], undefined, name);
  });

  it('reads a mirror below a path, given with or without the API’s own path', async () => {
    const mirror = await McpRegistry.open('/mirrors/mcp');
    try {
      mirror.publish(published(server('com.acme/weather')));
      // microsoft/vscode#283525, microsoft/vscode-azureapicenter#413: a slash or the API's path at the end.
      for (const end of ['', '/', '/v0.1', '/v0.1/servers/', '/v0']) {
        const page = await client(mirror.url + end).search('', undefined, signal);
        assert.equal(page.entries.length, 1, end);
      }
    } finally {
      mirror.close();
    }
  });

  it('passes over what was deleted, marks what is deprecated, and counts what can’t be read', async () => {
    registry.publish(
      published(server('com.acme/gone'), { status: 'deleted' }),
      published(server('com.acme/old', '1.0.0', { title: 'Old' }), { status: 'deprecated', statusMessage: 'Use new' }),
      published(server('com.acme/plain')),
      null,
      7,
      { server: 'x' },
      published({ name: 'no-slash', version: '1' }),
      published({ name: 'com.acme/no-version' }),
      published({ name: { toString: 'x' }, version: [] }),
      published(server('com.acme/odd', '1.0.0', { packages: 'x', remotes: { a: 1 }, title: 7, repository: 'x' })),
    );
    const { entries, unread } = await client().search('', undefined, signal);
    assert.deepEqual(
      entries.map(({ name, status, statusMessage = '' }) => `${name} ${status} ${statusMessage}`.trim()),
      ['com.acme/old deprecated Use new', 'com.acme/plain active', 'com.acme/odd active'],
    );
    assert.equal(unread, 6);
  });

  it('a mirror that answers with what was deleted, or with another server, is not believed', async () => {
    registry.publish(published(server('com.acme/gone'), { status: 'deleted' }));
    const page = JSON.stringify(published(server('com.acme/gone'), { status: 'deleted' }));
    const other = JSON.stringify(published(server('com.evil/other')));
    for (const [body, reason] of [
      [page, /deleted/],
      [other, /com\.evil\/other/],
    ] as const) {
      const answering = new RegistryClient({ url: 'https://h.example', fetch: async () => new Response(body) });
      await assert.rejects(answering.version('com.acme/gone', 'latest', signal), reason);
    }
  });

  it('shortens long texts and keeps no address that does something', async () => {
    const long = 'x'.repeat(100_000);
    registry.publish(
      published(
        server('com.acme/long', '1.0.0', {
          description: long,
          title: long,
          websiteUrl: 'command:workbench.action.quit',
          repository: { url: 'javascript:alert(1)' },
        }),
        { status: 'deprecated', statusMessage: long },
      ),
    );
    const [entry] = (await client().search('', undefined, signal)).entries;
    assert.ok(entry);
    for (const text of [entry.description, entry.title, entry.statusMessage]) assert.ok((text ?? '').length <= 500);
    assert.deepEqual([entry.websiteUrl, entry.repository], [undefined, undefined]);
  });

  const FAULTS: readonly (readonly [RegistryFault, RegExp])[] = [
    ['error', /HTTP 500/],
    ['not-json', /isn’t JSON/],
    ['other-json', /doesn’t answer as an MCP registry/],
    ['huge', /larger than 4 MB/],
    ['redirect', /redirects/],
    ['hangs-up', /can’t be read/],
  ];
  for (const [fault, reason] of FAULTS)
    it(`says why where the registry fails: ${fault}`, async () => {
      registry.fault = fault;
      await assert.rejects(client().search('', undefined, signal), (error: unknown) => {
        assert.ok(error instanceof SwitchboardError);
        assert.equal(error.code, 'unreachable');
        assert.match(error.message, reason);
        assert.match(error.remedy ?? '', /registry\.url/);
        return true;
      });
    });

  it('a registry that doesn’t answer is given up, and so is a search that was overtaken', async () => {
    registry.fault = 'slow';
    await assert.rejects(client(registry.url, 50).search('', undefined, signal), /No answer within 0\.05 s/);
    const overtaken = new AbortController();
    const search = client().search('wea', undefined, overtaken.signal);
    await eventually('it was asked', () => registry.requests.length === 2);
    overtaken.abort();
    await assert.rejects(search, { name: 'AbortError' });
    await eventually('both requests are over', () => registry.aborted === 2);
  });

  it('takes no address that isn’t https, but one of this machine', () => {
    for (const url of [
      '',
      'registry',
      'ftp://h',
      'http://h.example',
      'http://127.0.0.1.evil.example',
      'https://u:p@h',
      'https://h?x',
      'file:///etc',
      'http://[::2]',
    ])
      assert.throws(() => client(url), /can’t be used/, url);
    for (const url of ['https://h.example/a', 'http://localhost:1', 'http://127.0.0.1:2/x', 'http://[::1]:3'])
      assert.doesNotThrow(() => client(url));
  });
});
