import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from '../support/agentWindow.ts';
import { useAgentWindow } from '../support/useAgentWindow.ts';

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
    window.page.locator('.quick-input-widget', { hasText: text }).first().waitFor({ timeout: 30_000 });
  const type = async (text: string): Promise<void> => {
    await window.page.keyboard.type(text);
    await window.page.keyboard.press('Enter');
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
    await window.runOnServer('Connect…', 'Select a server to connect', 'asking');
    await shown('The folder for the notes');
    await type('asked');
    await shown('The secret');
    await window.page.locator('.quick-input-widget input[type="password"]').waitFor();
    await window.screenshot('input-password');
    await type('s3cret');
    await window.treeRow('asking', '4 tools').waitFor({ timeout: 60_000 });
    assert.ok(existsSync(path('.data/asked')));
    const pids = (): string => String(window.editor.processes().map(({ pid }) => pid));
    const before = pids();
    await window.runOnServer('Restart…', 'Select a server to restart', 'asking');
    await window.until(() => pids() !== before);
    await window.treeRow('asking', '4 tools').waitFor({ timeout: 60_000 });
  });

  it('imports chosen servers of another client, and keeps comments in the target', async () => {
    await window.runCommand('MCP Switchboard: Import Servers…');
    await shown('Select Files');
    await shown('.cursor/mcp.json');
    await window.screenshot('import-files');
    await window.page.keyboard.press('Enter');
    await shown('Select Servers');
    await window.pickRow('imported').click();
    await window.page.keyboard.press('Enter');
    await shown('Select Scope');
    await window.pickRow('Project').click();
    await window.treeRow('imported', 'Needs approval').waitFor({ timeout: 30_000 });
    const text = readFileSync(path('.mcp.json'), 'utf8');
    assert.match(text, /\/\/ our servers/);
    assert.match(text, /"imported": \{\s+"url": "http:\/\/127\.0\.0\.1:9\/mcp"\s+\}/);
    assert.doesNotMatch(text, /"left"/);
    await window.screenshot('imported');
  });
});
