import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import type { AgentWindow } from '../support/agentWindow.ts';
import { useAgentWindow } from '../support/useAgentWindow.ts';
import { adding } from './configuration/adding.ts';
import { trials } from './configuration/trials.ts';

const ASKING = {
  inputs: [
    { id: 'place', type: 'promptString', description: 'The folder for the notes' },
    { id: 'secret', type: 'promptString', description: 'The secret', password: true },
  ],
  servers: {
    asking: {
      command: 'npx',
      args: ['--no-install', 'mcp-switchboard-notes'],
      env: { NOTES_DIR: '${workspaceFolder}/.data/${input:place}', SECRET: '${input:secret}' },
    },
  },
};

function prepare(folder: string): void {
  mkdirSync(join(folder, '.cursor'));
  writeFileSync(
    join(folder, '.cursor', 'mcp.json'),
    '{ "mcpServers": { "imported": { "url": "http://127.0.0.1:9/mcp" }, "left": { "command": "x" } } }',
  );
  writeFileSync(join(folder, '.mcp.json'), '{\n  // our servers\n  "mcpServers": {}\n}\n');
  writeFileSync(join(folder, '.vscode', 'mcp.json'), JSON.stringify(ASKING, undefined, 2));
}

describe('configuring servers, as a user does', () => {
  let window: AgentWindow;
  const path = (file: string): string => join(window.folder, file);
  const shown = (text: string): Promise<void> =>
    window.page.locator('.quick-input-widget', { hasText: text }).first().waitFor();
  const type = async (text: string): Promise<void> => {
    await window.fillBox(text);
    await window.pressInBox('Enter');
  };

  useAgentWindow({ prepare }, async (opened) => {
    window = opened;
    await window.showTree();
    await window.page.keyboard.press('Escape');
  });

  it('asks for inputs only once the server is approved, and a question that is closed is a reason', async () => {
    await window.treeRow('asking', 'Needs approval').waitFor();
    await window.runOnServer('Approve…', 'Select a server to approve', 'asking');
    await shown('Allow server “asking” to run?');
    await shown('npx receives ${input:secret} (env.SECRET), which you are');
    await window.pickRow('Approve').click();
    // The list before it names the input, too.
    await shown('needs a value');
    await shown('The folder for the notes');
    await window.page.keyboard.press('Escape');
    await window.treeRow('asking', 'needs ${input:place}').waitFor();
    assert.equal(window.serverProcesses()['mcp-switchboard-notes'], 0);
  });

  it('asks again when it is connected, hides a password, and asks once per session', async () => {
    await window.runOnServer('Connect', 'Select a server to connect', 'asking');
    await shown('The folder for the notes');
    await type('asked');
    await shown('The secret');
    await window.page.locator('.quick-input-widget input[type="password"]').waitFor();
    await window.screenshot('input-password');
    await type('s3cret');
    await window.treeRow('asking', '4 tools').waitFor();
    assert.ok(existsSync(path('.data/asked')));
    const pids = (): string => String(window.editor.processes().map(({ pid }) => pid));
    const before = pids();
    await window.runOnServer('Restart', 'Select a server to restart', 'asking');
    await window.until(() => pids() !== before);
    await window.treeRow('asking', '4 tools').waitFor();
  });

  it('imports chosen servers of another client, and keeps comments in the target', async () => {
    await window.runCommand('MCP Switchboard: Import Servers…');
    await shown('Select Files');
    await shown('.cursor/mcp.json');
    await window.screenshot('import-files');
    await window.pressInBox('Enter');
    await shown('Select Servers');
    // All are ticked.
    await window.pickRow('left').click();
    await window.pressInBox('Enter');
    await shown('Select Scope');
    await window.pickRow('Project').click();
    await window.treeRow('imported', 'Needs approval').waitFor();
    const text = readFileSync(path('.mcp.json'), 'utf8');
    assert.match(text, /\/\/ our servers/);
    assert.match(text, /"imported": \{\s+"url": "http:\/\/127\.0\.0\.1:9\/mcp"\s+\}/);
    assert.doesNotMatch(text, /"left"/);
    await window.screenshot('imported');
  });

  const KEY = 'sk-proj-4f9a8b7c6d5e4f3a2b1c';
  const notes = join(root, 'demo/notes-server/main.js');
  const paste = async (text: string): Promise<void> => {
    await window.page.evaluate((copied) => {
      const { navigator } = globalThis as unknown as { navigator: { clipboard: { writeText(text: string): unknown } } };
      return navigator.clipboard.writeText(copied);
    }, text);
    for (const key of ['Control+A', 'Control+V', 'Enter']) await window.pressInBox(key);
  };
  const box = (): Promise<string> => window.box.inputValue();
  const isRunning = (mark: string): boolean => window.editor.processes().some(({ command }) => command.includes(mark));

  it('says why a pasted text can’t be read, keeps it in the box, and writes nothing', async () => {
    const before = readFileSync(path('.mcp.json'), 'utf8');
    await window.runCommand('MCP Switchboard: Add Server…');
    await shown('Command or URL');
    for (const [text, reason] of [
      ['}', 'Expected a value'],
      ['{ "mcpServers": { "x": { "command": "npx"', 'is not closed'],
      ['curl https://x.example | sh', 'needs a shell'],
      ['Add the server of your team and restart.', 'is no program'],
    ] as const) {
      await paste(text);
      await shown(reason);
      assert.equal(await box(), text);
    }
    await window.screenshot('add-unreadable');
    await window.page.keyboard.press('Escape');
    assert.equal(readFileSync(path('.mcp.json'), 'utf8'), before);
  });

  it('adds pasted JSON: its secret becomes an input that nobody asks for again, and it connects before it is saved', async () => {
    const before = readFileSync(path('.mcp.json'), 'utf8');
    await window.runCommand('MCP Switchboard: Add Server…');
    await shown('Command or URL');
    // The comment would swallow the rest of the box’s only line.
    await paste(
      `{\n  // from a page\n  "mcpServers": {\n    "pasted": {\n      "command": "node",\n      "args": [${JSON.stringify(notes)}],\n      "env": { "NOTES_API_KEY": "${KEY}", "NOTES_DIR": ${JSON.stringify(path('.data/pasted'))} }\n    }\n  }\n}`,
    );
    await window.page.getByPlaceholder('Where to save?').waitFor();
    await shown('NOTES_API_KEY');
    await window.screenshot('add-where');
    await window.pickRow('Project').click();
    await shown('Connect and Save');
    await shown('.mcp.json');
    await shown('"${input:pasted-notes-api-key}"');
    await window.screenshot('add-what-is-written');
    assert.equal(readFileSync(path('.mcp.json'), 'utf8'), before);
    await window.pickRow('Connect and Save').click();
    await window.until(() => readFileSync(path('.mcp.json'), 'utf8').includes('"pasted"'));
    await window.treeRow('pasted', '4 tools').waitFor();
    // Nobody asks again: the editor's own list, in which the server is handed over, closes by itself.
    await window.handedOver(['pasted']);
    await window.page.locator('.quick-input-widget').first().waitFor({ state: 'hidden' });
    const text = readFileSync(path('.mcp.json'), 'utf8');
    assert.match(text, /\/\/ our servers/);
    assert.match(text, /"id": "pasted-notes-api-key"/);
    assert.ok(!text.includes(KEY));
    await window.screenshot('added');
  });

  it('writes nothing and leaves no process where a server doesn’t connect, and goes back to the text', async () => {
    const before = readFileSync(path('.mcp.json'), 'utf8');
    await window.runCommand('MCP Switchboard: Add Server…');
    await shown('Command or URL');
    const line = 'node -e "process.exit(3)" failing-on-purpose';
    await paste(line);
    await shown('Server name');
    await window.pressInBox('Enter');
    await window.pickRow('Local').click();
    await window.pickRow('Connect and Save').click();
    await shown('Could not connect. Nothing was saved.');
    await shown('exited with code 3');
    await window.screenshot('add-failed');
    await window.pickRow('Edit…').click();
    await shown('Command or URL');
    assert.equal(await box(), line);
    await window.page.keyboard.press('Escape');
    assert.equal(readFileSync(path('.mcp.json'), 'utf8'), before);
    await window.until(() => !isRunning('failing-on-purpose'));
    await window.treeRow('failing').waitFor({ state: 'detached' });
  });

  it('saves a server for this folder on this machine, and opens that file', async () => {
    await window.runCommand('MCP Switchboard: Add Server…');
    await shown('Command or URL');
    await paste(`claude mcp add mine -e NOTES_DIR=${path('.data/mine')} -- node ${notes}`);
    await window.page.getByPlaceholder('Where to save?').waitFor();
    await window.pickRow('Local').click();
    await window.pickRow('Connect and Save').click();
    await window.treeRow('mine', '4 tools').waitFor();
    await window.runCommand('MCP Switchboard: Open Local Configuration');
    await window.page.locator('.view-lines', { hasText: '"mine"' }).first().waitFor();
    await window.screenshot('local-configuration');
  });

  it('removes a server from its file, stops it, and restores both exactly', async () => {
    const before = readFileSync(path('.mcp.json'));
    await window.runOnServer('Remove Server', 'Select a server to remove', 'pasted');
    await window.page.locator('.notification-toast', { hasText: 'Removed “pasted” from .mcp.json.' }).waitFor();
    await window.treeRow('pasted').waitFor({ state: 'detached' });
    const without = readFileSync(path('.mcp.json'), 'utf8');
    assert.match(without, /\/\/ our servers/);
    assert.match(without, /"imported"/);
    assert.doesNotMatch(without, /"pasted": /);
    await window.screenshot('removed');
    await window.answerNotification('Undo');
    await window.treeRow('pasted', '4 tools').waitFor();
    assert.deepEqual(readFileSync(path('.mcp.json')), before);
  });

  it('removes a server of the session, and adds it again', async () => {
    await window.runCommand('MCP Switchboard: Add Server…');
    await shown('Command or URL');
    await paste(`NOTES_DIR=${path('.data/session')} node ${notes}`);
    await shown('Server name');
    await type('passing');
    await window.pickRow('This session only').click();
    await window.treeRow('passing', '4 tools').waitFor();
    await window.runOnServer('Remove Server', 'Select a server to remove', 'passing');
    await window.treeRow('passing').waitFor({ state: 'detached' });
    await window.answerNotification('Undo');
    await window.treeRow('passing', '4 tools').waitFor();
  });

  adding(() => window);
  trials(() => window);
});
