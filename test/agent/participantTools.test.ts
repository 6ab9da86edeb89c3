import { strict as assert } from 'node:assert';
import { sendChat, waitForModel } from '../../scripts/lib/browser.mjs';
import { AgentWindow } from '../support/agentWindow.ts';

describe('@mcp with few tools for the model’s context', () => {
  let window: AgentWindow;

  before(async function () {
    this.timeout(180_000);
    window = await AgentWindow.open();
    await window.hostWithSwitchboard();
    await waitForModel(window.page, 'Demo', { timeoutMs: 90_000 });
  });

  after(async () => {
    await window?.close();
  });

  it('the model has all of them, and the search', async () => {
    window.script({ text: 'that was all.' });
    await sendChat(window.page, '@mcp hello ');
    const { offered } = await window.turnEnded('that was all.');
    const names = offered.map(({ name }) => name);
    assert.ok(names.includes('mcp_tool_search'));
    for (const name of ['mcp__filesystem__read_text_file', 'mcp__notes__add_note', 'mcp__everything__echo'])
      assert.ok(names.includes(name), name);
    // It has one more where it knows in time that models can be asked.
    const ours = names.filter(
      (name) => name.startsWith('mcp__') && name !== 'mcp__everything__trigger-sampling-request',
    );
    assert.equal(ours.length, 43);
  });
});
