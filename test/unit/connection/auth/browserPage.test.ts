// What the browser shows in the end: the listener of the editor, a whole sign-in, and a browser that follows links.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { systemClock } from '../../../../src/base/clock.ts';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { AwaitedAnswer } from '../../../../src/bridge/signIn/awaitedAnswer.ts';
import { LoopbackListener } from '../../../../src/bridge/signIn/redirect/loopbackListener.ts';
import type { Redirect, RedirectRequest } from '../../../../src/connection/auth/signInPorts.ts';
import { eventually } from '../../../support/eventually.ts';
import { followLinks, SharedSecrets, TestPerson, useSignInWorlds } from '../../../support/signInRig.ts';

/** A person whose browser comes back to the editor's own listener. */
class PersonAtListener extends TestPerson {
  /** The text of the page that the browser ended at. */
  page = '';
  uri = '';

  override readonly openRedirect = async ({ state, registered }: RedirectRequest): Promise<Redirect> => {
    const awaited = new AwaitedAnswer(state, systemClock);
    const listener = await LoopbackListener.open({
      awaited,
      texts: (of) => ({
        title: 'The end',
        text: typeof of === 'string' ? of : of.ok ? `as ${of.account}` : of.message,
      }),
      ...(registered ? { registered } : {}),
    });
    this.uri = listener.uri;
    return {
      redirectUri: listener.uri,
      answer: (signal) => awaited.answer(signal),
      dispose: () => {
        awaited.dispose();
        listener.dispose();
      },
    };
  };

  override browse = async (url: string): Promise<void> => {
    let answer: URL | undefined;
    await followLinks(url, (next) => {
      if (!next.href.startsWith(this.uri)) return next;
      answer = next;
      return undefined;
    });
    if (answer) this.page = await (await fetch(answer)).text();
  };
}

describe('the page that the browser ends at', () => {
  const world = useSignInWorlds();

  it('says who is signed in, once that is kept', async () => {
    const person = new PersonAtListener();
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.open({ person });
    await rig.signIn();
    await eventually('a page', () => person.page !== '');
    assert.match(person.page, /as alice@example\.com/);
    await assert.rejects(fetch(person.uri), 'nothing is left listening');
  });

  it('waits for the name that the person gives the account, and says it', async () => {
    const person = new PersonAtListener();
    const made = await world({ server: { scopes: ['read'] } });
    const asked: string[] = [];
    const named = Object.assign(person, {
      portsWith: (secrets: SharedSecrets) => ({
        ...TestPerson.prototype.portsWith.call(person, secrets),
        askAccountName: async () => {
          asked.push(person.page);
          return 'Work';
        },
      }),
    });
    const rig = await made.open({ person: named });
    assert.equal((await rig.signIn()).label, 'Work');
    await eventually('a page', () => person.page !== '');
    assert.deepEqual(asked, [''], 'the page waits while the name is asked for');
    assert.match(person.page, /as Work/);
  });

  it('doesn’t speak of success where the secrets can’t be written, and the person is told why', async () => {
    class Locked extends SharedSecrets {
      override async set(key: string, value: string): Promise<void> {
        // What is registered is kept before the page opens; then the keyring is locked.
        if (value.includes('access_token')) throw new Error('The keyring is locked.');
        await super.set(key, value);
      }
    }
    const person = new PersonAtListener();
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.open({ person, secrets: new Locked() });
    const error: unknown = await rig.signIn().catch((reason: unknown) => reason);
    assert.ok(error instanceof SwitchboardError, String(error));
    assert.match(error.message, /keyring is locked/);
    assert.match(error.message, /can't be kept/);
    await eventually('a page', () => person.page !== '');
    assert.match(person.page, /Signing in failed/);
  });

  it('is at another port where the registered one is taken: the client is registered anew, and the page comes back', async () => {
    const person = new PersonAtListener();
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.open({ person });
    await rig.signIn();
    const first = person.uri;
    const taken = createServer(() => undefined);
    await new Promise<void>((resolve) => taken.listen(Number(new URL(first).port), '127.0.0.1', resolve));
    try {
      await rig.signIn();
      assert.notEqual(person.uri, first);
      assert.equal(made.auth.seen.filter((line) => line.startsWith('POST /reg')).length, 2);
      assert.equal(await rig.call(), 'hello');
    } finally {
      await new Promise((resolve) => taken.close(resolve));
    }
    // The port that is registered now is used again, and nothing is registered.
    await rig.signIn();
    assert.equal(made.auth.seen.filter((line) => line.startsWith('POST /reg')).length, 2);
  });
});
