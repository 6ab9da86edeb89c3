import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { RegistryClient } from '../../../src/config/registry/registryClient.ts';
import { ServerIcons } from '../../../src/connection/icons/serverIcons.ts';
import { legacyHttp, type HttpFixture } from '../../fixtures/servers/http.ts';
import { watchConnections, type ConnectionWatch } from '../../host/watchConnections.ts';
import { McpRegistry, published } from '../../support/mcpRegistry.ts';
import { TestHost } from '../../support/testHost.ts';
import { TraceReceiver } from '../../support/traceReceiver.ts';

describe('privacy', function () {
  this.timeout(60_000);
  const rigs: TestHost[] = [];
  let fixture: HttpFixture;
  let registry: McpRegistry;
  let receiver: TraceReceiver;
  let traces: string;
  let watch: ConnectionWatch;

  before(async () => {
    registry = await McpRegistry.open();
    registry.publish(published({ name: 'com.acme/notes', version: '2.0.0', description: 'Notes' }));
    receiver = new TraceReceiver();
    traces = await receiver.open();
  });

  beforeEach(async () => {
    // Anew for each test: a connection that is kept open would be used again.
    ({ fixture } = await legacyHttp());
    watch = watchConnections();
  });

  afterEach(async () => {
    watch.end();
    for (const rig of rigs.splice(0)) await rig.stop();
    await fixture.close();
  });

  after(async () => {
    registry.close();
    await receiver.close();
  });

  /** The ports that were connected to, each once. Everything here is on this machine. */
  const ports = (): ReadonlySet<number> => new Set(watch.seen.map(({ port }) => port));
  const portOf = (url: string): number => Number(new URL(url).port);

  /** A server that came from the registry in an older version and has icons elsewhere: all is there that could be asked. */
  async function work(tracing: string | undefined): Promise<void> {
    const rig = new TestHost({ settings: { tracing }, answer: 'once' });
    rigs.push(rig);
    const url = `http://127.0.0.1:${fixture.port}/mcp`;
    const from = { name: 'com.acme/notes', version: '1.0.0', url: registry.url };
    writeFileSync(
      path.join(rig.folder, '.mcp.json'),
      JSON.stringify({ mcpServers: { notes: { type: 'http', url, registry: from } } }),
    );
    await rig.host.start();
    await rig.approveAll();
    assert.match(await rig.call('mcp__notes__echo', { text: 'hi' }), /hi/);
    assert.ok((await rig.host.search({ query: 'echo' })).hits.length > 0);
    await rig.host.stop();
  }

  it('servers are worked with, and nothing else is asked: no registry, no updates, no receiver of spans', async () => {
    await work(undefined);
    assert.deepEqual(ports(), new Set([fixture.port]));
    assert.deepEqual(registry.requests, []);
  });

  it('with tracing, spans go to the address that was set, and nowhere else', async () => {
    await work(traces);
    assert.deepEqual(ports(), new Set([fixture.port, portOf(traces)]));
    assert.ok(receiver.spans.length > 0);
  });

  it('the registry is asked when the user looks into it, and nobody else is', async () => {
    const client = new RegistryClient({ url: registry.url, fetch });
    assert.deepEqual(ports(), new Set(), 'not by being there');
    await client.search('notes', undefined, new AbortController().signal);
    assert.deepEqual(ports(), new Set([portOf(registry.url)]));
  });

  it('icons are fetched from the server’s own origin alone', async () => {
    const stranger = `${traces}/icon.png`;
    const own = `http://127.0.0.1:${fixture.port}/icon.png`;
    const icons = new ServerIcons(fetch);
    const serverUrl = `http://127.0.0.1:${fixture.port}/mcp`;
    await icons.of({ icons: [{ src: stranger }, { src: own }], serverUrl }, 'dark');
    assert.deepEqual(ports(), new Set([fixture.port]));
    await icons.of({ icons: [{ src: stranger }] }, 'dark');
    assert.deepEqual(ports(), new Set([fixture.port]), 'of a program, none');
  });
});
