import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from '../../scripts/lib/paths.mjs';
import type { Locator } from 'playwright-core';
import { AgentWindow } from '../support/agentWindow.ts';
import { editServers, NONE, ONE_EACH, serverTrees } from '../support/demoServers.ts';
import { TOOLS_WITH_DEMO } from '../support/manifest.ts';
import { readWrittenJson } from '../support/readWrittenJson.ts';
import { offeredNames, type ModelRequest } from '../support/script.ts';
import { clickAction, isWhole } from '../support/viewRows.ts';

const OVERVIEW = 'mcp__switchboard__list_servers';
const NOTES = ['add_note', 'delete_all_notes', 'delete_note', 'list_notes'];

/** A folder of somebody whose editor starts MCP servers by itself: the demo without the setting that keeps it from that. */
function withoutDemoSettings(folder: string): void {
  rmSync(join(folder, '.vscode', 'settings.json'));
}

function userSettings(window: AgentWindow): Record<string, unknown> {
  return readWrittenJson(join(window.editor.dataDir, 'data/User/settings.json')) as Record<string, unknown>;
}

/** Tools of MCP servers and of ours that the model was offered. */
function toolsOf(request: ModelRequest): readonly string[] {
  return offeredNames(request)
    .filter((name) => name.startsWith('mcp_'))
    .sort();
}

/** The editor expands no variables in a .mcp.json: its copies need entries without any. */
function withoutVariables(folder: string): void {
  withoutDemoSettings(folder);
  editServers(folder, ({ filesystem, memory, notes }) => {
    filesystem?.args?.splice(-1, 1, '.');
    for (const server of [memory, notes]) delete server?.env;
  });
}

