import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { startAdvice, withheldIn } from '../../../../src/connection/stdio/startAdvice.ts';
import type { ConnectionFailure } from '../../../../src/connection/connectionTypes.ts';
import { PoolHarness, target, temporaryFolder } from '../harness.ts';

const advice = (line: string, withheld: readonly string[] = []): string =>
  startAdvice({ lines: ['Starting', line], withheld });

describe('what to do about a server that ended before it was ready', () => {
  for (const [line, told] of [
    ['env: ‘node’: No such file or directory', /Install Node\.js \(https:\/\/nodejs\.org/],
    ['/usr/bin/env: node: No such file or directory', /Install Node\.js/],
    ['sh: 1: uvx: not found', /Install uv \(https:/],
    ['bash: line 1: docker: command not found', /Install Docker \(https:/],
    ["'npx' is not recognized as an internal or external command,", /Install Node\.js/],
    ['./server: cannot execute binary file: Exec format error', new RegExp(`this processor \\(${process.arch}\\)`)],
    [
      "dlopen(x.node): mach-o file, but is an incompatible architecture (have 'x86_64', need 'arm64')",
      /this processor/,
    ],
    ['Error: was compiled against a different Node.js version using NODE_MODULE_VERSION 115', /packages again/],
    ['npm warn EBADENGINE Unsupported engine', /another version of Node\.js/],
    ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', /more memory/],
    ['Error: listen EADDRINUSE: address already in use 127.0.0.1:3000', /another port/],
    [
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      /Start Docker/,
    ],
    ['the input device is not a TTY', /Remove `-t`/],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
    ['ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed', /SSL_CERT_FILE/],
    ["npm error 404  'x@*' is not in this registry. E404", /name and the version/],
    ['npm error code ENOTFOUND', /network/],
    ["Error: Cannot find module '/w/dist/index.js'", /path in "args"/],
    ['ModuleNotFoundError: No module named mcp', /path in "args"/],
    ['Error: GITHUB_TOKEN is required', /Set `GITHUB_TOKEN` in its "env"/],
    ['Missing environment variable: NOTION_API_KEY', /Set `NOTION_API_KEY`/],
    ['The DATABASE_URL environment variable is not set', /Set `DATABASE_URL`/],
    ['error: unknown option --fast', /options in "args"/],
    ['something else', /See its log/],
  ] as const)
    it(line, () => assert.match(advice(line), told));

  for (const [line, withheld, named] of [
    ['Error: AWS_PROFILE is not set', ['HOME_X', 'AWS_PROFILE'], 'AWS_PROFILE'],
    ['git@host: Permission denied (publickey).', ['SSH_AUTH_SOCK'], 'SSH_AUTH_SOCK'],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock', ['DOCKER_HOST'], 'DOCKER_HOST'],
    ['Cannot autolaunch D-Bus without X11', ['DBUS_SESSION_BUS_ADDRESS'], 'DBUS_SESSION_BUS_ADDRESS'],
    ['Unable to locate credentials', ['AWS_ACCESS_KEY_ID'], 'AWS_ACCESS_KEY_ID'],
    ['Cannot connect to the Docker daemon', ['OTHER'], undefined],
    ['MY_AWS_PROFILE_X', ['AWS_PROFILE'], undefined],
  ] as const)
    it(`withheld: ${line}`, () => {
      assert.equal(withheldIn(line, withheld), named);
      if (named)
        assert.match(advice(line, withheld), new RegExp(`\`${named}\` was withheld.*"${named}": "\\$\\{${named}\\}"`));
    });
});

describe('servers that end before they are ready', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  let harness: PoolHarness;
  afterEach(() => harness.end());
  after(() => folder.remove());

  const failureOf = async (
    script: string,
    env: Record<string, string> = {},
    host: NodeJS.ProcessEnv = {},
  ): Promise<ConnectionFailure> => {
    harness = new PoolHarness({}, { hostEnvironment: { PATH: process.env['PATH'], HOME: folder.path, ...host } });
    const file = folder.file(`server-${Math.random()}`);
    writeFileSync(file, script);
    chmodSync(file, 0o755);
    harness.pool.reconcile([target('server', { type: 'stdio', command: file, args: [], env }, { scope: 'project' })]);
    await harness.pool.connect('server');
    const { state } = harness.server();
    assert.ok(state.kind === 'pending' || state.kind === 'failed');
    return state.failure;
  };

  it('name the variable that was withheld from them', async () => {
    const script = `#!/bin/sh\n[ -n "$SSH_AUTH_SOCK" ] || { echo "git@host: Permission denied (publickey)." >&2; exit 128; }\nexec sleep 100\n`;
    const failure = await failureOf(script, {}, { SSH_AUTH_SOCK: '/run/agent' });
    assert.match(
      failure.message,
      /exited with code 128 before it was ready: git@host: Permission denied \(publickey\)\.$/,
    );
    assert.match(failure.remedy ?? '', /`SSH_AUTH_SOCK` was withheld/);
  });

  it('say which runtime is missing, and where it is installed from', async () => {
    const failure = await failureOf('#!/usr/bin/env node\n', { PATH: '/nowhere' });
    assert.match(failure.message, /exited with code 127 \(a command was not found\)/);
    assert.match(failure.remedy ?? '', /Install Node\.js \(https:/);
  });

  it('say what they said of an error where they never finish the handshake', async () => {
    harness = new PoolHarness({ handshakeTimeoutMs: 700 });
    const script = `console.error('Starting'); console.error('Error: connect ECONNREFUSED 127.0.0.1:5432'); setInterval(() => {}, 1000);`;
    const failed = await harness.connect({ type: 'stdio', command: process.execPath, args: ['-e', script], env: {} });
    assert.ok(failed.state.kind === 'pending');
    assert.match(
      failed.state.failure.message,
      /within 0\.7 s; on stderr: Error: connect ECONNREFUSED 127\.0\.0\.1:5432\.$/,
    );
  });

  it('say what told, not the last line', async () => {
    const failure = await failureOf(`#!${process.execPath}\nthrow new Error('NOTES_KEY is required');\n`);
    assert.match(failure.message, /exited with code 1 before it was ready: Error: NOTES_KEY is required\.$/);
    assert.match(failure.remedy ?? '', /Set `NOTES_KEY`/);
    assert.ok(failure.stderrTail.some((line) => line.startsWith('Node.js v')));
  });
});
