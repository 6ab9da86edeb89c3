import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { SERVER_SETTING, Probe } from './settings/probe.ts';
import { setting } from './settings/checks.ts';
import { TOOLS } from './settings/scriptedServer.ts';
import { withShown } from './shown.ts';
import { eventually, exportsOf, invoke } from './support.ts';

const ASKED = 'mcp__probe__write';

/** What becomes of a call whose server changes while the user still looks at the question about it. */
export function changedWhileAskedSuite(): void {
  describe('while a question about a call is open', () => {
    const probe = new Probe();
    before(() => probe.open());
    after(() => probe.close());
    afterEach(async () => {
      probe.server.tools = TOOLS;
      probe.server.notify('notifications/tools/list_changed');
      await eventually('its tools are as they were', async () => (await nowListed()) === 'Writes a page.');
    });

    const nowListed = async (): Promise<string | undefined> =>
      (await exportsOf()).host.catalog.find(ASKED)?.tool.description;

    /** Calls a tool that asks, lets `change` happen while it does, allows the call once, and gives what the model gets. */
    const allowedAfter = (name: string, change: () => Promise<void>): Promise<string> =>
      withShown(async (shown) => {
        let isSettled = false;
        const pending = invoke('mcp_call_tool', { name, arguments: {} })
          .catch((error: Error) => error.message)
          .finally(() => (isSettled = true));
        const pick = await eventually('the question is open', () => shown.picks.at(-1));
        let active: string | undefined;
        pick.onDidChangeActive(([item]) => (active = item?.label));
        await change();
        await eventually('it is answered', async () => {
          const command = active === 'Allow Once' ? 'acceptSelectedQuickOpenItem' : 'quickOpenSelectNext';
          if (!isSettled) await vscode.commands.executeCommand(`workbench.action.${command}`);
          return isSettled;
        });
        return pending;
      });

    /** Nothing was sent, and the model is told why. */
    const didNotRun = async (change: () => Promise<void>): Promise<void> => {
      const before = probe.server.count('tools/call');
      assert.match(await allowedAfter(ASKED, change), /changed or was removed.*did not run/i);
      assert.equal(probe.server.count('tools/call'), before);
    };

    it('its tool changes: nothing runs', async () => {
      await didNotRun(async () => {
        probe.server.tools = TOOLS.map((tool) => ({ ...tool, description: 'Burns a page.' }));
        probe.server.notify('notifications/tools/list_changed');
        await eventually('the change is listed', async () => (await nowListed()) === 'Burns a page.');
      });
    });

    it('its tool is taken off the list: nothing runs', async () => {
      await didNotRun(async () => {
        probe.server.tools = TOOLS.slice(0, 1);
        probe.server.notify('notifications/tools/list_changed');
        await eventually('it is gone', async () => (await nowListed()) === undefined);
      });
    });

    it('its server is defined otherwise: nothing runs', async () => {
      await didNotRun(async () => {
        const handshakes = probe.server.count('initialize');
        await setting(SERVER_SETTING, { probe: probe.entry('probe', { headers: { 'x-other': '1' } }) });
        await eventually('it is connected anew', () => probe.server.count('initialize') > handshakes);
        await eventually('its tools are back', async () => (await nowListed()) !== undefined);
      });
    });

    it('its server dies: it runs once, on the one that comes after it', async () => {
      const log = probe.file('calls.txt');
      const script = path.join(process.env['SWITCHBOARD_ROOT'] ?? '', 'test/fixtures/servers/counting.ts');
      const command = path.join(process.env['SWITCHBOARD_ROOT'] ?? '', 'node_modules/node/bin/node');
      await probe.beside({ mortal: { command, args: [script, log] } }, async () => {
        const pidOf = async (): Promise<number | undefined> => {
          const { state } = await probe.state('mortal', 'connected');
          return state.kind === 'connected' ? state.info.pid : undefined;
        };
        const pid = (await pidOf()) ?? assert.fail('it is a process');
        const said = await allowedAfter('mcp__mortal__write', async () => {
          process.kill(pid, 'SIGKILL');
          await eventually('it is seen', async () => (await probe.find('mortal'))?.state.kind !== 'connected');
        });
        assert.match(said, /done/);
        assert.equal(fs.readFileSync(log, 'utf8'), 'write\n');
        assert.notEqual(await pidOf(), pid);
      });
    });
  });
}
