import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { node24, root } from '../../../../scripts/lib/paths.mjs';
import { clientDocument } from '../../../../src/connection/auth/flow/clientDocument.ts';
import type { SignInPorts } from '../../../../src/connection/auth/signInPorts.ts';
import { eventually } from '../../../support/eventually.ts';
import { type SharedSecrets, type SignInWorld, TestPerson, useSignInWorlds } from '../../../support/signInRig.ts';

const DOCUMENT = 'https://switchboard.example/client.json';

/** A person whose editor has the document of this client published. */
class Published extends TestPerson {
  url: string | undefined = DOCUMENT;

  override portsWith(secrets: SharedSecrets): SignInPorts {
    return { ...super.portsWith(secrets), clientMetadataUrl: () => this.url };
  }
}

describe('the document that describes this client', () => {
  const world = useSignInWorlds();
  const withServer = (options: { registers?: boolean; document?: (url: string) => object | undefined }) =>
    world({ auth: options, server: { scopes: ['openid', 'read'] } });
  const registrations = ({ auth }: SignInWorld): number =>
    auth.seen.filter((line) => line.startsWith('POST /reg')).length;
  const clientIn = (person: TestPerson): string | null =>
    new URL(person.questions.at(-1)?.url ?? '').searchParams.get('client_id');

  it('is the client id where the authorization server takes one: nothing is registered, and it is renewed with it', async () => {
    const made = await withServer({ document: clientDocument });
    const person = new Published();
    const rig = await made.signedIn({ person });
    assert.equal(clientIn(person), DOCUMENT);
    assert.equal(registrations(made), 0);
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
  });

  it('does also where the authorization server registers none: nobody is asked for a client', async () => {
    const made = await withServer({ registers: false, document: clientDocument });
    const person = new Published();
    const rig = await made.signedIn({ person });
    assert.equal(await rig.call(), 'hello');
    assert.deepEqual(person.clientQuestions, []);
  });

  it('isn’t shown to an authorization server that takes none, and this client registers', async () => {
    const made = await withServer({});
    const person = new Published();
    await made.signedIn({ person });
    assert.notEqual(clientIn(person), DOCUMENT);
    assert.equal(registrations(made), 1);
  });

  it('that the authorization server can’t get leaves its page open; the next sign-in registers', async () => {
    const made = await withServer({ document: () => undefined });
    const person = new Published();
    const rig = await made.open({ person });
    const shown: string[] = [];
    person.browse = async (url) => void shown.push(await (await fetch(url)).text());
    const first = rig.signIn();
    first.catch(() => undefined);
    await eventually('the page says so', () => shown.length > 0);
    assert.match(shown[0] ?? '', /invalid_client/);
    const next = new TestPerson();
    person.browse = next.browse;
    await rig.signIn();
    await assert.rejects(first, { code: 'call-cancelled' });
    assert.equal(registrations(made), 1);
    assert.notEqual(clientIn(person), DOCUMENT);
    assert.equal(await rig.call(), 'hello');
  });

  it('at another address than before is another client', async () => {
    const made = await withServer({ document: clientDocument });
    const person = new Published();
    const rig = await made.signedIn({ person });
    person.url = 'https://switchboard.example/other.json';
    await rig.signIn();
    assert.equal(clientIn(person), person.url);
    person.url = undefined;
    await rig.signIn();
    assert.equal(registrations(made), 1);
  });

  it('is printed by a script, for the address that it is published at and no other', async () => {
    const print = async (url: string): Promise<string> =>
      (await promisify(execFile)(node24, [join(root, 'scripts', 'client-document.mjs'), url])).stdout;
    assert.deepEqual(JSON.parse(await print(DOCUMENT)), clientDocument(DOCUMENT));
    await assert.rejects(print('http://switchboard.example/client.json'), /must begin with https/);
    for (const url of ['https://a.example', 'https://a.example/c#x', 'https://user@a.example/c', 'not one'])
      assert.throws(() => clientDocument(url), TypeError, url);
  });
});
