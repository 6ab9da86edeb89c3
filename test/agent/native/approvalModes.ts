import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import { chatButton } from '../../../scripts/lib/browser.mjs';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

const TOOL = 'mcp__notes__delete_note';

/** Where the broker's question about a destructive call comes up: an elicitation's form, a card, or a list. */
type Place = 'form' | 'card' | 'list';

export function approvalModes(useWindow: UseSharedWindow): void {
  describe('a destructive call is asked about exactly once', () => {
    let window: AgentWindow;
    let turn = 0;

    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
      await window.untilOffered(TOOL);
    });

    /** What asks now, wherever it is. */
    async function open(): Promise<readonly Place[]> {
      const list = window.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: 'Allow Once' });
      const places: readonly (readonly [Place, Locator])[] = [
        ['form', chatButton(window.page, 'Submit')],
        ['card', chatButton(window.page, 'Allow Once')],
        ['list', list],
      ];
      const found: Place[] = [];
      for (const [place, locator] of places)
        for (let count = await locator.count(); count > 0; count -= 1) found.push(place);
      return found;
    }

    function answer(place: Place): Locator {
      const { page } = window;
      if (place === 'list') return window.pickRow('Allow Once');
      if (place === 'card') return window.cardButton('Allow Once');
      return page.locator('.interactive-session').getByText('Allow Once', { exact: true }).last();
    }

    /** Has the tool called and allows it where it is asked about. A second question would keep the turn from ending. */
    async function asksOnce(step: (args: object) => Step, where: Place, shot: string): Promise<void> {
      turn += 1;
      const title = `note-${turn}`;
      await window.send(step({ title }));
      await answer(where).waitFor();
      await window.screenshot(`approval-${shot}`);
      assert.deepEqual(await open(), [where]);
      const before = window.requests().length;
      assert.equal(window.requests().at(-1)?.results.length, 0, 'nothing came back before the answer');
      await answer(where).click();
      await window.turnEnded();
      const [next] = window.requests().slice(before);
      assert.match(next?.results[0]?.text ?? '', new RegExp(`There is no note "${title}"`));
      assert.deepEqual(await open(), []);
    }

    const native = (input: object): Step => ({ call: { name: TOOL, input } });
    const throughLmTool = (input: object): Step => callTool('notes__delete_note', input);

    it('with default permissions', async () => {
      await asksOnce(native, 'form', 'default-native');
      await asksOnce(throughLmTool, 'card', 'default-tool');
    });

    it('under Allow all, where the editor answers its own questions by itself', async () => {
      await window.choosePermissions('Allow all');
      await asksOnce(native, 'form', 'allow-all-native');
      await asksOnce(throughLmTool, 'list', 'allow-all-tool');
    });

    it('under Autopilot', async () => {
      await window.choosePermissions('Autopilot');
      await asksOnce(native, 'form', 'autopilot-native');
      await asksOnce(throughLmTool, 'list', 'autopilot-tool');
    });

    it('with chat.tools.global.autoApprove', async () => {
      await window.choosePermissions('Default permissions');
      await window.changeSettings({ 'chat.tools.global.autoApprove': true });
      // The editor warns once, with the first call, that it approves everything by itself now.
      await window.send({ call: { name: 'mcp_tool_list', input: {} } });
      await window.dialogButton('Enable').click();
      await window.turnEnded();
      await asksOnce(native, 'form', 'global-native');
      // Here the editor leaves our card to the user.
      await asksOnce(throughLmTool, 'card', 'global-tool');
    });
  });
}
