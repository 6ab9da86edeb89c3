import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ODD_TOOLS } from '../../fixtures/catalog/odd-schemas.mjs';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { ODD_TOOLS_FILE } from '../../support/fewServers.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

// The editor puts tools of others into groups when there are more than 64 in all, so not all of them at once.
const TURNS = [ODD_TOOLS.slice(0, 16), ODD_TOOLS.slice(16, 30), ODD_TOOLS.slice(30)];

export function catalog(useWindow: UseSharedWindow): void {
  describe('the agent with tools of odd schemas', () => {
    let window: AgentWindow;

    useWindow(
      {
        'mcpSwitchboard.toolExposure': 'search',
        'mcpSwitchboard.alwaysLoadTools': ['odd/*'],
        // The lists that follow each other here are no changes that anybody is to review.
        'mcpSwitchboard.toolPinning': 'off',
      },
      (opened) => {
        window = opened;
      },
    );

    for (const tools of TURNS)
      it(`gets ${tools.length} of them natively, and its turn succeeds`, async () => {
        writeFileSync(join(window.folder, ODD_TOOLS_FILE), JSON.stringify(tools));
        await window.untilOffered(`mcp__odd__${tools[0]?.name}`);
        const name = tools[0]?.name ?? '';
        // One of them requires this, the others don't mind.
        await window.send({ call: { name: `mcp__odd__${name}`, input: { b: 'b' } } });
        const { offered, results } = await window.turnEnded();
        const names = offered.map((tool) => tool.name);
        const missing = tools.map((tool) => `mcp__odd__${tool.name}`).filter((each) => !names.includes(each));
        assert.deepEqual(missing, []);
        assert.ok(results[0]?.text.includes(`"called":"${name}"`), results[0]?.text);
      });
  });
}
