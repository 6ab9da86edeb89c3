import { strict as assert } from 'node:assert';
import { type EditorSurroundings, redirectPlace } from '../../../../../src/bridge/signIn/redirect/redirectPlace.ts';

describe('where the browser comes back to', () => {
  const HERE = 'http://127.0.0.1:4000/callback';

  /** An editor, and what was done in it. */
  function editor(of: Partial<EditorSurroundings>): EditorSurroundings & { readonly done: string[] } {
    const done: string[] = [];
    return {
      isWeb: false,
      isRemote: false,
      callbackUri: 'vscode://publisher.name/sign-in',
      ...of,
      external: async (uri) => {
        done.push(`external ${uri}`);
        return (of.external ?? (async (same: string) => same))(uri);
      },
      listen: async (registered) => {
        done.push('listen');
        return registered?.uri ?? HERE;
      },
      done,
    };
  }

  const GIVEN = { uri: 'http://localhost:3118/callback', isRequired: true };
  const HOSTED = { uri: 'https://callback.example/mcp', isRequired: true };

  it('on this computer: a listener, and the editor is asked nothing', async () => {
    const local = editor({});
    assert.deepEqual(await redirectPlace(undefined, local), { redirectUri: HERE, needsPaste: false });
    assert.deepEqual(local.done, ['listen']);
    assert.deepEqual(await redirectPlace(GIVEN, editor({})), { redirectUri: GIVEN.uri, needsPaste: false });
    assert.deepEqual(await redirectPlace(HOSTED, editor({})), { redirectUri: HOSTED.uri, needsPaste: true });
  });

  it('in a remote window of a desktop (SSH, WSL, container, tunnel): the same listener there, and its port is forwarded', async () => {
    const forwarded = 'http://localhost:50123/callback';
    const window = editor({ isRemote: true, external: async () => forwarded });
    assert.deepEqual(await redirectPlace(undefined, window), { redirectUri: forwarded, needsPaste: false });
    assert.deepEqual(window.done, ['listen', `external ${HERE}`]);
    // A registered port that this computer has no room for can't be another.
    assert.deepEqual(await redirectPlace(GIVEN, window), { redirectUri: GIVEN.uri, needsPaste: true });
    // What was registered here before may be: the client is registered anew then.
    const before = { uri: 'http://localhost:50001/callback', isRequired: false };
    assert.deepEqual(await redirectPlace(before, window), { redirectUri: forwarded, needsPaste: false });
  });

  it('a port that can’t be forwarded: the address is pasted', async () => {
    const refused = editor({ isRemote: true, external: () => Promise.reject(new Error('Canceled')) });
    assert.deepEqual(await redirectPlace(undefined, refused), { redirectUri: HERE, needsPaste: true });
    // A gateway of an organization, without encryption.
    const plain = editor({ isRemote: true, external: async () => 'http://gateway.example/port/4000/' });
    assert.deepEqual(await redirectPlace(undefined, plain), { redirectUri: HERE, needsPaste: true });
  });

  it('in a browser: the page of the editor that passes addresses on, and nothing listens', async () => {
    const page = 'https://vscode.dev/callback?vscode-reqid=1&vscode-scheme=vscode';
    const web = editor({ isWeb: true, isRemote: true, external: async () => page });
    assert.deepEqual(await redirectPlace(undefined, web), { redirectUri: page, needsPaste: false });
    assert.deepEqual(web.done, ['external vscode://publisher.name/sign-in']);
    // It has another address each time, which no registration has.
    assert.deepEqual(await redirectPlace(GIVEN, web), { redirectUri: GIVEN.uri, needsPaste: true });
    assert.deepEqual(await redirectPlace(HOSTED, web), { redirectUri: HOSTED.uri, needsPaste: true });
  });

  it('in a browser that reaches the editor without encryption, or can’t at all: the address is pasted', async () => {
    for (const external of [
      async () => 'http://192.168.1.5:8080/callback?vscode-reqid=1',
      async () => 'vscode://publisher.name/sign-in',
      () => Promise.reject(new Error('no')),
    ]) {
      const web = editor({ isWeb: true, isRemote: true, external });
      assert.deepEqual(await redirectPlace(undefined, web), { redirectUri: HERE, needsPaste: true });
    }
    const here = 'http://127.0.0.1:8080/callback?vscode-reqid=1';
    const onThisComputer = editor({ isWeb: true, external: async () => here });
    assert.deepEqual(await redirectPlace(undefined, onThisComputer), { redirectUri: here, needsPaste: false });
  });
});
