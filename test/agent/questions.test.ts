import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../../scripts/lib/paths.mjs';
import { AgentWindow, type Step } from '../support/agentWindow.ts';

/** Puts the server that asks everything in the place of one of the demo's. */
function withOffers(folder: string): void {
  const file = join(folder, '.mcp.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: Record<string, unknown> };
  delete config.mcpServers['memory'];
  const server = join(root, 'test/fixtures/servers/offers.ts');
  config.mcpServers['offers'] = { command: process.execPath, args: [server] };
  writeFileSync(file, JSON.stringify(config));
}

describe('servers’ questions and requests to models', () => {
  let window: AgentWindow;
  let turn = 0;
  const input = (): Locator => window.page.locator('.quick-input-widget');
  const press = (key: string): Promise<void> => window.page.keyboard.press(key);
  const ending = (): string => `end of question turn ${turn}.`;
  /** Has the agent call a tool of the server; questions come up meanwhile. */
  const call = async (tool: string, args: object = {}, ...more: Step[]): Promise<void> => {
    turn += 1;
    await window.send(
      { call: { name: 'mcp_call_tool', input: { name: `mcp__offers__${tool}`, arguments: args } } },
      { text: ending() },
      ...more,
    );
  };
  const result = async (): Promise<string> => (await window.turnEnded(ending())).results[0]?.text ?? '';
  const runCommand = async (title: string): Promise<void> => {
    await press('F1');
    await input().locator('input').first().waitFor();
    await window.page.keyboard.type(`MCP Switchboard: ${title}`);
    await window.pickRow(title).click();
  };

  before(async function () {
    this.timeout(180_000);
    window = await AgentWindow.open({
      prepare: withOffers,
      settings: { 'mcpSwitchboard.sampling.requestsPerHour': 4 },
    });
    await window.hostWithSwitchboard();
  });

  after(async () => {
    await window?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot(`failed-questions-${turn}`);
  });

  describe('an address to open', () => {
    const SIGN_IN = 'https://xn--pple-43d.com:8443/sign-in?redirect=https%3A%2F%2Fa.example%2F%26b&state=1';

    it('is shown whole, with its host apart and what is odd about it; declined, nothing opens', async () => {
      await call('visit', { url: SIGN_IN });
      await window.pickRow('Decline').waitFor({ timeout: 60_000 });
      const text = await input().innerText();
      for (const part of [
        'The MCP server offers asks',
        'Open xn--pple-43d.com:8443 in the Browser',
        'аpple.com',
        'imitate another name',
        'not the usual port',
      ])
        assert.ok(text.includes(part), `${part} in ${text}`);
      // In lines, so that none is cut.
      assert.ok(text.replaceAll(/\s|Address/g, '').includes(SIGN_IN), text);
      await window.screenshot('address-question');
      // Enter does no harm.
      await press('Enter');
      assert.equal(await result(), 'visit: decline');
    });

    it('closed, it is cancelled', async () => {
      await call('visit', { url: SIGN_IN });
      await window.pickRow('Decline').waitFor({ timeout: 60_000 });
      await press('Escape');
      assert.equal(await result(), 'visit: cancel');
    });

    it('what is no address of the web is refused without a question', async () => {
      await call('visit', { url: 'file:///etc/passwd' });
      assert.equal(await result(), 'visit: decline');
    });

    it('opened, it is opened as it was, and the wait for it is shown until the server says that it is done', async () => {
      await call('visit', { url: SIGN_IN });
      await window.pickRow('Open xn--pple-43d.com').click({ timeout: 60_000 });
      const context = window.page.context();
      const asked = context.waitForEvent('request', { predicate: (request) => request.url().includes('sign-in') });
      const opened = context.waitForEvent('page');
      await window.dialogButton('Open').click();
      const [request, popup] = await Promise.all([asked, opened]);
      const waiting = window.page.locator('.notification-toast', { hasText: 'waits until you are done at xn--pple' });
      await waiting.waitFor();
      await window.screenshot('address-waiting');
      assert.equal(request.url(), SIGN_IN);
      await popup.close();
      assert.equal(await result(), 'visit: accept');
      await waiting.waitFor({ state: 'detached', timeout: 15_000 });
    });

    it('that a call needs is asked for, and the model is told to call again', async () => {
      await call('visit', { url: SIGN_IN, required: true });
      await window.pickRow('Decline').click({ timeout: 60_000 });
      assert.match(await result(), /needs something done in the browser, which the person didn't open/);
    });
  });

  describe('a form', () => {
    it('checks each field, goes back, and comes back whole', async () => {
      await call('form');
      await window.pickRow('Answer…').click({ timeout: 60_000 });
      await input().getByText('offers asks: Mail * (1/5)').waitFor();
      await window.page.keyboard.type('nobody');
      await press('Enter');
      await input().getByText('Not in the form email.').waitFor();
      await window.page.keyboard.type('@example.com');
      await press('Enter');
      await input().getByText('Age (2/5)').waitFor();
      await press('Control+A');
      await window.page.keyboard.type('17');
      await input().getByText('At least 18.').waitFor();
      await window.page.keyboard.press('Backspace');
      await window.page.keyboard.type('8');
      await press('Enter');
      await input().getByText('Size (3/5)').waitFor();
      await window.page.locator('.quick-input-titlebar .codicon-quick-input-back').click();
      await input().getByText('Age (2/5)').waitFor();
      await press('Enter');
      await input().getByText('Size (3/5)').waitFor();
      await press('Enter');
      await input().getByText('Colours * (4/5)').waitFor();
      await press('Enter');
      await input().getByText('Choose 1 to 2.').waitFor();
      await window.pickRow('green').click();
      await window.pickRow('blue').click();
      await window.screenshot('form-choices');
      await press('Enter');
      await input().getByText('News (5/5)').waitFor();
      await press('Enter');
      assert.equal(
        await result(),
        'form: accept {"mail":"nobody@example.com","age":18,"size":"M","colours":["green","blue"],"news":true}',
      );
    });

    it('declined in the middle, it is declined; closed there, it is cancelled', async () => {
      await call('form');
      await window.pickRow('Answer…').click({ timeout: 60_000 });
      await input().getByText('Mail * (1/5)').waitFor();
      await window.page.locator('.quick-input-titlebar .codicon-circle-slash').click();
      assert.equal(await result(), 'form: decline null');
      await call('form');
      await window.pickRow('Answer…').click({ timeout: 60_000 });
      await input().getByText('Mail * (1/5)').waitFor();
      await press('Escape');
      assert.equal(await result(), 'form: cancel null');
    });
  });

  describe('a request to a model', () => {
    const params = {
      messages: [{ role: 'user', content: { type: 'text', text: 'What is six times seven?' } }],
      systemPrompt: 'Be brief.',
      maxTokens: 100,
      temperature: 0.2,
      stopSequences: ['STOP'],
      modelPreferences: { hints: [{ name: 'demo' }], intelligencePriority: 0.5 },
    };
    const sampled: Step = { sampled: { text: 'It is 42.STOP And more.' } };

    it('can be made where the editor has a model', async () => {
      await call('abilities');
      const { sampling, roots, elicitation } = JSON.parse(await result()) as Record<string, unknown>;
      assert.deepEqual(sampling, {});
      assert.ok(roots && elicitation);
    });

    it('is asked about with server, model and text; denied, the server is told', async () => {
      await call('think', { params }, sampled);
      await window.pickRow('Allow Once').waitFor({ timeout: 60_000 });
      const text = await input().innerText();
      for (const part of [
        'offers',
        'Demo Model (scripted)',
        'user: What is six times seven?',
        'system: Be brief.',
        '100',
      ])
        assert.ok(text.includes(part), `${part} in ${text}`);
      await window.screenshot('sampling-question');
      await press('Enter');
      assert.match(await result(), /refused: .*The person refused/);
    });

    it('allowed always, the model answers, cut where the server says, with its name and why it ended', async () => {
      await call('think', { params }, sampled);
      await window.pickRow('Always Allow').click({ timeout: 60_000 });
      const answer = JSON.parse(await result()) as Record<string, unknown>;
      assert.deepEqual(answer, {
        model: 'demo-model',
        role: 'assistant',
        content: { type: 'text', text: 'It is 42.' },
        stopReason: 'stopSequence',
      });
      const sent = window.requests().find(({ prompt }) => prompt === 'What is six times seven?');
      assert.deepEqual(sent?.offered, []);
      assert.deepEqual(sent?.modelOptions, { max_tokens: 100, temperature: 0.2, stop: ['STOP'] });
    });

    it('then is not asked about again, until that is taken back; tools are refused', async () => {
      await call('think', { params: { ...params, stopSequences: [] } }, sampled);
      assert.match(await result(), /It is 42\.STOP And more\./);
      const tools = [{ name: 'lookup', inputSchema: { type: 'object' } }];
      await call('think', { params: { ...params, tools } }, sampled);
      assert.match(await result(), /refused: /);
      await runCommand('Manage Permissions…');
      await window.pickRow('offers · Demo Model').waitFor();
      await window.screenshot('sampling-permission');
      await window.pickRow('offers · Demo Model').click();
      await call('think', { params }, sampled);
      await window.pickRow('Never Allow').click({ timeout: 60_000 });
      assert.match(await result(), /refused: .*The person refused/);
    });

    it('over the hour’s budget it is refused without a question', async () => {
      await call('think', { params }, sampled);
      assert.match(await result(), /refused: .*allows 4 requests an hour/);
    });
  });
});

describe('a request to a model that is to be reviewed', () => {
  let window: AgentWindow;

  before(async function () {
    this.timeout(180_000);
    window = await AgentWindow.open({
      prepare: withOffers,
      settings: {
        'mcpSwitchboard.sampling.review': 'both',
      },
    });
    await window.hostWithSwitchboard();
  });

  after(async () => {
    await window?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot('failed-review');
  });

  it('is sent as the person changed it, and the answer goes on as they changed it', async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'my secret plan' } }];
    const params = { messages, maxTokens: 50, modelPreferences: { hints: [{ name: 'demo' }] } };
    const input = { name: 'mcp__offers__think', arguments: { params } };
    const ending = 'end of the reviewed turn.';
    await window.send(
      { call: { name: 'mcp_call_tool', input } },
      { text: ending },
      { sampled: { text: 'the model says so' } },
    );
    await window.pickRow('Allow Once').click({ timeout: 60_000 });
    const editor = window.page.locator('.editor-group-container .monaco-editor .view-lines');
    const sending = window.page.locator('.quick-input-widget').getByText('Send', { exact: true });
    // Below the list, which lies over the first lines.
    const focusEditor = (): Promise<void> => editor.first().click({ position: { x: 200, y: 500 } });
    await editor.getByText('my secret plan').waitFor();
    await window.screenshot('sampling-review');
    // A double click in the middle takes the middle word.
    await editor.getByText('my secret plan').dblclick();
    await window.page.keyboard.insertText('harmless');
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type('x');
    await sending.click();
    await window.pickRow('no JSON').waitFor();
    await focusEditor();
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.press('Backspace');
    await sending.click();
    await editor.getByText('the model says so').waitFor();
    await window.page.getByPlaceholder('Give the server what the document says').waitFor();
    await focusEditor();
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.insertText('the person says so');
    await sending.click();
    const { results } = await window.turnEnded(ending);
    assert.match(results[0]?.text ?? '', /"text":"the person says so"/);
    const prompts = window.requests().map(({ prompt }) => prompt);
    assert.ok(prompts.includes('my harmless plan'));
    assert.ok(!prompts.includes('my secret plan'));
    assert.equal(await window.page.locator('.tabs-container .tab').count(), 0);
  });
});