describe('a newcomer', function () {
  this.timeout(450_000);
  let window: AgentWindow | undefined;

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot('failed-newcomer');
    await window?.close();
    window = undefined;
  });

  it('who leaves the servers to the editor has ours disabled, is asked again when they want, and has each once whoever hosts', async () => {
    window = await AgentWindow.open({
      prepare: withoutVariables,
      settings: {
        // A list that closes gives the focus back at once then, and with it closes the list that opens next.
        'workbench.reduceMotion': 'on',
        'mcpSwitchboard.toolExposure': 'search',
        'mcpSwitchboard.alwaysLoadTools': ['notes/*'],
      },
    });
    const { editor, page } = window;
    // Who looks at what would run has chosen nothing, and finds the choice where it waits.
    await window.answerNotification('Review…');
    await window.pickRow('mcp-switchboard-notes').waitFor();
    const told = window.notificationButton('Choose MCP Host…');
    // The editor drops keys while it starts.
    await window.until(async () => {
      if (await told.isVisible()) return true;
      await page.keyboard.press('Escape');
      return false;
    });
    await window.screenshot('host-still-not-chosen');
    await window.showTree();
    await window.treeRow('MCP host not chosen').nth(3).waitFor();
    assert.ok(await isWhole(window.treeRow('Choose what runs 4 servers')));
    assert.ok(await isWhole(window.serverRow('filesystem')));
    const icon = page.locator('.activitybar .action-item', { has: page.getByLabel(/^MCP Switchboard/) });
    await icon.locator('.badge-content', { hasText: '1' }).waitFor();
    await window.screenshot('host-not-chosen');
    await page.locator('.statusbar-item', { hasText: 'choose host' }).click();
    await window.pickRow('Choose MCP Host…').waitFor();
    await window.screenshot('host-not-chosen-menu');
    await window.pickRow('Choose MCP Host…').click();
    await window.pickRow('Use VS Code').waitFor();
    await window.screenshot('host-choices');
    await window.pickRow('Use VS Code').click();
    await window.treeRow('Left to VS Code').nth(4).waitFor();
    await icon.locator('.badge').waitFor({ state: 'hidden' });
    assert.deepEqual(window.serverProcesses(), NONE);
    assert.equal(userSettings(window)['chat.mcp.autostart'], undefined);
    await clickAction(window.serverRow('notes'), 'Choose MCP Host');
    await window.pickRow('Use Switchboard…').waitFor();
    await window.screenshot('host-chosen-again');
    await page.keyboard.press('Escape');
    // Also from the list of servers.
    await window.runOnServer('List Servers', 'MCP servers', 'notes');
    await window.pickRow('Choose MCP Host…').click();

    // Who writes while the servers change hands has each of them once all the same.
    await window.chooseSwitchboard();
    const native = [OVERVIEW, ...NOTES.map((name) => `mcp__notes__${name}`)];
    const tools = [...TOOLS_WITH_DEMO, ...native].sort();
    await window.untilRequest((request) => isDeepStrictEqual(toolsOf(request), tools));
    await window.until(() => isDeepStrictEqual(serverTrees(editor.processes()), ONE_EACH));
    assert.equal(userSettings(window)['chat.mcp.autostart'], undefined);

    await window.runCommand('MCP Switchboard: Choose MCP Host');
    await window.pickRow('Use VS Code').click();
    await window.treeRow('Left to VS Code').nth(4).waitFor();
    // Ours stop first; then they are given back one after the other, and start, whatever state they were stopped in.
    const theirs = await window.untilRequest((request) => {
      const offered = NOTES.every((name) => toolsOf(request).includes(`mcp_notes_${name}`));
      return offered && isDeepStrictEqual(serverTrees(editor.processes()), ONE_EACH);
    });
    assert.ok(!toolsOf(theirs).some((name) => name.startsWith('mcp__')));
  });

  it('whose editor starts nothing by itself: whoever hosts, the other copy is off, and can’t be started beside it', async () => {
    window = await AgentWindow.open({
      prepare: (folder) => {
        withoutVariables(folder);
        mkdirSync(join(folder, '.vscode'), { recursive: true });
        writeFileSync(join(folder, '.vscode', 'settings.json'), '{ "chat.mcp.autostart": "never" }');
      },
      settings: { 'mcpSwitchboard.toolExposure': 'search', 'mcpSwitchboard.alwaysLoadTools': ['notes/*'] },
    });
    const { editor, page } = window;
    await window.useSwitchboard();
    const tools = [...TOOLS_WITH_DEMO, OVERVIEW, ...NOTES.map((name) => `mcp__notes__${name}`)].sort();
    await window.untilRequest((request) => isDeepStrictEqual(toolsOf(request), tools));
    // The editor lists both of each name, and offers to enable its own copy, not to start it.
    await window.runCommand('MCP: List Servers');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    await window.screenshot('never-list');
    const disabled = rows.filter({ hasText: /notes/ }).filter({ hasText: /Disabled/ });
    await disabled.first().click();
    await rows.filter({ hasText: 'Enable' }).first().waitFor();
    await window.screenshot('never-options');
    assert.equal(await rows.filter({ hasText: 'Start Server' }).count(), 0);
    await page.keyboard.press('Escape');
    assert.deepEqual(serverTrees(editor.processes()), ONE_EACH);

    await window.runCommand('MCP Switchboard: Choose MCP Host');
    await window.pickRow('Use VS Code').click();
    await window.showTree();
    await window.treeRow('Left to VS Code').nth(4).waitFor();
    await window.until(() => isDeepStrictEqual(serverTrees(editor.processes()), NONE));
  });

  it('who looks for a file while the servers change hands has nothing opened or run by it', async () => {
    window = await AgentWindow.open({
      prepare: withoutVariables,
      settings: { 'mcpSwitchboard.toolExposure': 'search', 'mcpSwitchboard.alwaysLoadTools': ['notes/*'] },
    });
    const { editor, page } = window;
    const files = page.getByPlaceholder(/Search files by name/);
    const options = page.getByPlaceholder(/Select action for/);
    await window.showTree();
    await window.treeRow('MCP host not chosen').first().waitFor();
    assert.deepEqual(window.serverProcesses(), NONE);
    await window.notificationButton('Use Switchboard').waitFor();
    await window.screenshot('newcomer');
    await window.answerNotification('Use Switchboard');
    await window.approveAndStart();
    // The list of files again and again, whatever the editor opens and closes meanwhile: its first file is README.md.
    const connected = page.getByText('MCP 4/4').first();
    const is = (state: 'visible' | 'hidden', timeout: number): Promise<boolean> =>
      files.waitFor({ state, timeout }).then(
        () => true,
        () => false,
      );
    let shown = 0;
    for (let rounds = 0; rounds < 20; rounds += (await connected.isVisible()) ? 1 : 0) {
      await page.keyboard.press('Control+P');
      if (await is('visible', 1_000)) shown += 1;
      await is('hidden', 500);
      assert.equal(await page.locator('.tabs-container .tab').count(), 0, 'no file of the list is opened');
    }
    assert.ok(shown > 10, `the list was shown ${shown} times`);
    await page.keyboard.press('Escape');
    assert.equal(await options.isVisible(), false);
    const tools = [...TOOLS_WITH_DEMO, OVERVIEW, ...NOTES.map((name) => `mcp__notes__${name}`)].sort();
    await window.untilRequest((request) => isDeepStrictEqual(toolsOf(request), tools));
    await window.until(() => isDeepStrictEqual(serverTrees(editor.processes()), ONE_EACH));
  });

  it('with servers whose names differ in case alone has each once, those that are off in neither host, and nothing of the editor’s opened for it', async () => {
    window = await AgentWindow.open({
      prepare: (folder) => {
        withoutDemoSettings(folder);
        editServers(folder, (servers) => {
          delete servers['everything'];
          // The editor knows no `disabled`.
          const { filesystem, memory } = servers;
          for (const server of [filesystem, memory]) {
            if (!server) continue;
            delete server.env;
            server.disabled = true;
          }
          filesystem?.args?.splice(-1, 1, '.');
          servers['Notes'] = { ...servers['notes'], env: { ...servers['notes']?.env, OTHER: 'yes' } };
        });
      },
      settings: { 'mcpSwitchboard.toolExposure': 'native' },
    });
    await window.useSwitchboard('2/2');
    const lists = (request: ModelRequest): number =>
      toolsOf(request).filter((name) => /^mcp__.*__list_notes$/.test(name)).length;
    await window.untilRequest((request) => lists(request) === 2);
    for (let time = 0; time <= 2; time += 1) {
      // Said again, nothing is asked and nothing changes.
      if (time > 0) {
        await window.runCommand('MCP Switchboard: Choose MCP Host');
        await window.pickRow('Use Switchboard…').click();
      }
      await window.send();
      assert.equal(lists(await window.turnEnded()), 2);
      assert.deepEqual(window.serverProcesses(), { ...NONE, 'mcp-switchboard-notes': 2 });
      // Not by starting again what the editor has on already, which shows its output.
      assert.equal(await window.page.locator('.part.panel').isVisible(), false);
    }
    // Given back, they are the editor’s to start, as it does without this extension.
    await window.runCommand('MCP Switchboard: Choose MCP Host');
    await window.pickRow('Use VS Code').click();
    const all = { ...ONE_EACH, 'mcp-server-everything': 0 };
    await window.untilRequest(() => isDeepStrictEqual(window?.serverProcesses(), all));
    assert.equal(await window.page.locator('.part.panel').isVisible(), false);
    await window.treeRow('memory').filter({ hasText: 'VS Code may start it' }).waitFor();
    await window.screenshot('given-back');
  });

  it('who reviews starts only what was approved', async () => {
    window = await AgentWindow.open();
    await window.answerNotification('Review…');
    await window.pickRow('mcp-switchboard-notes').click();
    await window.pickRow('NOTES_DIR').waitFor();
    await window.screenshot('review');
    await window.pickRow('Approve').click();
    await window.page.keyboard.press('Escape');
    await window.showTree();
    await window.treeRow('notes').filter({ hasText: '4 tools' }).waitFor();
    await window.treeRow('memory').filter({ hasText: 'Needs approval' }).waitFor();
    assert.deepEqual(window.serverProcesses(), { ...NONE, 'mcp-switchboard-notes': 1 });

    // Doctor offers to connect what is lost, and the way out for the rest.
    await window.runOnServer('Disconnect', 'Select a server to disconnect', 'notes');
    await window.treeRow('notes').filter({ hasText: 'Disconnected' }).waitFor();
    await window.runCommand('MCP Switchboard: Doctor');
    await window.answerNotification('Connect Again');
    await window.treeRow('notes').filter({ hasText: '4 tools' }).waitFor();
    await window.answerNotification('Fix…');
    await window.screenshot('doctor-ways-out');
    await window.pickRow('memory').click();
    // The list before it has rows to approve others.
    await window.page.locator('.quick-input-widget', { hasText: 'Allow server “memory” to run?' }).first().waitFor();
    await window.pickRow('Approve').click();
    await window.page.keyboard.press('Escape');
    await window.treeRow('memory').filter({ hasText: '9 tools' }).waitFor();
  });

  it('without any server finds what to do in the view, and with the walkthrough alone gets to a tool call; each step completes by itself', async () => {
    const prepare = (folder: string): void => {
      withoutDemoSettings(folder);
      rmSync(join(folder, '.mcp.json'));
    };
    window = await AgentWindow.open({ prepare });
    const { page } = window;
    await page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click();
    await page.getByText('No MCP servers configured.').waitFor();
    await window.screenshot('welcome');
    await page.locator('.sidebar .monaco-button', { hasText: 'Add Server…' }).click();
    await page.getByText('Command or URL').waitFor();
    await page.keyboard.press('Escape');
    // What a command says has the same button.
    await window.runCommand('MCP Switchboard: List Servers');
    await window.answerNotification('Add Server…');
    await page.getByText('Command or URL').waitFor();
    await page.keyboard.press('Escape');

    await window.runCommand('Welcome: Open Walkthrough...');
    await window.pickRow('Get Started with MCP Switchboard').click();
    const step = (title: string): Locator => page.locator('.getting-started-step', { hasText: title });
    const isDone = (title: string): Promise<void> =>
      step(title).locator('.codicon-getting-started-step-checked').waitFor();
    const button = (label: string): Locator =>
      page.locator('.getting-started-step .monaco-button', { hasText: label }).first();
    await button('Add Server…').click();
    await page.getByText('Command or URL').waitFor();
    await window.fillBox(`node ${join(root, 'demo/notes-server/main.js')}`);
    await window.pressInBox('Enter');
    await page.getByText('Server name').waitFor();
    await window.fillBox('mine');
    await window.pressInBox('Enter');
    await window.pickRow('Project').click();
    await window.pickRow('Connect and Save').click();
    // The editor would run it, too: nobody is asked which of them does.
    await page.getByText('MCP 1/1').first().waitFor();
    assert.ok(existsSync(join(window.folder, '.mcp.json')));
    assert.equal(await window.notificationButton('Use Switchboard').count(), 0);
    await page.locator('.tabs-container .tab', { hasText: /Welcome|Walkthrough/ }).click();
    await isDone('Add or Import Servers');
    await isDone('Approve What Runs');

    await step('Use It in the Chat').click();
    window.script({ call: { name: 'mcp__mine__list_notes', input: {} } }, { text: 'Remembered.' });
    await button('Remember Something').click();
    const input = page.locator('.interactive-session .interactive-input-part .view-lines').first();
    await input.filter({ hasText: 'Remember that I like short answers.' }).waitFor();
    await window.screenshot('walkthrough-try');
    // The walkthrough may have the focus still.
    await input.click();
    await page.keyboard.press('Enter');
    await isDone('Use It in the Chat');
    await page.locator('.interactive-session .interactive-response', { hasText: 'Remembered.' }).first().waitFor();
    await window.screenshot('walkthrough-done');
  });
});
