import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import type { ConnectionSpec } from '../../../../src/connection/connectionTypes.ts';
import type { HttpFixture } from '../../../fixtures/servers/http.ts';
import { legacyHttp, sseHttp } from '../../../fixtures/servers/http.ts';
import { endedAfterEach, PoolHarness, temporaryFolder } from '../harness.ts';

describe('`tls.fingerprint` of an entry', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const { fixtures, harnesses } = endedAfterEach();
  const servers: tls.Server[] = [];
  const sockets = new Set<net.Socket>();

  before(() => {
    const run = (line: string): void =>
      void execFileSync('openssl', line.split(' '), { cwd: folder.path, stdio: 'ignore' });
    writeFileSync(folder.file('index.txt'), '');
    writeFileSync(folder.file('serial'), '01\n');
    const config =
      '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n';
    writeFileSync(folder.file('ca.cnf'), config);
    // Self-signed, for another host, and not valid any more: nothing counts but the fingerprint.
    for (const name of ['one', 'other']) {
      run(
        `req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${name}.example -keyout ${name}.key -out ${name}.csr`,
      );
      run(
        `ca -batch -notext -selfsign -config ca.cnf -keyfile ${name}.key -in ${name}.csr -out ${name}.pem -startdate 20200101000000Z -enddate 20210101000000Z`,
      );
    }
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });
  after(() => folder.remove());

  const pemOf = (name: string): { key: Buffer; cert: Buffer } => ({
    key: readFileSync(folder.file(`${name}.key`)),
    cert: readFileSync(folder.file(`${name}.pem`)),
  });
  const fingerprintOf = (name: string): string =>
    new X509Certificate(pemOf(name).cert).fingerprint256.replaceAll(':', '');

  /** TLS in front of a server. */
  async function secured(fixture: HttpFixture): Promise<{ url: string; server: tls.Server }> {
    fixtures.push(fixture);
    const server = tls.createServer(pemOf('one'), (socket) => {
      const inner = net.connect(fixture.port, '127.0.0.1');
      for (const each of [socket, inner]) {
        sockets.add(each);
        each.on('error', () => undefined).on('close', () => [socket, inner].forEach((both) => both.destroy()));
      }
      socket.pipe(inner).pipe(socket);
    });
    server.on('tlsClientError', () => undefined);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
  }
  async function connect(
    url: string,
    fingerprint: string,
    type: 'http' | 'sse' | 'url' = 'http',
  ): Promise<PoolHarness> {
    const harness = new PoolHarness();
    harnesses.push(harness);
    const spec: ConnectionSpec = { type, url, headers: { Authorization: 'Bearer secret' }, tls: { fingerprint } };
    await harness.connect(spec);
    return harness;
  }
  const call = async (harness: PoolHarness): Promise<string> => {
    const result = await harness.server().session?.callTool('slow', { steps: 0, stepMs: 0 }, { timeoutMs: 10_000 });
    return JSON.stringify(result?.content);
  };

  it('trusts that certificate, whoever signed it, for which name and until when', async () => {
    const { fixture } = await legacyHttp();
    const harness = await connect((await secured(fixture)).url, fingerprintOf('one'));
    assert.equal(harness.server().state.kind, 'connected');
    for (let count = 0; count < 5; count += 1) assert.match(await call(harness), /done/);
    assert.ok(fixture.seen.includes('GET'), 'the stream of the session, too');
  });

  it('holds over HTTP+SSE, and where the transport is found by trying', async () => {
    for (const type of ['sse', 'url'] as const) {
      const harness = await connect((await secured(await sseHttp())).url, fingerprintOf('one'), type);
      assert.match(await call(harness), /done/);
    }
  });

  it('refuses every other, sends it nothing, and says which fingerprint it has', async () => {
    const { fixture } = await legacyHttp();
    const harness = await connect((await secured(fixture)).url, fingerprintOf('other'));
    const { state } = harness.server();
    assert.ok(state.kind === 'failed', state.kind);
    assert.equal(state.failure.code, 'certificate');
    assert.match(state.failure.message, /isn't the one that the entry trusts/);
    assert.ok(state.failure.remedy?.includes(`"tls": { "fingerprint": "${fingerprintOf('one')}" }`));
    assert.deepEqual(fixture.seen, []);
  });

  it('holds for each connection: one that is replaced ends the session', async () => {
    const { fixture } = await legacyHttp();
    const { url, server } = await secured(fixture);
    const harness = await connect(url, fingerprintOf('one'));
    assert.match(await call(harness), /done/);
    server.setSecureContext(pemOf('other'));
    for (const socket of sockets) socket.destroy();
    const state = await harness.until('failed');
    assert.ok(state.kind === 'failed' && state.failure.code === 'certificate');
  });
});
