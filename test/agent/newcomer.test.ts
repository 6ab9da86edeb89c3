import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentWindow, type ModelRequest } from '../support/agentWindow.ts';
import { OUR_TOOLS } from '../support/manifest.ts';

/** A folder of somebody whose editor starts MCP servers by itself: the demo without the setting that keeps it from that. */
function withoutDemoSettings(folder: string): void {
  rmSync(join(folder, '.vscode', 'settings.json'));
}

function userSettings(window: AgentWindow): Record<string, unknown> {
  return JSON.parse(readFileSync(join(window.editor.dataDir, 'data/User/settings.json'), 'utf8')) as Record<
    string,
    unknown
  >;
}

const NONE = {
  'mcp-server-everything': 0,
  'mcp-server-filesystem': 0,
  'mcp-server-memory': 0,
  'mcp-switchboard-notes': 0,
};
const ONE_EACH = {
  'mcp-server-everything': 1,
  'mcp-server-filesystem': 1,
  'mcp-server-memory': 1,
  'mcp-switchboard-notes': 1,
};

const NOTES = ['add_note', 'delete_all_notes', 'delete_note', 'list_notes'];

/** Tools of MCP servers and of ours that the model was offered. */
function namesOf({ offered }: ModelRequest): readonly string[] {
  return offered
    .map(({ name }) => name)
    .filter((name) => name.startsWith('mcp_'))
    .sort();
}

