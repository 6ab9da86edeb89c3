import { strict as assert } from 'node:assert';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { pane } from '../../support/viewRows.ts';

const TOOL = 'everything__simulate-research-query';

export function tasks(useWindow: UseSharedWindow): void {
  describe('a call that goes on as a task', () => {
    let window: AgentWindow;
    useWindow(
      {
        'mcpSwitchboard.permissions.rules': [{ tool: `mcp__${TOOL}`, action: 'allow' }],
        'mcpSwitchboard.tasks.handOverAfter': 0.2,
      },
      (opened) => {
        window = opened;
      },
    );
    /** What the last call of the turn gave. */
    const last = async (): Promise<string> => (await window.turnEnded()).results.at(-1)?.text ?? '';
    const ask = (input: object): Step => ({ call: { name: 'mcp_task', input } });

    it('is seen in Activity; the model gets a handle, lists it in the same turn, and gets the result with it once', async () => {
      const row = pane(window, 'Activity').locator('.monaco-list-row', { hasText: 'everything · task since' });
      const seen = row.waitFor();
      await window.send(callTool(TOOL, { topic: 'tasks', ambiguous: false }), ask({ action: 'list' }));
      await seen;
      await window.screenshot('activity-task');
      const listed = JSON.parse(await last()) as { tasks: { task: string; tool: string }[] };
      assert.equal(listed.tasks[0]?.tool, `mcp__${TOOL}`);
      const { task } = listed.tasks[0];
      await window.send(ask({ action: 'wait', task }));
      assert.match(await window.result(), /^# Research Report: tasks/m);
      await window.screenshot('task-result');
      await window.send(ask({ action: 'get', task }));
      assert.match(await window.result(), /"status":"completed".*"resultGiven"/);
      await row.waitFor({ state: 'detached' });
      await pane(window, 'Activity').locator('.monaco-list-row', { hasText: 'simulate-research-query' }).waitFor();
    });

    it('is cancelled by the model, and by nobody who makes a handle up', async () => {
      await window.send(callTool(TOOL, { topic: 'cancelled', ambiguous: false }), ask({ action: 'list' }));
      const { tasks: all } = JSON.parse(await last()) as { tasks: { task: string }[] };
      await window.send(ask({ action: 'cancel', task: `${all[0]?.task}x` }));
      assert.match(await window.result(), /There is no such task/);
      await window.send(ask({ action: 'cancel', task: all[0]?.task }));
      assert.match(await window.result(), /"status":"(?:cancelled|completed)"/);
    });
  });
}
