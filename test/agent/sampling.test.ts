import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../../scripts/lib/paths.mjs';
import { AgentWindow, type Step } from '../support/agentWindow.ts';
import { withOffers } from '../support/offersServer.ts';

/** A window whose agent calls tools of the server that asks models. */
class Rig {
  window!: AgentWindow;
  #turn = 0;

  async open(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.window = await AgentWindow.open({ prepare: withOffers, settings });
    await this.window.hostWithSwitchboard();
  }

  input(): Locator {
    return this.window.page.locator('.quick-input-widget');
  }

  /** Has the agent call a tool; questions come up meanwhile. */
  async call(tool: string, args: object, ...sampled: Step[]): Promise<void> {
    this.#turn += 1;
    await this.window.send(
      { call: { name: 'mcp_call_tool', input: { name: `mcp__offers__${tool}`, arguments: args } } },
      { text: this.#ending },
      ...sampled,
    );
  }

  async result(): Promise<string> {
    return (await this.window.turnEnded(this.#ending)).results[0]?.text ?? '';
  }

  get #ending(): string {
    return `end of sampling turn ${this.#turn}.`;
  }

  async runCommand(title: string): Promise<void> {
    await this.window.page.keyboard.press('F1');
    await this.input().locator('input').first().waitFor();
    await this.window.page.keyboard.type(`MCP Switchboard: ${title}`);
    await this.window.pickRow(title).click();
  }

  screenshotOfFailure(): Promise<void> {
    return this.window?.screenshot(`failed-sampling-${this.#turn}`);
  }
}

const asks = (text: string, more: object = {}): object => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
  maxTokens: 100,
  ...more,
});

describe('a request to a model', () => {
  const rig = new Rig();
  let window: AgentWindow;
  const call = (tool: string, args: object = {}, ...more: Step[]): Promise<void> => rig.call(tool, args, ...more);
  const result = (): Promise<string> => rig.result();
  const input = (): Locator => rig.input();
  const press = (key: string): Promise<void> => window.page.keyboard.press(key);

  before(async function () {
    this.timeout(180_000);
    await rig.open({ 'mcpSwitchboard.sampling.requestsPerHour': 4 });
    ({ window } = rig);
  });

  after(async () => {
    await window?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await rig.screenshotOfFailure();
  });

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
    // A server that looks at what it was told doesn't even send them; one that doesn't gets no further.
    const tools = [{ name: 'lookup', inputSchema: { type: 'object' } }];
    const before = window.requests().filter(({ prompt }) => prompt === 'What is six times seven?').length;
    await call('think', { params: { ...params, tools } }, sampled);
    assert.match(await result(), /refused: .*does not support sampling tools/);
    await call('think', { params: { ...params, tools }, rude: true }, sampled);
    assert.match(await result(), /refused: -32602 .*Tools in sampling are not allowed here/);
    assert.equal(window.requests().filter(({ prompt }) => prompt === 'What is six times seven?').length, before);
    await rig.runCommand('Manage Permissions…');
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

describe('a request to a model with more than text', () => {
  const rig = new Rig();
  let window: AgentWindow;

  before(async function () {
    this.timeout(180_000);
    await rig.open({ 'mcpSwitchboard.sampling.allowTools': true });
    ({ window } = rig);
  });

  after(async () => {
    await window?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await rig.screenshotOfFailure();
  });

  it('with tools, where they are allowed, is asked about with their names, and goes round until the model has its answer', async () => {
    await rig.call('abilities', {});
    assert.deepEqual((JSON.parse(await rig.result()) as Record<string, unknown>)['sampling'], { tools: {} });
    await rig.call(
      'research',
      {},
      { sampled: { text: 'Let me see.', calls: [{ name: 'lookup', input: { of: 'Galdhøpiggen' } }] } },
      { sampled: { text: 'It is 2,469 m high.' } },
    );
    await window.pickRow('Allow in This Session').waitFor({ timeout: 60_000 });
    assert.match(await rig.input().innerText(), /with tools: lookup/);
    await window.screenshot('sampling-tools');
    await window.pickRow('Allow in This Session').click();
    assert.deepEqual(JSON.parse(await rig.result()), { type: 'text', text: 'It is 2,469 m high.' });
    const [first, second] = window.requests().filter(({ prompt }) => prompt === 'How high is it?');
    assert.deepEqual(
      first?.offered.map(({ name }) => name),
      ['lookup'],
    );
    assert.deepEqual(
      second?.results.map(({ text }) => text),
      ['Galdhøpiggen: 2,469 m'],
    );
  });

  const image = readFileSync(join(root, 'media', 'icon.png'));
  const seeing = {
    messages: [
      { role: 'user', content: { type: 'text', text: 'What is it?' } },
      { role: 'user', content: { type: 'image', mimeType: 'image/png', data: image.toString('base64') } },
    ],
    maxTokens: 100,
  };

  it('with an image takes it to the model whole', async () => {
    await rig.call('think', { params: seeing }, { sampled: { text: 'A switch.' } });
    assert.match(await rig.result(), /A switch\./);
    const sent = window.requests().find(({ sizes }) => sizes.length > 0);
    assert.deepEqual(sent?.data, ['image/png']);
    assert.deepEqual(sent?.sizes, [image.length]);
  });

  it('with an image is refused where no model takes one, before anybody is asked', async () => {
    window.capabilities({ imageInput: false });
    await window.page.waitForTimeout(1_500);
    await rig.call('think', { params: seeing }, { sampled: { text: 'Never seen.' } });
    assert.match(await rig.result(), /refused: -32602 .*No language model here takes images/);
    window.capabilities({});
    await window.page.waitForTimeout(1_500);
  });

  it('that the server takes back ends the model’s answer, and its question', async () => {
    const waits: Step = { sampled: { waits: true } };
    await rig.call('think', { params: asks('Think for ever.'), cancelAfterMs: 3_000 }, waits);
    assert.match(await rig.result(), /refused: /);
    const cancelled = window.requests().filter((each) => each.cancelled === true);
    assert.deepEqual(
      cancelled.map(({ prompt }) => prompt),
      ['Think for ever.'],
    );
    await rig.runCommand('Manage Permissions…');
    await window.pickRow('offers · Demo Model').click();
    await rig.call('think', { params: asks('Never sent.'), cancelAfterMs: 3_000 }, waits);
    await window.pickRow('Allow Once').waitFor({ timeout: 60_000 });
    assert.match(await rig.result(), /refused: /);
    await rig.input().waitFor({ state: 'hidden' });
    assert.ok(!window.requests().some(({ prompt }) => prompt === 'Never sent.'));
  });
});
