import type { AgentWindow } from '../../support/agentWindow.ts';
import { offeredNames, type ModelRequest } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

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

    /** Opens the statistics, and resolves when they say so. */
    async function statisticsSay(wanted: RegExp, screenshot: string): Promise<void> {
      await window.runCommand('MCP Switchboard: Show Context Statistics');
      const lines = window.page.locator('.editor-instance .view-lines:visible').last();
      await window.until(async () => wanted.test((await lines.innerText()).replaceAll(/\s+/g, ' ')));
      await window.screenshot(screenshot);
    }

    it('a model with room for the definitions has the tools natively, and the reason is shown', async () => {
      await window.untilRequest(has(LIST_NOTES, OVERVIEW));
      await statisticsSay(/native\. .*less than a tenth of the model's 100000\./, 'exposure-native');
    });

    it('once there is a model with less, they are found by search', async () => {
      await window.capabilities({ smallerContext: 3_000 });
      await window.untilRequest(has(OVERVIEW, LIST_NOTES));
      await statisticsSay(/search\. .*at least a tenth of the model's 3000\./, 'exposure-search');
    });

    it('and natively again once it is gone', async () => {
      await window.capabilities({});
      await window.untilRequest(has(LIST_NOTES, OVERVIEW));
    });
  });
}
