import type { AgentWindow } from '../../support/agentWindow.ts';
import { offeredNames, type ModelRequest } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { pageNamed } from '../../support/webPages.ts';

const LIST_NOTES = 'mcp__notes__list_notes';
const OVERVIEW = 'mcp__switchboard__list_servers';

export function exposure(useWindow: UseSharedWindow): void {
  describe('the agent and the smallest model that can be picked', () => {
    let window: AgentWindow;
    useWindow({}, (opened) => {
      window = opened;
    });

    const has =
      (wanted: string, unwanted: string) =>
      (request: ModelRequest): boolean =>
        offeredNames(request).includes(wanted) && !offeredNames(request).includes(unwanted);

    /** Opens the budget, and resolves when it says so. */
    async function budgetSays(wanted: RegExp, screenshot: string): Promise<void> {
      await window.runCommand('MCP Switchboard: Show Context Budget');
      const frame = await pageNamed(window, 'Context Budget');
      await frame.locator('p', { hasText: wanted }).waitFor();
      await window.screenshot(screenshot);
    }

    it('a model with room for the definitions has the tools natively, and the reason is shown', async () => {
      await window.untilRequest(has(LIST_NOTES, OVERVIEW));
      await budgetSays(/native\. .*less than a tenth of the model's 100000\./, 'exposure-native');
    });

    it('once there is a model with less, they are found by search', async () => {
      await window.capabilities({ smallerContext: 3_000 });
      await window.untilRequest(has(OVERVIEW, LIST_NOTES));
      await budgetSays(/search\. .*at least a tenth of the model's 3000\./, 'exposure-search');
    });

    it('and natively again once it is gone', async () => {
      await window.capabilities({});
      await window.untilRequest(has(LIST_NOTES, OVERVIEW));
    });
  });
}
