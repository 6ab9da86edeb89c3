import { strict as assert } from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { sendChat } from '../../scripts/lib/browser.mjs';
import type { AgentWindow } from '../support/agentWindow.ts';
import { AuthServer } from '../support/authServer.ts';
import { editServers } from '../support/demoServers.ts';
import { ProtectedSocket } from '../support/protectedSocket.ts';
import { callTool, offeredNames, type Step } from '../support/script.ts';
import { followLinks, ProtectedServer } from '../support/signInRig.ts';
import { useHostedWindow } from '../support/useAgentWindow.ts';
import { clickAction, pane } from '../support/viewRows.ts';

const PEOPLE = ['alice', 'bob'];
/** Whoever is signed in in the browser, which asks nobody again. */
const SOMEBODY = /as \w+@example\.com/;

describe('signing in', () => {
  let window: AgentWindow;
  let auth: AuthServer;
  let server: ProtectedServer;
  const others: { close(): Promise<void> }[] = [];
  let registersNobody = false;

  before(async () => {
    // An editor in a browser passes pages of 127.0.0.1 through itself, with another address: to it, that is its server.
    auth = await AuthServer.start({ handle: showPages, host: '::1' });
    server = await ProtectedServer.start(auth, { scopes: ['openid', 'read'] });
  });

  after(async () => {
    for (const other of others) await other.close();
    await server.close();
    await auth.close();
  });

  useHostedWindow(
    {
      connected: '0/1',
      prepare: (folder) =>
        editServers(folder, (servers) => {
          for (const name of Object.keys(servers)) delete servers[name];
          servers['team'] = { type: 'http', url: server.url };
        }),
    },
    (opened) => {
      window = opened;
    },
  );

  /** The pages of the authorization server, on which a person says who they are and whether they agree. */
  function showPages(request: IncomingMessage, response: ServerResponse): boolean {
    const url = new URL(request.url ?? '', 'http://x');
    if (registersNobody && request.method === 'POST' && url.pathname === '/reg') {
      response.writeHead(403).end();
      return true;
    }
    if (!url.pathname.startsWith('/interaction/')) return false;
    const who = url.searchParams.get('as');
    if (who !== null) {
      auth.user = who;
      auth.agrees = who !== 'nobody';
      return false;
    }
    const links = [...PEOPLE, 'nobody'].map(
      (name) => `<p><a href="${url.pathname}?as=${name}">Continue as ${name}</a>`,
    );
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Authorization</title>${links.join('')}`);
    return true;
  }

  const rowOf = (name: string, state: string | RegExp): Locator =>
    window.treeRow(name).filter({ hasText: state }).first();
  const row = (state: string | RegExp): Locator => rowOf('team', state);
  const input = (): Locator => window.page.locator('.quick-input-widget');
  const waiting = (): Locator => window.page.locator('.notification-toast', { hasText: 'Finish signing in to “team”' });
  const toast = (text: string): Locator => window.page.locator('.notification-toast', { hasText: text });

  /** What the model calls where its task needs the server. */
  const signInCall: Step = { call: { name: 'mcp_sign_in', input: { server: 'team' } } };
  const answer = (text: string): Locator =>
    window.page.locator('.interactive-session .interactive-response:visible', { hasText: text }).last();

  /** Signs out of the server, which needs a sign-in again then. */
  async function signOut(): Promise<void> {
    await window.runOnServer('Sign Out…', 'Select a server to sign out of', 'team');
    await window.dialogButton('Sign Out').click();
    await row('Needs sign-in').waitFor();
  }

  /** Adds a server to the workspace, as a person does who edits the file, and approves it. */
  async function add(name: string, entry: { readonly type: string; readonly url: string }): Promise<void> {
    editServers(window.folder, (servers) => (servers[name] = entry));
    await window.runOnServer('Approve…', 'Select a server to approve', name);
    await window.pickRow('Approve').click();
  }

  /** Clicks the button of a server's row. */
  async function clickSignIn(name: string, state: string | RegExp): Promise<void> {
    await clickAction(rowOf(name, state), 'Sign In');
  }

  /** Answers the question before the browser with yes, and gives the page. */
  async function openPage(): Promise<Page> {
    await window.pickRow('in the Browser').waitFor();
    const opened = window.page.context().waitForEvent('page');
    await window.pickRow('in the Browser').click();
    // The editor's own question, where it has one.
    const dialog = window.dialogButton('Open');
    await Promise.race([opened, dialog.waitFor()]);
    if (await dialog.isVisible()) await dialog.click();
    return opened;
  }

  /** Says who they are and agrees, on as many pages as there are, until `isOver`. */
  async function agree(page: Page, who: string, isOver: () => boolean | Promise<boolean>): Promise<void> {
    const link = page.getByText(`Continue as ${who}`);
    const isThere = (): Promise<boolean> => link.isVisible().catch(() => false);
    for (;;) {
      await window.until(async () => (await isOver()) || isThere());
      if (await isOver()) return;
      const address = page.url();
      await link.click();
      await window.until(async () => (await isOver()) || page.url() !== address);
    }
  }

  /** What a person does in the browser, to the page that the editor ends it with. */
  async function goThrough(page: Page, who: string): Promise<void> {
    const end = page.getByText('You can close this page now');
    await agree(page, who, () => end.isVisible().catch(() => false));
    await page.close();
  }

  it('is offered, and nothing opens by itself', async () => {
    await row('Needs sign-in').waitFor();
    await toast('“team” needs a sign-in').waitFor();
    await window.screenshot('sign-in-offered');
    const status = await window.page.getByText('MCP 0/1').first().getAttribute('aria-label');
    assert.match(String(status), /1 server needs a sign-in/);
    assert.equal(window.page.context().pages().length, 1);
    assert.deepEqual(auth.seen, [], 'nobody has asked the authorization server for anything');
  });

  it('from the notification: what is asked for is shown, and the tools are there after one page', async () => {
    await window.answerNotification('Sign In');
    await window.pickRow('in the Browser').waitFor();
    const text = (await input().innerText()).replaceAll(/\s+/g, ' ');
    const { host } = new URL(auth.issuer);
    for (const part of ['Sign in to “team”?', `Open ${host} in the Browser`, server.url, auth.issuer, 'openid', 'read'])
      assert.ok(text.includes(part), `${part} in ${text}`);
    await window.screenshot('sign-in-question');
    const page = await openPage();
    await waiting().waitFor();
    await window.screenshot('sign-in-waiting');
    await goThrough(page, 'alice');
    await row(/tools · as alice@example\.com/).waitFor();
    await waiting().waitFor({ state: 'detached' });
    await window.screenshot('signed-in');
  });

  it('the account is in the question about a call, and in the history', async () => {
    await window.send(callTool('team__log'));
    await window.cardButton('Allow Once').waitFor();
    assert.match(await window.page.locator('.interactive-session').innerText(), /As the account alice@example\.com/);
    await window.screenshot('sign-in-call');
    await window.cardButton('Allow Once').click();
    assert.doesNotMatch(await window.result(), /denied/);
    await window.runCommand('MCP Switchboard: Show Call History…');
    await window.pickRow('team__log').click();
    await window.page.locator('.editor-instance', { hasText: 'Account: alice@example.com' }).first().waitFor();
  });

  it('Sign In as… adds an account, and Switch Account… changes between them', async () => {
    await window.runOnServer('Sign In as…', 'Select a server to sign in to as somebody else', 'team');
    await goThrough(await openPage(), 'bob');
    await row('as bob@example.com').waitFor();
    await window.runOnServer('Switch Account…', 'Select a server to use another account for', 'team');
    await window.pickRow('alice@example.com').waitFor();
    await window.screenshot('switch-account');
    await window.pickRow('alice@example.com').click();
    await row('as alice@example.com').waitFor();
  });

  it('Sign Out revokes and forgets, and the tree’s own button signs in again', async () => {
    await window.runOnServer('Sign Out…', 'Select a server to sign out of', 'team');
    await window.page.locator('.monaco-dialog-box', { hasText: 'Sign alice@example.com out of “team”?' }).waitFor();
    await window.screenshot('sign-out');
    await window.dialogButton('Sign Out').click();
    await row('Needs sign-in').waitFor();
    assert.ok(
      auth.seen.some((line) => line.startsWith('POST /token/revocation')),
      auth.seen.join(', '),
    );
    await clickSignIn('team', 'Needs sign-in');
    // Whoever is signed in in the browser: nobody else was asked for.
    await goThrough(await openPage(), 'bob');
    await row('as bob@example.com').waitFor();
  });

  it('cancelled, nothing waits, and a page that comes back later is refused', async () => {
    await window.runOnServer('Sign In as…', 'Select a server to sign in to as somebody else', 'team');
    const page = await openPage();
    await waiting().waitFor();
    await waiting().hover();
    await waiting().locator('.monaco-button', { hasText: 'Cancel' }).click();
    await waiting().waitFor({ state: 'detached' });
    await goThrough(page, 'bob');
    await toast('came back from a sign-in').waitFor();
    await window.screenshot('sign-in-late');
    await row('as bob@example.com').waitFor();
  });

  it('the agent asks for it with a tool that shows the button, and has the tools once the person signed in', async () => {
    await signOut();
    await window.untilOffered('mcp_sign_in');
    const pages = window.page.context().pages().length;
    const asked = auth.seen.length;
    await window.send(signInCall);
    await toast('“team” needs a sign-in').waitFor();
    assert.match(await window.result(), /The user was shown the button to sign in to "team"/);
    await window.screenshot('sign-in-agent');
    assert.equal(window.page.context().pages().length, pages, 'nothing opens by itself');
    assert.equal(auth.seen.length, asked, 'nobody has asked the authorization server for anything');
    await window.answerNotification('Sign In');
    await goThrough(await openPage(), 'bob');
    await row('as bob@example.com').waitFor();
    await window.untilRequest((request) => !offeredNames(request).includes('mcp_sign_in'));
    await window.send(callTool('team__log'));
    await window.cardButton('Allow Once').click();
    assert.doesNotMatch(await window.result(), /denied|sign-in/);
  });

  it('in @mcp, /servers has a link and the model’s call a button, and either leads to the tools', async () => {
    await signOut();
    await sendChat(window.page, '@mcp /servers ');
    await answer('0 of 1 servers connected').getByText('Sign In', { exact: true }).click();
    await goThrough(await openPage(), 'bob');
    await row('as bob@example.com').waitFor();
    await signOut();
    window.script(signInCall, { text: 'asked for it.' });
    await sendChat(window.page, 'use the server of the team');
    const button = answer('asked for it.').getByRole('button', { name: 'Sign In', exact: true });
    await button.waitFor();
    await window.screenshot('sign-in-participant');
    assert.equal(window.page.context().pages().length, 1, 'nothing opens by itself');
    await button.click();
    await goThrough(await openPage(), 'bob');
    await row('as bob@example.com').waitFor();
    window.script(callTool('team__log'), { text: 'called it.' });
    await sendChat(window.page, 'call the tool of it');
    await window.cardButton('Allow Once').click();
    await answer('called it.').waitFor();
  });

  it('in a browser that can’t come back: the link is copied, and the address where that browser ends is pasted', async () => {
    await signOut();
    await clickAction(pane(window, 'Activity').locator('.monaco-list-row', { hasText: 'Needs sign-in' }), 'Sign In');
    await window.pickRow('Copy the Link and Paste the Address').click();
    const box = window.page.getByPlaceholder('Paste the address');
    await box.waitFor();
    const link = await window.clipboard();
    assert.ok(link.startsWith(`${auth.issuer}/auth?`), link);
    // Another computer's browser: it has no cookies of this one, and nobody listens where it ends.
    let end = '';
    await followLinks(link, (next) => {
      if (next.pathname.startsWith('/interaction/')) next.searchParams.set('as', 'alice');
      if (!next.searchParams.has('code')) return next;
      end = next.href;
      return undefined;
    });
    const message = window.page.locator('.quick-input-widget .quick-input-message');
    const state = new URL(end).searchParams.get('state') ?? '';
    for (const [text, said] of [
      ['hello', 'no address that a sign-in ends at'],
      [link, 'The address is incomplete'],
      [end.replace(state, 'x'.repeat(state.length)), 'belongs to another sign-in'],
    ] as const) {
      await box.fill(text);
      await box.press('Enter');
      await message.filter({ hasText: said }).waitFor();
    }
    assert.equal(await box.getAttribute('type'), 'password', 'the code isn’t shown');
    await window.screenshot('sign-in-paste');
    await box.fill(end);
    await box.press('Enter');
    await row('as alice@example.com').waitFor();
    await waiting().waitFor({ state: 'detached' });
    await window.screenshot('sign-in-pasted');
  });

  it('cancelled in the browser, and with the browser closed, it is as before', async () => {
    await signOut();
    await clickSignIn('team', 'Needs sign-in');
    const refusing = await openPage();
    await agree(refusing, 'nobody', () =>
      refusing
        .getByText('was not granted', { exact: false })
        .or(refusing.getByText('You can close this page now'))
        .first()
        .isVisible()
        .catch(() => false),
    );
    await refusing.screenshot({ path: 'out/screenshots/sign-in-page-refused.png' });
    await refusing.close();
    await waiting().waitFor({ state: 'detached' });
    await window.screenshot('sign-in-refused');
    await clickSignIn('team', 'Needs sign-in');
    await (await openPage()).close();
    await waiting().waitFor();
    // Nobody knows that the page is gone: the person tries again, which ends the first wait.
    await clickSignIn('team', 'Needs sign-in');
    const page = await openPage();
    // Whoever is signed in in the browser.
    await goThrough(page, 'bob');
    await row(SOMEBODY).waitFor();
    await waiting().waitFor({ state: 'detached' });
  });

  it('a server that restarts is connected again, with the account, and nobody is asked', async () => {
    const asked = auth.seen.length;
    await server.restart();
    await window.send(callTool('team__log'));
    await window.cardButton('Allow Once').click();
    await window.result();
    await row(SOMEBODY).waitFor();
    assert.deepEqual(
      auth.seen.slice(asked).filter((line) => line.startsWith('GET /auth')),
      [],
    );
  });

  it('a server over WebSockets is signed in to like any other', async () => {
    const socket = await ProtectedSocket.start(auth);
    others.push(socket);
    await add('socket', { type: 'ws', url: socket.url });
    await rowOf('socket', 'Needs sign-in').waitFor();
    await clickSignIn('socket', 'Needs sign-in');
    await window.pickRow('in the Browser').waitFor();
    assert.ok((await input().innerText()).includes(socket.resource), 'the server that gets access');
    await window.screenshot('sign-in-socket');
    await goThrough(await openPage(), 'bob');
    await rowOf('socket', SOMEBODY).waitFor();
    assert.equal(socket.accounts.length, 1);
    await window.send(callTool('socket__log'));
    await window.cardButton('Allow Once').click();
    assert.match(await window.result(), /logged/);
    // It opens anew with what is kept, and is refused nothing.
    const { refusals } = socket;
    socket.fixture.cut();
    await window.until(() => socket.accounts.length === 2);
    assert.equal(socket.refusals, refusals);
  });

  it('of a server that needs an account for some of its tools, the others stay, and the refused call leads to the sign-in', async () => {
    const open = await ProtectedServer.start(auth, {
      scopes: ['openid', 'read'],
      isPublic: (method, tool) => method !== 'tools/call' || tool !== 'log',
    });
    others.push(open);
    await add('open', { type: 'http', url: open.url });
    await rowOf('open', '8 tools').waitFor();
    await window.send(callTool('open__log'));
    await window.cardButton('Allow Once').click();
    assert.match(await window.result(), /needs a sign-in.*MCP Switchboard: Sign In/s);
    await rowOf('open', '8 tools · some need a sign-in').waitFor();
    await toast('“open” needs a sign-in').waitFor();
    await window.screenshot('sign-in-some');
    await window.send(callTool('open__roots'));
    await window.cardButton('Allow Once').click();
    assert.doesNotMatch(await window.result(), /sign-in/);
    await clickSignIn('open', 'some need a sign-in');
    await goThrough(await openPage(), 'bob');
    await rowOf('open', SOMEBODY).waitFor();
    await window.send(callTool('open__log'));
    await window.cardButton('Allow Once').click();
    assert.match(await window.result(), /logged/);
    await window.screenshot('signed-in-some');
  });

  it('an authorization server that registers nobody: the client is asked for, with the address to register; Reset Registration forgets all', async () => {
    registersNobody = true;
    await window.runOnServer('Reset Registration…', 'Select a server to forget the registration of', 'team');
    await window.dialogButton('Reset Registration').click();
    await row('Needs sign-in').waitFor();
    await clickSignIn('team', 'Needs sign-in');
    const asked = input().getByText('It refused to register this client.');
    await asked.waitFor();
    const text = (await input().innerText()).replaceAll(/\s+/g, ' ');
    const { host } = new URL(window.page.url());
    for (const part of [auth.issuer, host, 'vscode-reqid']) assert.ok(text.includes(part), `${part} in ${text}`);
    await window.screenshot('sign-in-client');
    await window.fillBox('client-of-the-team');
    await window.page.keyboard.press('Enter');
    await input().getByText('Leave it empty').waitFor();
    await window.page.keyboard.press('Enter');
    await window.pickRow('in the Browser').waitFor();
    await window.page.keyboard.press('Escape');
    await row('Needs sign-in').waitFor();
    assert.ok(!auth.seen.some((line) => line.startsWith('GET /auth') && line.includes('client-of-the-team')));
    registersNobody = false;
    // What the person gave is forgotten, too.
    await window.runOnServer('Reset Registration…', 'Select a server to forget the registration of', 'team');
    await window.dialogButton('Reset Registration').click();
    await clickSignIn('team', 'Needs sign-in');
    await goThrough(await openPage(), 'bob');
    await row(SOMEBODY).waitFor();
  });

  it('without a network, a sign-in says so, and costs no account', async () => {
    await auth.close();
    await window.runOnServer('Sign In as…', 'Select a server to sign in to as somebody else', 'team');
    await toast("can't be reached to sign in").waitFor();
    await window.screenshot('sign-in-offline');
    await row(SOMEBODY).waitFor();
  });

  it('and nothing that is shown, logged, kept or run has a secret of it', async () => {
    const { sweep } = auth;
    const kinds = ['access_token', 'refresh_token', 'id_token', 'code', 'code_verifier'];
    assert.deepEqual(
      kinds.filter((kind) => !sweep.kinds.includes(kind)),
      [],
    );
    await row(SOMEBODY).click();
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('Control+I');
    const tooltip = window.page.locator('.monaco-hover:visible', { hasText: '@example.com' });
    await tooltip.waitFor();
    await window.screenshot('sign-in-tooltip');
    sweep.look('the tooltip', await tooltip.innerHTML());
    sweep.look('the window', await window.page.content());
    sweep.look('what the model was sent', window.requests());
    sweep.look('what the editor printed', window.editor.output());
    sweep.look('what the page keeps', await window.page.evaluate(keptInPage));
    sweep.lookInFiles('the data of the editor', window.editor.dataDir);
    sweep.lookInFiles('the workspace', window.folder);
    sweep.lookAtProcesses();
    sweep.assertClean();
  });
});

/** Runs in the page: all that the editor keeps there but its secrets. */
async function keptInPage(): Promise<string> {
  const { indexedDB, localStorage } = globalThis as unknown as PageStores;
  const done = <T>(request: PageRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error('not read'));
    });
  const all: unknown[] = Object.entries(localStorage).filter(([name]) => name !== 'secrets.provider');
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      all.push([name, store, await done(database.transaction(store).objectStore(store).getAll())]);
    database.close();
  }
  return JSON.stringify(all);
}

interface PageRequest<T> {
  readonly result: T;
  onsuccess: () => void;
  onerror: () => void;
}

interface PageStores {
  readonly localStorage: object;
  readonly indexedDB: {
    databases(): Promise<readonly { readonly name: string }[]>;
    open(name: string): PageRequest<{
      readonly objectStoreNames: Iterable<string>;
      close(): void;
      transaction(store: string): { objectStore(store: string): { getAll(): PageRequest<unknown> } };
    }>;
  };
}