describe('a newcomer', function () {
  this.timeout(180_000);
  let window: AgentWindow | undefined;

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot('failed-newcomer');
    await window?.close();
    window = undefined;
  });

  it('whose editor would start the same servers is asked once; whoever hosts, each runs once and its tools are there once', async () => {
    window = await AgentWindow.open({
      prepare: withoutDemoSettings,
      settings: { 'mcpSwitchboard.toolExposure': 'search', 'mcpSwitchboard.alwaysLoadTools': ['notes/*'] },
    });
    await window.showTree();
    await window.treeRow('disabled: the editor hosts it').first().waitFor();
    assert.deepEqual(window.serverProcesses(), NONE);
    await window.notificationButton('Host with Switchboard').waitFor();
    await window.screenshot('newcomer');
    await window.hostWithSwitchboard();
    // The four are turned on in the editor one after the other.
    await window.page.waitForTimeout(6_000);
    await window.send({ text: 'Switchboard hosts.' });
    const ours = await window.turnEnded('Switchboard hosts.');
    const native = ['mcp__switchboard__list_servers', ...NOTES.map((name) => `mcp__notes__${name}`)];
    assert.deepEqual(namesOf(ours), [...OUR_TOOLS, ...native].sort());
    assert.deepEqual(window.serverProcesses(), ONE_EACH);
    assert.equal(userSettings(window)['chat.mcp.autostart'], undefined);

    await window.runCommand('MCP Switchboard: Choose Who Hosts');
    await window.notificationButton('Leave to the editor').click();
    await window.treeRow('disabled: the editor hosts it').first().waitFor();
    await window.page.waitForTimeout(6_000);
    // The editor starts its copies when a message is sent, and lists their tools once they answer.
    let theirs: readonly string[] = [];
    let notes: readonly string[] = [];
    for (let tries = 1; tries <= 5 && notes.length < NOTES.length; tries += 1) {
      await window.send({ text: `The editor hosts ${tries}.` });
      theirs = namesOf(await window.turnEnded(`The editor hosts ${tries}.`));
      notes = theirs.filter((name) => NOTES.some((tool) => name.endsWith(tool)));
    }
    assert.deepEqual(
      notes.map((name) => name.replace(/^mcp_.*?_(?=add|del|list)/, '')),
      NOTES,
    );
    assert.ok(!theirs.some((name) => name.startsWith('mcp__')));
    // The editor expands no variables there, so that one of them may end as soon as it has begun.
    const running = window.serverProcesses();
    assert.deepEqual({ ...running, 'mcp-server-filesystem': 1 }, ONE_EACH);
    assert.ok((running['mcp-server-filesystem'] ?? 0) <= 1);
  });

  it('with servers whose names differ in case alone has each once, and nothing of the editor’s opened for it', async () => {
    window = await AgentWindow.open({
      prepare: (folder) => {
        withoutDemoSettings(folder);
        const file = join(folder, '.mcp.json');
        const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
          mcpServers: Record<string, { readonly env?: object }>;
        };
        const { notes } = mcpServers;
        const Notes = { ...notes, env: { ...notes?.env, OTHER: 'yes' } };
        writeFileSync(file, JSON.stringify({ mcpServers: { notes, Notes } }));
      },
      settings: { 'mcpSwitchboard.toolExposure': 'native' },
    });
    await window.hostWithSwitchboard('2/2');
    await window.page.waitForTimeout(4_000);
    for (const said of ['First.', 'Second.']) {
      await window.send({ text: said });
      const request: ModelRequest = await window.turnEnded(said);
      const natives = namesOf(request).filter((name) => name.endsWith('__list_notes'));
      assert.equal(natives.length, 2, natives.join(', '));
      assert.equal(window.serverProcesses()['mcp-switchboard-notes'], 2);
      // Not by starting again what the editor has on already, which shows its output.
      assert.equal(await window.page.locator('.part.panel').isVisible(), false);
      // Said again, nothing is asked and nothing changes.
      await window.runCommand('MCP Switchboard: Choose Who Hosts');
      await window.notificationButton('Host with Switchboard').click();
      await window.page.waitForTimeout(4_000);
    }
  });

  it('who leaves them to the editor has ours disabled, and nothing of ours started', async () => {
    window = await AgentWindow.open({ prepare: withoutDemoSettings });
    await window.notificationButton('Leave to the editor').click();
    await window.showTree();
    await window.treeRow('disabled: the editor hosts it').first().waitFor();
    assert.deepEqual(window.serverProcesses(), NONE);
    assert.equal(userSettings(window)['chat.mcp.autostart'], undefined);
  });

  it('who reviews starts only what was approved', async () => {
    window = await AgentWindow.open();
    await window.notificationButton('Review…').click();
    await window.pickRow('mcp-switchboard-notes').click();
    await window.pickRow('NOTES_DIR').waitFor();
    await window.screenshot('review');
    await window.pickRow('Approve').click();
    await window.page.keyboard.press('Escape');
    await window.showTree();
    await window.treeRow('notes').filter({ hasText: '4 tools' }).waitFor({ timeout: 60_000 });
    await window.treeRow('memory').filter({ hasText: 'needs your approval' }).waitFor();
    assert.deepEqual(window.serverProcesses(), { ...NONE, 'mcp-switchboard-notes': 1 });
  });

  it('in an untrusted folder sees the servers blocked, and nothing is started', async () => {
    window = await AgentWindow.open({ trust: true });
    await window.showTree();
    await window.treeRow('blocked: the workspace is not trusted').first().waitFor();
    await window.screenshot('untrusted');
    assert.deepEqual(window.serverProcesses(), NONE);
    assert.ok(!existsSync(join(window.folder, '.data')));
  });

  it('without any server finds what to do in the view', async () => {
    window = await AgentWindow.open({ prepare: (folder) => rmSync(join(folder, '.mcp.json')) });
    await window.page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click();
    await window.page.getByText('No MCP server is configured here.').waitFor();
    await window.page.locator('.sidebar .monaco-button', { hasText: 'Add Server…' }).waitFor();
    await window.screenshot('welcome');
  });

  it('adds a server for this session by its command', async () => {
    window = await AgentWindow.open({ prepare: (folder) => rmSync(join(folder, '.mcp.json')) });
    const { page } = window;
    await page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click();
    await page.locator('.sidebar .monaco-button', { hasText: 'Add Server…' }).click();
    await page.getByText('The command that starts it').waitFor();
    await page.keyboard.type('npx --no-install mcp-switchboard-notes');
    await page.keyboard.press('Enter');
    await page.getByText('A name for it').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('mine');
    await page.keyboard.press('Enter');
    await window.pickRow('This session only').click();
    await window.treeRow('4 tools').waitFor({ timeout: 60_000 });
    assert.ok(!existsSync(join(window.folder, '.mcp.json')));
  });
});
