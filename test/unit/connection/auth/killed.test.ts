import { strict as assert } from 'node:assert';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { node24, root } from '../../../../scripts/lib/paths.mjs';
import { deferred } from '../../../../src/base/async.ts';
import { eventually } from '../../../support/eventually.ts';
import { FileSecrets, type SignInRig, useSignInWorlds } from '../../../support/signInRig.ts';

/** A window in a process of its own, which can be killed. */
class OtherWindow {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(rig: SignInRig, secrets: string) {
    const script = join(root, 'test/support/signInWindow.ts');
    this.#child = spawn(node24, [script, rig.test.folder, rig.stateDir, secrets], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    return String((await this.#lines.next()).value);
  }

  /** Begins what its answer is read of by `line`. */
  begin(command: string): void {
    this.#child.stdin.write(`${command}\n`);
  }

  async run(command: string): Promise<unknown> {
    this.begin(command);
    return JSON.parse(await this.line());
  }

  async end(how: 'by itself' | 'killed'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    if (how === 'killed') this.#child.kill('SIGKILL');
    else this.#child.stdin.end();
    await ended;
  }
}

/** Keeps an answer to the next token request back: whoever asked waits for ever. */
class HeldBack {
  /** `request`: the authorization server never gets it; `answer`: it has done what it was asked for. */
  what: { readonly grantType: string; readonly part: 'request' | 'answer' } | undefined;
  #reached = deferred<void>();

  /** Resolves once somebody waits. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  hold(grantType: string, part: 'request' | 'answer'): void {
    this.#reached = deferred();
    this.what = { grantType, part };
  }

  readonly handle = (
    request: IncomingMessage & { body?: Record<string, string> },
    response: ServerResponse,
  ): boolean => {
    if (request.url !== '/token' || request.body?.['grant_type'] !== this.what?.grantType) return false;
    const { part } = this.what ?? {};
    this.what = undefined;
    if (part === 'request') this.#reached.resolve();
    else
      response.end = () => {
        this.#reached.resolve();
        return response;
      };
    return part === 'request';
  };
}

const HELLOS = Array.from({ length: 10 }, () => 'hello');

describe('a process that is killed in the middle of a token request', function () {
  // Two processes more, each with a host of its own.
  this.timeout(150_000);
  const world = useSignInWorlds();
  let folder = '';
  let windows: OtherWindow[] = [];
  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-secrets-')))));
  afterEach(async () => {
    for (const window of windows) await window.end('by itself');
    windows = [];
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(rig: SignInRig): Promise<readonly [OtherWindow, OtherWindow]> {
    const [one, other] = [new OtherWindow(rig, folder), new OtherWindow(rig, folder)];
    windows = [one, other];
    return [one, other];
  }

  /** Waits until nothing is locked: whoever lives lets go by itself. */
  async function unlocked({ stateDir }: SignInRig): Promise<void> {
    const names = (): readonly string[] => readdirSync(stateDir, { recursive: true, encoding: 'utf8' });
    await eventually('nothing is locked', () => !names().some((name) => /\.(lock|take)$/.test(name)));
  }

  it('which the authorization server hasn’t got: the other window renews, and the grant is as it was', async () => {
    const held = new HeldBack();
    const made = await world({ auth: { handle: held.handle } });
    const rig = await made.signedIn({ secrets: new FileSecrets(folder) });
    const [one, other] = await open(rig);
    assert.deepEqual(await Promise.all([one.line(), other.line()]), ['ready connected', 'ready connected']);
    await made.auth.expire();
    held.hold('refresh_token', 'request');
    one.begin('go');
    await held.reached;
    other.begin('go');
    await one.end('killed');
    assert.deepEqual(JSON.parse(await other.line()), HELLOS);
    assert.equal(made.auth.tokenRequests('refresh_token'), 2, 'the one that was lost, and one more');
    await made.auth.expire();
    assert.deepEqual(await other.run('go'), HELLOS, 'the family lives');
    assert.equal(await rig.call(), 'hello');
    await unlocked(rig);
  });

  it('whose answer is lost: one more request, one sign-in, and other accounts and servers are as they were', async () => {
    const held = new HeldBack();
    const made = await world({ auth: { handle: held.handle }, server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn({ secrets: new FileSecrets(folder) });
    const [one, other] = await open(rig);
    assert.deepEqual(await Promise.all([one.line(), other.line()]), ['ready connected', 'ready connected']);
    made.auth.user = 'bob';
    const bobs = await made.open({ secrets: rig.secrets, stateDir: rig.stateDir, folder: rig.test.folder });
    await bobs.signIn({ account: 'new' });
    assert.equal(await bobs.call(), 'hello');
    await made.auth.expire();
    held.hold('refresh_token', 'answer');
    one.begin('go');
    await held.reached;
    other.begin('go');
    await one.end('killed');
    const failed = JSON.parse(await other.line()) as string[];
    assert.ok(
      failed.every((text) => /sign-in|Sign in/.test(text)),
      failed.join('\n'),
    );
    assert.equal(made.auth.tokenRequests('refresh_token'), 2, 'the lost one and one more: then nobody asks again');
    assert.equal(await other.run('state'), 'needs-auth');
    await other.run('go');
    assert.equal(made.auth.tokenRequests('refresh_token'), 2);
    assert.equal(await bobs.call(), 'hello', 'the other account’s grant was renewed as ever');
    assert.equal(made.auth.tokenRequests('refresh_token'), 3);
    await unlocked(rig);
    made.auth.user = 'alice';
    assert.equal(await other.run('sign-in'), 'alice@example.com');
    assert.deepEqual(await other.run('go'), HELLOS);
  });

  it('of a sign-in: nothing of it is kept, and the other window signs in', async () => {
    const held = new HeldBack();
    const made = await world({ auth: { handle: held.handle } });
    const rig = await made.open({ secrets: new FileSecrets(folder) });
    const [one, other] = await open(rig);
    assert.deepEqual(await Promise.all([one.line(), other.line()]), ['ready needs-auth', 'ready needs-auth']);
    held.hold('authorization_code', 'answer');
    one.begin('sign-in');
    await held.reached;
    await one.end('killed');
    assert.equal(await other.run('state'), 'needs-auth');
    await other.run('sign-in');
    assert.deepEqual(await other.run('go'), HELLOS);
    await unlocked(rig);
  });
});
