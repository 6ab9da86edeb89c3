import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../../../scripts/lib/paths.mjs';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

const asks = (text: string, more: object = {}): object => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
  maxTokens: 100,
  ...more,
});

/** Has the agent call a tool; questions come up meanwhile. */
const callOn = (window: AgentWindow, tool: string, args: object, ...sampled: Step[]): Promise<void> =>
  window.send(callTool(`offers__${tool}`, args), ...sampled);

export function sampling(useWindow: UseSharedWindow): void {
  describe('a request to a model', () => {
    let window: AgentWindow;
    const call = (tool: string, args: object = {}, ...more: Step[]): Promise<void> =>
      callOn(window, tool, args, ...more);
    const input = (): Locator => window.page.locator('.quick-input-widget');
    const press = (key: string): Promise<void> => window.pressInBox(key);

    useWindow({ 'mcpSwitchboard.sampling.requestsPerHour': 4 }, (opened) => {
      window = opened;
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
      const { sampling, roots, elicitation } = JSON.parse(await window.result()) as Record<string, unknown>;
      assert.deepEqual(sampling, {});
      assert.ok(roots && elicitation);
    });

    it('is asked about with server, model and text; denied, the server is told', async () => {
      await call('think', { params }, sampled);
      await window.pickRow('Allow Once').waitFor();
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
      assert.match(await window.result(), /refused: .*The user denied/);
    });

    it('allowed always, the model answers, cut where the server says, with its name and why it ended', async () => {
      await call('think', { params }, sampled);
      await window.pickRow('Always Allow').click();
      const answer = JSON.parse(await window.result()) as Record<string, unknown>;
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
      assert.match(await window.result(), /It is 42\.STOP And more\./);
      // A server that looks at what it was told doesn't even send them; one that doesn't gets no further.
      const tools = [{ name: 'lookup', inputSchema: { type: 'object' } }];
      const before = window.requests().filter(({ prompt }) => prompt === 'What is six times seven?').length;
      await call('think', { params: { ...params, tools } }, sampled);
      assert.match(await window.result(), /refused: .*does not support sampling tools/);
      await call('think', { params: { ...params, tools }, rude: true }, sampled);
      assert.match(await window.result(), /refused: -32602 .*Tools in sampling requests are turned off here/);
      assert.equal(window.requests().filter(({ prompt }) => prompt === 'What is six times seven?').length, before);
      await window.runCommand('MCP Switchboard: Manage Permissions…');
      await window.pickRow('offers uses Demo Model').waitFor();
      await window.screenshot('sampling-permission');
      await window.pickRow('offers uses Demo Model').click();
      await call('think', { params }, sampled);
      await window.pickRow('Never Allow').click();
      assert.match(await window.result(), /refused: .*The user denied/);
    });

    it('over the hour’s budget it is refused without a question', async () => {
      await call('think', { params }, sampled);
      assert.match(await window.result(), /refused: .*allows 4 requests per hour/);
    });
  });
}

export function samplingOfMore(useWindow: UseSharedWindow): void {
  describe('a request to a model with more than text', () => {
    let window: AgentWindow;

    useWindow({ 'mcpSwitchboard.sampling.allowTools': true }, async (opened) => {
      window = opened;
      // A server is told what it may ask when it is connected.
      await window.runOnServer('Restart', 'Select a server to restart', 'offers');
      await window.until(async () => {
        await callOn(window, 'abilities', {});
        return /"sampling":\s*\{\s*"tools"/.test(await window.result());
      });
    });

    it('with tools, where they are allowed, is asked about with their names, and goes round until the model has its answer', async () => {
      await callOn(window, 'abilities', {});
      assert.deepEqual((JSON.parse(await window.result()) as Record<string, unknown>)['sampling'], { tools: {} });
      await callOn(
        window,
        'research',
        {},
        { sampled: { text: 'Let me see.', calls: [{ name: 'lookup', input: { of: 'Galdhøpiggen' } }] } },
        { sampled: { text: 'It is 2,469 m high.' } },
      );
      await window.pickRow('Allow in This Session').waitFor();
      assert.match(await window.page.locator('.quick-input-widget').innerText(), /Tools: lookup/);
      await window.screenshot('sampling-tools');
      await window.pickRow('Allow in This Session').click();
      assert.deepEqual(JSON.parse(await window.result()), { type: 'text', text: 'It is 2,469 m high.' });
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
      await callOn(window, 'think', { params: seeing }, { sampled: { text: 'A switch.' } });
      assert.match(await window.result(), /A switch\./);
      const sent = window.requests().find(({ sizes }) => sizes.length > 0);
      assert.deepEqual(sent?.data, ['image/png']);
      assert.deepEqual(sent?.sizes, [image.length]);
    });

    it('with an image is refused where no model takes one, before anybody is asked', async () => {
      await window.capabilities({ imageInput: false });
      await callOn(window, 'think', { params: seeing }, { sampled: { text: 'Never seen.' } });
      assert.match(await window.result(), /refused: -32602 .*No language model here accepts images/);
      await window.capabilities({});
    });

    it('that the server takes back ends the model’s answer, and its question', async () => {
      const waits: Step = { sampled: { waits: true } };
      await callOn(window, 'think', { params: asks('Think for ever.'), cancelAfterMs: 3_000 }, waits);
      assert.match(await window.result(), /refused: /);
      const cancelled = window.requests().filter((each) => each.cancelled === true);
      assert.deepEqual(
        cancelled.map(({ prompt }) => prompt),
        ['Think for ever.'],
      );
      await window.runCommand('MCP Switchboard: Manage Permissions…');
      await window.pickRow('offers uses Demo Model').click();
      await callOn(window, 'think', { params: asks('Never sent.'), cancelAfterMs: 3_000 }, waits);
      await window.pickRow('Allow Once').waitFor();
      assert.match(await window.result(), /refused: /);
      await window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      assert.ok(!window.requests().some(({ prompt }) => prompt === 'Never sent.'));
    });
  });
}
