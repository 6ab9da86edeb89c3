// The editor's own accounts, at the edge of its API: what is asked, and what of it goes to `vscode.authentication`.
import assert from 'node:assert/strict';
import { InputTurns } from '../../../../src/bridge/dialogs/inputTurns.ts';
import type { EditorSessionRequest } from '../../../../src/connection/auth/signInPorts.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

type Item = { readonly label: string; readonly value?: string };
type Options = Readonly<Record<string, unknown>>;

const asked: { readonly provider: string; readonly scopes: readonly string[]; readonly options: Options }[] = [];
const lists: { readonly title: string; readonly items: readonly Item[] }[] = [];
/** What the person picks; `undefined`: they close the list. */
let picks: RegExp | undefined;
let session: object | undefined;

class List {
  title = '';
  items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  #accept = (): void => undefined;
  #hide = (): void => undefined;
  readonly onDidTriggerButton = (): object => ({ dispose: () => undefined });
  onDidAccept(listener: () => void): object {
    this.#accept = listener;
    return { dispose: () => undefined };
  }
  onDidHide(listener: () => void): object {
    this.#hide = listener;
    return { dispose: () => undefined };
  }
  show(): void {
    lists.push(this);
    const wanted = picks;
    this.selectedItems = wanted ? this.items.filter(({ label }) => wanted.test(label)) : [];
    queueMicrotask(wanted ? this.#accept : this.#hide);
  }
  hide(): void {}
  dispose(): void {}
}

const stub = {
  l10n: {
    t: (text: string, ...values: string[]) => text.replaceAll(/\{(\d)\}/g, (_all, at) => values[Number(at)] ?? ''),
  },
  QuickPickItemKind: { Separator: -1 },
  ThemeIcon: Object,
  window: { createQuickPick: () => new List() },
  authentication: {
    getAccounts: async () => [{ id: '1', label: 'octocat' }],
    getSession: async (provider: string, scopes: readonly string[], options: Options) => {
      asked.push({ provider, scopes, options });
      return session;
    },
  },
};

describe('the editor’s own accounts, as a sign-in uses them', () => {
  let editorSession: typeof import('../../../../src/bridge/signIn/editorAccounts.ts').editorSession;

  before(async () => {
    ({ editorSession } = await withStubbedEditor(
      stub,
      () => import('../../../../src/bridge/signIn/editorAccounts.ts'),
    ));
  });

  beforeEach(() => {
    asked.length = 0;
    lists.length = 0;
    picks = undefined;
    session = { accessToken: 'of-the-editor', account: { id: '1', label: 'octocat' }, scopes: [], id: 's' };
  });

  const request = (more: Partial<EditorSessionRequest> = {}): EditorSessionRequest => ({
    server: { id: 'project:team', name: 'team' },
    resource: 'https://mcp.example.com/mcp',
    issuer: 'https://github.com/login/oauth',
    scopes: ['repo', 'read:user'],
    interactive: true,
    ...more,
  });
  const run = (more: Partial<EditorSessionRequest> = {}): ReturnType<typeof editorSession> =>
    editorSession(request(more), new InputTurns(), new AbortController().signal);

  it('the person is asked for this server first: the browser comes first, and what the token is good for is said', async () => {
    picks = /Editor’s GitHub Account/;
    assert.deepEqual(await run(), { accessToken: 'of-the-editor', account: { id: '1', label: 'octocat' } });
    const [{ title, items } = { title: '', items: [] }] = lists;
    assert.match(title, /GitHub account for “team”/);
    assert.match(items[0]?.label ?? '', /Sign In with the Browser/);
    const text = items
      .map(({ label }) => label)
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    for (const part of ['valid at GitHub, not only for the server', 'https://mcp.example.com/mcp', 'repo', 'read:user'])
      assert.ok(text.includes(part), `${part} in ${text}`);
    assert.deepEqual(asked, [
      {
        provider: 'github',
        scopes: ['repo', 'read:user'],
        options: { createIfNone: true, clearSessionPreference: true },
      },
    ]);
  });

  it('who takes the browser, or closes the list, asks the editor nothing', async () => {
    picks = /Browser/;
    assert.equal(await run(), undefined);
    picks = undefined;
    await assert.rejects(run(), { code: 'call-cancelled' });
    assert.deepEqual(asked, []);
  });

  it('without a person, only what was allowed before is used, of the same account, and nobody is asked', async () => {
    await run({ interactive: false, accountId: '1' });
    assert.deepEqual(asked[0]?.options, { silent: true, account: { id: '1', label: 'octocat' } });
    session = undefined;
    assert.equal(await run({ interactive: false, accountId: '1' }), undefined);
    // An account that the editor was signed out of is replaced by no other.
    asked.length = 0;
    assert.equal(await run({ interactive: false, accountId: 'gone' }), undefined);
    assert.deepEqual([asked, lists], [[], []]);
  });

  it('Microsoft’s is another provider, and an issuer that looks like one has none', async () => {
    picks = /Account/;
    await run({ issuer: 'https://login.microsoftonline.com/common/v2.0' });
    assert.equal(asked[0]?.provider, 'microsoft');
    asked.length = 0;
    assert.equal(await run({ issuer: 'https://github.com.attacker.example/login/oauth' }), undefined);
    assert.deepEqual(asked, []);
  });
});
