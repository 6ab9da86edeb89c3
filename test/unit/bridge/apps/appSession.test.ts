import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { AppBrowser, AppRig, pageThat, sessionOf } from '../../../support/appRig.ts';
import { eventually } from '../../../support/eventually.ts';

describe('an app in its own frame', function () {
  this.timeout(120_000);
  let rig: AppRig;
  let browser: AppBrowser;

  before(async () => {
    rig = new AppRig();
    await rig.start();
    browser = await AppBrowser.launch();
  });
  after(async () => {
    await browser.close();
    await rig.stop();
  });

  it('gets the arguments, the whole result with what is for apps alone, and what the host can do', async () => {
    rig.setPage(pageThat('return host;'), { csp: { connectDomains: ['https://api.example.com'] } });
    const drawn = await browser.draw(rig);
    const host = JSON.parse(await drawn.text('done')) as Record<string, Record<string, unknown>>;
    assert.deepEqual(JSON.parse(await drawn.text('input')), { arguments: { of: 'show' } });
    assert.deepEqual(JSON.parse(await drawn.text('result')), {
      content: [{ type: 'text', text: 'result of show' }],
      structuredContent: { name: 'show' },
      _meta: { 'test/only-for-apps': true },
      isError: false,
    });
    assert.deepEqual(host['hostCapabilities'], {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      message: { text: {} },
      sandbox: {
        csp: { connectDomains: ['https://api.example.com'], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
        permissions: {},
      },
    });
    const context = host['hostContext']!;
    assert.equal(context['theme'], 'dark');
    assert.deepEqual(context['toolInfo'], { tool: { name: 'show', inputSchema: { type: 'object' } } });
    assert.deepEqual(context['availableDisplayModes'], ['inline', 'fullscreen']);
    // Nothing that an app may ask for is silent about it.
    assert.equal(host['protocolVersion'], '2026-01-26');
  });

  it('calls its server’s tools, reads its resources and lists them, and is told what isn’t there', async () => {
    rig.setPage(
      pageThat(`return {
        called: await ask('tools/call', { name: 'for_app', arguments: {} }),
        read: (await ask('resources/read', { uri: 'ui://tools/text' })).contents,
        listed: await ask('resources/list'),
        unknown: (await ask('ui/update-model-context', { content: [] })).code,
        mode: await ask('ui/request-display-mode', { mode: 'fullscreen' }),
        pip: await ask('ui/request-display-mode', { mode: 'pip' }),
      };`),
    );
    const drawn = await browser.draw(rig);
    const done = JSON.parse(await drawn.text('done')) as Record<string, unknown>;
    assert.deepEqual(done, {
      called: {
        content: [{ type: 'text', text: 'result of for_app' }],
        structuredContent: { name: 'for_app' },
        _meta: { 'test/only-for-apps': true },
        isError: false,
      },
      read: [{ uri: 'ui://tools/text', mimeType: 'text/plain', text: 'no page' }],
      listed: { resources: [] },
      unknown: -32601,
      mode: { mode: 'fullscreen' },
      pip: { mode: 'fullscreen' },
    });
    await drawn.view.locator('body.fullscreen').waitFor();
    const { history } = rig.test.host.calls;
    const call = history.entries.find(({ tool }) => tool === 'mcp__tools__for_app');
    assert.deepEqual([call?.surface, call?.caller], ['app', 'show']);
  });

  it('asks the user for links and messages, and says what came of it', async () => {
    rig.setPage(
      pageThat(`return [
        await ask('ui/open-link', { url: 'https://example.com/a' }),
        await ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'hello' }] }),
        await ask('ui/message', { role: 'user', content: [{ type: 'image', data: '', mimeType: 'image/png' }] }),
      ];`),
    );
    const asked: string[] = [];
    const drawn = await browser.draw(rig, {
      openLink: async (address) => asked.push(address) > 0,
      writeIntoChat: async (text) => (asked.push(text), false),
    });
    assert.deepEqual(JSON.parse(await drawn.text('done')), [{ isError: false }, { isError: true }, { isError: true }]);
    assert.deepEqual(asked, ['https://example.com/a', 'hello']);
  });

  it('is sent nothing but answers before it has begun, and then the context as it is', async () => {
    const told: JsonObject[] = [];
    const { session, say } = sessionOf(rig, told, false);
    session.setContext({ theme: 'light' });
    const appInfo = { name: 'page', version: '1' };
    say({ id: 0, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} } });
    await eventually('the answer', () => told.length > 0);
    session.setContext({ theme: 'dark' });
    assert.deepEqual(
      told.map(({ id, method }) => id ?? method),
      [0],
    );
    say({ method: 'ui/notifications/initialized', params: {} });
    await eventually('the result', () => told.length === 4);
    assert.deepEqual(
      told.slice(1).map(({ method }) => method),
      ['host-context-changed', 'tool-input', 'tool-result'].map((each) => `ui/notifications/${each}`),
    );
    assert.match(JSON.stringify(told[1]), /"theme":"dark"/);
    session.dispose();
  });

  it('is told before another is drawn in its place, and waited for, but not for long', async () => {
    for (const answers of [true, false]) {
      const told: JsonObject[] = [];
      const { session, say } = sessionOf(rig, told);
      await eventually('the result', () => told.some(({ method }) => method === 'ui/notifications/tool-result'));
      const ended = session.end();
      const teardown = await eventually('it', () => told.find(({ method }) => method === 'ui/resource-teardown'));
      if (answers) say({ id: teardown['id'] ?? null, result: {} });
      await ended;
      told.length = 0;
      say({ id: 5, method: 'ping' });
      assert.deepEqual(told, []);
    }
  });

  it('that fills its window and says how high it is keeps its height', async () => {
    rig.setPage(
      pageThat(
        `
        let told = 0;
        const tell = () => { told += 1; send({ method: 'ui/notifications/size-changed', params: { height: Math.ceil(document.documentElement.getBoundingClientRect().height) } }); };
        new ResizeObserver(tell).observe(document.documentElement);
        addEventListener('resize', tell);
        tell();
        for (let turn = 0; turn < 10; turn++) await ask('ping');
        return [innerHeight, told];`,
        '<style>html, body { height: 100%; margin: 0 }</style>',
      ),
    );
    const drawn = await browser.draw(rig);
    const [height, told] = JSON.parse(await drawn.text('done')) as readonly [number, number];
    assert.equal(height, 400);
    assert.ok(told < 5, String(told));
  });

  it('that never starts is said to, and its result stays readable', async () => {
    rig.setPage('<p>no script</p>');
    const drawn = await browser.draw(rig);
    await drawn.app();
    assert.equal(await drawn.view.locator('#result-text').textContent(), 'as text');
    await drawn.page.clock.fastForward(16_000);
    assert.equal(await drawn.failure(), 'silent');
  });
});
