import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { answerPage } from '../../../../src/connection/remote/answers/htmlAnswer.ts';
import { certificateTexts } from '../../../../src/connection/remote/certificateFault.ts';
import { networkFailure } from '../../../../src/connection/remote/networkFault.ts';
import type { ConnectionFailure } from '../../../../src/connection/connectionTypes.ts';
import { PoolHarness, remote, temporaryFolder } from '../harness.ts';

const DAYS = {
  valid: ['20200101000000Z', '20490101000000Z'],
  expired: ['20200101000000Z', '20210101000000Z'],
  future: ['20400101000000Z', '20410101000000Z'],
} as const;

describe('why a server can’t be reached', function () {
  this.timeout(90_000);
  const folder = temporaryFolder();
  const servers: (http.Server | https.Server)[] = [];
  const known = tls.getCACertificates('default');
  let harness: PoolHarness;

  /** Certificates as OpenSSL makes them: `ca` signs the others. */
  before(() => {
    const run = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder.path, stdio: 'ignore' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const selfSigned = (name: string, ...more: string[]): void =>
      run(
        'req',
        '-x509',
        ...key,
        '-days',
        '30',
        '-subj',
        `/CN=${name}`,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.pem`,
        ...more,
      );
    selfSigned('ca');
    selfSigned('self', '-addext', 'subjectAltName=IP:127.0.0.1');
    writeFileSync(folder.file('index.txt'), '');
    writeFileSync(folder.file('serial'), '01\n');
    writeFileSync(
      folder.file('ca.cnf'),
      '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\ncopy_extensions=copy\n[p]\ncommonName=supplied\n',
    );
    for (const [name, names, days] of [
      ['good', 'IP:127.0.0.1', DAYS.valid],
      ['other', 'DNS:one.example,DNS:two.example', DAYS.valid],
      ['expired', 'IP:127.0.0.1', DAYS.expired],
      ['future', 'IP:127.0.0.1', DAYS.future],
    ] as const) {
      run(
        'req',
        ...key,
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=${names}`,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.csr`,
      );
      const signed = [
        '-config',
        'ca.cnf',
        '-cert',
        'ca.pem',
        '-keyfile',
        'ca.key',
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.pem`,
      ];
      run('ca', '-batch', '-notext', ...signed, '-startdate', days[0], '-enddate', days[1]);
    }
  });

  beforeEach(() => (harness = new PoolHarness()));
  afterEach(async () => {
    tls.setDefaultCACertificates(known);
    await harness.end();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  after(() => folder.remove());

  const listen = async (server: http.Server | https.Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const secure = (name: string, more: https.ServerOptions = {}): Promise<number> => {
    const files = { key: readFileSync(folder.file(`${name}.key`)), cert: readFileSync(folder.file(`${name}.pem`)) };
    return listen(https.createServer({ ...files, ...more }, (_request, response) => response.end('{}')));
  };
  const trustCa = (): void => tls.setDefaultCACertificates([...known, readFileSync(folder.file('ca.pem'), 'utf8')]);
  const failure = async (
    url: string,
    type: 'http' | 'sse' | 'url' | 'ws' = 'http',
  ): Promise<ConnectionFailure & { state: string }> => {
    const { state } = await harness.connect(remote(type, url));
    assert.ok(state.kind === 'failed' || state.kind === 'pending', state.kind);
    const message = state.failure.message.replaceAll(/:\d{4,5}/g, ':PORT');
    return { ...state.failure, message, state: state.kind };
  };

  it('a self-signed certificate: says so, how to trust it, and doesn’t try again', async () => {
    const { state, code, message, remedy = '' } = await failure(`https://127.0.0.1:${await secure('self')}/mcp`);
    assert.deepEqual(
      [state, code, message],
      ['failed', 'certificate', "The certificate of 127.0.0.1:PORT isn't trusted: it is self-signed."],
    );
    assert.match(remedy, /system’s certificates.*NODE_EXTRA_CA_CERTS/);
  });

  it('a self-signed one for another host: both', async () => {
    const { message, remedy = '' } = await failure(`https://localhost:${await secure('self')}/mcp`);
    assert.match(message, /it is self-signed, and is for 127\.0\.0\.1, not for this host\.$/);
    assert.match(remedy, /NODE_EXTRA_CA_CERTS.*host name that it is for/);
  });

  it('an unknown authority: names it', async () => {
    const { message, remedy = '' } = await failure(`https://127.0.0.1:${await secure('good')}/mcp`);
    assert.match(message, /signed by an authority that isn’t known here \(ca\)\.$/);
    assert.match(remedy, /^To trust the authority.*NODE_EXTRA_CA_CERTS/);
  });

  it('a trusted one of another host: names whose it is, over every transport', async () => {
    trustCa();
    const port = await secure('other');
    for (const [type, scheme] of [
      ['http', 'https'],
      ['sse', 'https'],
      ['url', 'https'],
      ['ws', 'wss'],
    ] as const) {
      const { code, message, remedy = '' } = await failure(`${scheme}://127.0.0.1:${port}/mcp`, type);
      assert.equal(code, 'certificate');
      assert.match(message, /it is for one\.example, two\.example, not for this host\.$/);
      assert.doesNotMatch(remedy, /NODE_EXTRA_CA_CERTS/);
      await harness.end();
      harness = new PoolHarness();
    }
  });

  it('one that expired, or isn’t valid yet: says when', async () => {
    trustCa();
    const expired = await failure(`https://127.0.0.1:${await secure('expired')}/mcp`);
    assert.match(expired.message, /it expired on 2021-01-01\.$/);
    assert.match(expired.remedy ?? '', /owner of the server/);
    await harness.end();
    harness = new PoolHarness();
    const future = await failure(`https://127.0.0.1:${await secure('future')}/mcp`);
    assert.match(future.message, /isn’t valid yet, but from 2040-01-01\.$/);
    assert.match(future.remedy ?? '', /date of this computer/);
  });

  it('is known by the codes of the editor’s own network stack, too', () => {
    assert.match(certificateTexts('h', 'expired', undefined, 0).message, /it expired\.$/);
    assert.match(certificateTexts('h', 'wrong-name', undefined, 0).message, /it is for another host\.$/);
    assert.match(certificateTexts('h', 'revoked', undefined, 0).remedy, /renew/);
    const failed = new TypeError('fetch failed', { cause: new Error('net::ERR_CERT_AUTHORITY_INVALID') });
    assert.match(networkFailure(new URL('https://h/'), failed).message, /authority that isn’t known/);
  });

  it('a proxy that makes no tunnel', () => {
    const cause = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
    const error = networkFailure(new URL('https://h/'), new TypeError('fetch failed', { cause }));
    assert.match(error.message, /proxy refused the connection to h \(HTTP 407\)/);
    assert.match(error.remedy ?? '', /Sign in to the proxy/);
  });

  it('https to a port that speaks http', async () => {
    const port = await listen(http.createServer((_request, response) => response.end()));
    const { state, message, remedy = '' } = await failure(`https://127.0.0.1:${port}/mcp`);
    assert.equal(state, 'failed');
    assert.match(message, /doesn't speak TLS on that port/);
    assert.match(remedy, /Begin the URL with "http:\/\/"/);
  });

  it('http to a port that speaks https', async () => {
    const { message, remedy = '' } = await failure(`http://127.0.0.1:${await secure('self')}/mcp`);
    assert.match(message, /was interrupted/);
    assert.match(remedy, /begin the URL with "https"/);
  });

  it('a server of an old TLS', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
    const { state, message } = await failure(`https://127.0.0.1:${await secure('good', old)}/mcp`);
    assert.equal(state, 'failed');
    assert.match(message, /version of TLS that is no longer safe/);
  });

  it('a port that isn’t open: says which, and tries again', async () => {
    const port = await listen(http.createServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const { state, message, remedy = '' } = await failure(`http://127.0.0.1:${port}/mcp`);
    assert.deepEqual([state, message], ['pending', "127.0.0.1:PORT can't be reached (ECONNREFUSED)."]);
    assert.match(remedy, new RegExp(`Nothing listens on port ${port}: start the server`));
  });

  it('a port that `fetch` sends nothing to: says so, and doesn’t try again', async () => {
    const { state, message, remedy = '' } = await failure('http://127.0.0.1:6000/mcp');
    assert.deepEqual([state, message.includes('Port 6000 belongs to another protocol')], ['failed', true]);
    assert.match(remedy, /another port/);
  });

  it('a host that isn’t there', async () => {
    const { remedy = '' } = await failure('http://no-such-host.invalid/mcp');
    assert.match(remedy, /no host of that name|can’t be looked up/);
  });

  it('a redirect names where it leads, without what may be secret in it', async () => {
    const location = 'https://me:secret@other.example/mcp?key=secret';
    const port = await listen(http.createServer((_request, response) => response.writeHead(302, { location }).end()));
    const { message, remedy = '' } = await failure(`http://127.0.0.1:${port}/mcp`);
    assert.match(message, /HTTP 302/);
    assert.match(remedy, /redirects to https:\/\/other\.example\/mcp, which is not followed/);
    assert.doesNotMatch(message + remedy, /secret/);
  });

  it('a redirect to a sign-in page says so', async () => {
    const port = await listen(
      http.createServer((_request, response) => response.writeHead(302, { location: '/login?next=/mcp' }).end()),
    );
    assert.match((await failure(`http://127.0.0.1:${port}/mcp`)).remedy ?? '', /sign-in page \(http:.*\/login\)/);
  });

  for (const status of [403, 503, 511])
    it(`a proxy's page (HTTP ${status}) isn't taken for the server's answer`, async () => {
      const page = '<!doctype html><html><head><title>Web Filter: access\n denied</title></head></html>';
      const port = await listen(
        http.createServer((_request, response) =>
          response.writeHead(status, { 'content-type': 'text/html' }).end(page),
        ),
      );
      const { code, message, remedy = '' } = await failure(`http://127.0.0.1:${port}/mcp`);
      assert.equal(code, 'http-status');
      assert.match(
        message,
        new RegExp(`A proxy answered in the place of .*HTTP ${status}, “Web Filter: access denied”`),
      );
      assert.match(remedy, /proxy/);
    });

  it('a page of the server’s own is none of a proxy', () => {
    const html = { 'content-type': 'text/html' };
    assert.deepEqual(answerPage(404, new Headers(html), '<html><title>Not Found</title>'), {
      ...{ title: 'Not Found', isProxys: false },
    });
    assert.equal(answerPage(400, new Headers({ 'content-type': 'application/json' }), '{"error":"x"}'), undefined);
    assert.equal(answerPage(403, new Headers({ 'x-squid-error': 'ERR_ACCESS_DENIED 0' }), '')?.isProxys, true);
  });
});
