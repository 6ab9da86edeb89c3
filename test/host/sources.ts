import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ServerView } from '../../src/host/views/serverView.ts';
import { connected, eventually, exportsOf, pids, viewNamed, workspaceFile } from './support.ts';

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('mcpSwitchboard');

async function find(name: string): Promise<ServerView | undefined> {
  const { host } = await exportsOf();
  return host.views.find(({ definition }) => definition.name === name);
}

export function sourcesSuite(): void {
  describe('sources and lists', () => {
    let folder: string;

    before(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'switchboard-sources-'))));

    after(async () => {
      for (const name of ['configFiles', 'deniedServers', 'allowedServers', 'scopeOrder'])
        await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
      fs.rmSync(folder, { recursive: true, force: true });
    });

    it('a further file is read, and goes with the setting', async () => {
      const file = path.join(folder, 'mine.toml');
      fs.writeFileSync(file, '[mcp_servers.further]\nurl = "http://127.0.0.1:9/mcp"\n');
      await settings().update('configFiles', [file], vscode.ConfigurationTarget.Global);
      const view = await eventually('it is there', () => find('further'));
      assert.equal(view.definition.entry.scope, 'user');
      assert.equal(view.definition.entry.range.line, 1);
      await settings().update('configFiles', undefined, vscode.ConfigurationTarget.Global);
      await eventually('it is gone', async () => !(await find('further')));
    });

    it('a file that appears later, in a folder that was not there, is noticed', async () => {
      const file = path.join(folder, 'later', 'mcp.json');
      await settings().update('configFiles', [file], vscode.ConfigurationTarget.Global);
      const { host } = await exportsOf();
      await eventually('it is looked for', () =>
        host.config.snapshot.results.some(({ source }) => source.file === file),
      );
      fs.mkdirSync(path.dirname(file));
      fs.writeFileSync(file, '{"servers":{"later":{"url":"http://127.0.0.1:9/mcp"}}}');
      await eventually('it is there', () => find('later'));
      fs.rmSync(file);
      await eventually('it is gone', async () => !(await find('later')));
      await settings().update('configFiles', undefined, vscode.ConfigurationTarget.Global);
    });

    it('a denied server stops, stays visible with the rule, and comes back', async () => {
      const before = await pids();
      await settings().update('deniedServers', ['mem*'], vscode.ConfigurationTarget.Global);
      const { state } = await eventually('it is blocked', async () => {
        const view = await viewNamed('memory');
        return view.state.kind === 'blocked' && view;
      });
      assert.ok(state.kind === 'blocked' && state.rule === 'name mem*');
      assert.match(state.reason, /your settings/);
      await eventually('its process is gone', async () => (await pids())['memory'] === undefined);
      assert.equal((await pids())['notes'], before['notes']);
      await settings().update('deniedServers', undefined, vscode.ConfigurationTarget.Global);
      await connected('memory');
    });

    it('a workspace can deny, and can’t allow', async () => {
      await settings().update('deniedServers', ['notes'], vscode.ConfigurationTarget.Global);
      await eventually('it is blocked', async () => (await viewNamed('notes')).state.kind === 'blocked');
      await settings().update('allowedServers', ['notes', 'everything'], vscode.ConfigurationTarget.Workspace);
      await eventually('more is blocked', async () => (await viewNamed('memory')).state.kind === 'blocked');
      assert.equal((await viewNamed('notes')).state.kind, 'blocked');
      assert.equal((await viewNamed('everything')).state.kind, 'connected');
      await settings().update('allowedServers', undefined, vscode.ConfigurationTarget.Workspace);
      await settings().update('deniedServers', undefined, vscode.ConfigurationTarget.Global);
      for (const name of ['notes', 'memory', 'filesystem']) await connected(name);
    });

    it('a command of the editor gives a value, and runs for an approved server alone', async () => {
      let ran = 0;
      const command = vscode.commands.registerCommand('switchboardTest.folder', () => {
        ran += 1;
        return workspaceFile('.data/command').fsPath;
      });
      const file = workspaceFile('.mcp.json');
      const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
      const content = JSON.parse(text) as { mcpServers: Record<string, unknown> };
      content.mcpServers['commanded'] = {
        command: 'npx',
        args: ['--no-install', 'mcp-switchboard-notes'],
        env: { NOTES_DIR: '${command:switchboardTest.folder}' },
      };
      await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(content, undefined, 2)));
      const view = await eventually('it is there', () => find('commanded'));
      assert.equal(view.state.kind, 'blocked');
      assert.equal(ran, 0);
      const { host } = await exportsOf();
      await host.servers.approve([view.definition.id]);
      await connected('commanded');
      assert.equal(ran, 1);
      assert.ok(fs.existsSync(workspaceFile('.data/command').fsPath));
      await vscode.workspace.fs.writeFile(file, Buffer.from(text));
      await eventually('it is gone', async () => !(await find('commanded')));
      command.dispose();
    });

    /** The report in the tab of the editor's preview. */
    async function reported(): Promise<vscode.TextDocument> {
      await vscode.commands.executeCommand('mcpSwitchboard.doctor');
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputCustom, 'it is rendered');
      return vscode.workspace.openTextDocument(input.uri);
    }

    it('Doctor shows its report in a read-only tab', async () => {
      const document = await reported();
      assert.equal(document.languageId, 'markdown');
      assert.ok(!document.isUntitled && !document.isDirty, 'it can be closed without being asked to save it');
      const text = document.getText();
      assert.match(
        text,
        /\| \*\*notes\*\* \| connected, protocol \S+, 4 tools \| project \| stdio \| found \| .*\.mcp\.json:\d+ \|/,
      );
      assert.match(text, /managed-mcp\.json/);
      assert.match(
        text,
        /## Versions\n\n- MCP Switchboard \d+\.\d+\.\d+, commit \S+\n.*`(?:unknown|[0-9a-f]{64})`\n- .*\d \(.+\)\n- \w+ \w+, Node /,
      );
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });

    it('Doctor says that a server failed, and what to do', async () => {
      const file = path.join(folder, 'failing.toml');
      fs.writeFileSync(file, '[mcp_servers.failing]\ncommand = "no-such-command-anywhere"\n');
      await settings().update('configFiles', [file], vscode.ConfigurationTarget.Global);
      await eventually('it failed', async () => (await find('failing'))?.state.kind === 'failed');
      const text = (await reported()).getText();
      assert.match(text, /\| \*\*failing\*\* \| failed: .*no-such-command-anywhere.* \| user \|/);
      assert.match(text, /\*\*error\*\* \S+failing\.toml:1:\d+ \(connect-failed\): failing: Failed: .*\*Connect\*/);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await settings().update('configFiles', undefined, vscode.ConfigurationTarget.Global);
      await eventually('it is gone', async () => !(await find('failing')));
    });
  });
}
