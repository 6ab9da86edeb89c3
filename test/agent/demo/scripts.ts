import { strict as assert } from 'node:assert';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { offeredNames, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

const NAME = 'mcp_run_script';
const COMMAND = 'MCP Switchboard: Turn Scripts On or Off';

/** A script that reads, then writes two notes and tells how many there were. */
function writing(...titles: readonly string[]): Step {
  const script = `
    const before = await tools.mcp__notes__list_notes({});
    await Promise.all(${JSON.stringify(titles)}.map((title) => tools.mcp__notes__add_note({ title, text: 'by a script' })));
    return { hadText: typeof before, wrote: ${titles.length} };`;
  return { call: { name: NAME, input: { script } } };
}

export function scripts(useWindow: UseSharedWindow): void {
  describe('scripts of the agent', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
    });

    it('are off: no model is told of them, and the user turns them on', async () => {
      await window.send();
      assert.ok(!offeredNames(await window.turnEnded()).includes(NAME));
      await window.runCommand(COMMAND);
      await window.dialogButton('Turn On').waitFor();
      await window.screenshot('scripts-turn-on');
      await window.dialogButton('Turn On').click();
      await window.untilOffered(NAME);
    });

    it('wait with what they write, and run all of it after one answer', async () => {
      await window.send(writing('Script one', 'Script two'));
      await window.cardButton('Run All 2 Calls').waitFor();
      await window.screenshot('script-question');
      assert.ok(!window.notes().some((name) => name.includes('Script')));
      await window.cardButton('Run All 2 Calls').click();
      assert.match(await window.result(), /^\{"hadText":"\w+","wrote":2\}\n\(3 calls\)$/);
      assert.equal(window.notes().filter((name) => name.includes('Script')).length, 2);
    });

    it('write nothing after a denial', async () => {
      await window.send(writing('Denied one', 'Denied two'));
      await window.cardButton('Deny').click();
      assert.match(await window.result(), /^The user denied the script’s calls\. None of the calls that waited ran/);
      assert.ok(!window.notes().some((name) => name.includes('Denied')));
    });

    it('are no more offered once they are off', async () => {
      await window.runCommand(COMMAND);
      await window.untilRequest((request) => !offeredNames(request).includes(NAME));
    });
  });
}
