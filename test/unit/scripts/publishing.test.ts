import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { zip } from '../../support/zip.ts';
import { scratchFolder } from './scratch.ts';

const MANIFEST = {
  name: 'mcp-switchboard',
  publisher: 'mcp-switchboard',
  version: '0.1.0',
  engines: { vscode: '^1.106.0' },
};
const VSIX_MANIFEST = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"><Metadata>
<Identity Language="en-US" Id="mcp-switchboard" Version="0.1.0" Publisher="mcp-switchboard"/>
<Properties><Property Id="Microsoft.VisualStudio.Code.PreRelease" Value="true"/></Properties></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Assets/></PackageManifest>`;

interface Request {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

/** The programs that publish, with a stand-in on this machine for what gives identities and for a marketplace. */
describe('publishing by the identity of a workflow', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  const vsix = zip([
    { name: 'extension.vsixmanifest', data: VSIX_MANIFEST },
    { name: 'extension/package.json', data: JSON.stringify(MANIFEST) },
  ]);
  const requests: Request[] = [];
  let server: Server;
  let address: string;

  before(async () => {
    const sums = [['vsix', vsix], ['cdx.json', Buffer.from('{}')]] as const; // prettier-ignore
    cpSync(join(root, 'scripts'), scratch.file('scripts'), { recursive: true });
    cpSync(join(root, 'package-lock.json'), scratch.file('package-lock.json'));
    symlinkSync(join(root, 'node_modules'), scratch.file('node_modules'), 'junction');
    scratch.write('package.json', JSON.stringify(MANIFEST));
    mkdirSync(scratch.file('out/package'), { recursive: true });
    const lines = sums.map(([ending, bytes]) => {
      const name = `mcp-switchboard-0.1.0.${ending}`;
      scratch.write(`out/package/${name}`, bytes);
      return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    });
    scratch.write('out/package/SHA256SUMS', lines.join(''));
    server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const line = `${request.method} ${request.url}`;
        requests.push({ line, authorization: request.headers.authorization, body });
        const answer = answerTo(line);
        response
          .writeHead(answer ? 200 : 401, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer ?? {}));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => requests.splice(0));

  after(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    scratch.remove();
  });

  /** As GitHub and the marketplaces answer; undefined is a refusal. */
  function answerTo(line: string): object | undefined {
    if (line.startsWith('GET /identity')) return { value: 'identity-of-the-run' };
    if (line.startsWith('GET /api/version')) return { version: '1.4.0', trustedPublishingAudience: 'open-vsx' };
    if (line.startsWith('POST /api/-/trusted-publishing/token')) return { value: 'short-lived' };
    if (line.startsWith('POST /api/-/publish')) return { namespace: 'mcp-switchboard', name: 'mcp-switchboard', version: '0.1.0', targetPlatform: 'universal' }; // prettier-ignore
    return undefined;
  }

  async function publish(marketplace: string): Promise<{ readonly status: number | null; readonly output: string }> {
    const child = spawn(process.execPath, [scratch.file('scripts/publish.mjs'), marketplace], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        GITHUB_ACTIONS: 'true',
        ACTIONS_ID_TOKEN_REQUEST_URL: `${address}/identity?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-the-job',
        OVSX_REGISTRY_URL: address,
        VSCE_MARKETPLACE_URL: address,
      },
    });
    return ended(child);
  }
  const requestOf = (begin: string): Request => {
    const found = requests.find(({ line }) => line.startsWith(begin));
    assert.ok(found, `${begin} among ${requests.map(({ line }) => line).join(', ')}`);
    return found;
  };

  it('gives Open VSX the package that was made, for a token that the identity was exchanged for', async () => {
    const { status, output } = await publish('open-vsx');
    assert.equal(status, 0, output);
    assert.match(output, /Published mcp-switchboard\.mcp-switchboard v0\.1\.0/);
    const identity = requestOf('GET /identity');
    assert.equal(identity.authorization, 'Bearer token-of-the-job');
    assert.match(identity.line, /audience=open-vsx/);
    assert.match(requestOf('POST /api/-/trusted-publishing/token').body.toString(), /identity-of-the-run/);
    const published = requestOf('POST /api/-/publish');
    assert.ok(published.body.equals(vsix), 'the bytes of SHA256SUMS');
    assert.match(`${published.authorization} ${published.line}`, /short-lived/);
  });

  it('asks the Visual Studio Marketplace to exchange the identity, and fails where it refuses', async () => {
    const { status, output } = await publish('visual-studio');
    assert.equal(status, 1, output);
    assert.match(requestOf('GET /identity').line, /audience=marketplace\.visualstudio\.com/);
    const exchange = requestOf('POST /_apis/gallery/token');
    assert.equal(exchange.authorization, 'FederatedToken identity-of-the-run');
    assert.deepEqual(JSON.parse(exchange.body.toString()), { publisherName: 'mcp-switchboard' });
    assert.match(output, /token exchange/);
    assert.doesNotMatch(output, /identity-of-the-run|token-of-the-job/);
  });
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function ended(child: ChildProcess): Promise<{ readonly status: number | null; readonly output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
  return new Promise((done) => child.once('close', (status) => done({ status, output })));
}
