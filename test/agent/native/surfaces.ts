import { strict as assert } from 'node:assert';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { ONE_EACH } from '../../support/demoServers.ts';
import { callTool, type ModelRequest, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

/** The same two calls on each surface: one that reads, one that destroys. */
const TASK = [
  { tool: 'mcp__notes__list_notes', input: {} },
  { tool: 'mcp__notes__delete_note', input: { title: 'Welcome' } },
] as const;
const named = TASK.map(({ tool, input }): Step => ({ call: { name: tool, input } }));
const throughLmTool = TASK.map(({ tool, input }) => callTool(tool.replace('mcp__', ''), input));

export function surfaces(useWindow: UseSharedWindow): void {
  describe('one task on three surfaces', () => {
    let window: AgentWindow;
    const texts = new Map<string, readonly string[]>();

    useWindow({}, async (opened) => {
      window = opened;
      await window.untilOffered('mcp__notes__list_notes', 'mcp__notes__delete_note', 'mcp__switchboard__list_servers');
    });

    /** Sends the task and denies the one question; a second one would keep the turn from ending. */
    async function run(surface: string, steps: readonly Step[], denial: string): Promise<ModelRequest> {
      await window.send(...steps);
      await window.cardButton(denial).click();
      const request = await window.turnEnded();
      texts.set(
        surface,
        request.results.map(({ text }) => text),
      );
      return request;
    }

    it('mcp_call_tool: one question', async () => {
      const { results } = await run('LM tools', throughLmTool, 'Deny');
      assert.match(results[0]?.text ?? '', /Welcome/);
      assert.match(results[1]?.text ?? '', /^The user denied/);
    });

    it('native tools: the same; each server and what it is for is in the request', async () => {
      const { offered } = await run('gateway', named, 'Submit');
      assert.deepEqual(texts.get('gateway'), texts.get('LM tools'));
      const overview = offered.find(({ name }) => name === 'mcp__switchboard__list_servers')?.description ?? '';
      for (const name of ['everything', 'filesystem', 'memory', 'notes'])
        assert.match(overview, new RegExp(`^- ${name} \\(\\d+ tools\\): \\S`, 'm'));
    });

    it('a sub-agent uses the same connections, and starts no second process', async () => {
      window.scriptByPrompt({
        'look at my notes': [
          { call: { name: 'mcp__notes__list_notes', input: {} } },
          { text: 'end of the sub-agent.' },
        ],
        go: [
          { call: { name: 'runSubagent', input: { prompt: 'look at my notes', description: 'Read the notes' } } },
          { text: 'end of the agent.' },
        ],
      });
      await window.say('go');
      await window.turnEnded('end of the agent.');
      const inner = window.requests().filter(({ prompt }) => prompt.includes('look at my notes'));
      assert.match(inner.at(-1)?.results[0]?.text ?? '', /Welcome/);
      assert.deepEqual(window.serverProcesses(), ONE_EACH);
    });

    it('@mcp: the same', async () => {
      await window.say('@mcp /servers ');
      await window.page.getByText('servers connected').first().waitFor();
      await run('participant', named, 'Deny');
      assert.deepEqual(texts.get('participant'), texts.get('LM tools'));
    });
  });
}
