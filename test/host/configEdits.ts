import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { connected, eventually, exportsOf, pids, viewNamed, workspaceFile } from './support.ts';

const ECHO = {
  command: 'npx',
  args: ['--no-install', 'mcp-switchboard-notes'],
  env: { NOTES_DIR: '${workspaceFolder}/.data/extra' },
};

interface McpFile {
  mcpServers: Record<string, unknown>;
}

async function readText(): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(workspaceFile('.mcp.json'))).toString();
}

async function writeText(text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(workspaceFile('.mcp.json'), Buffer.from(text));
}

async function edit(change: (file: McpFile) => void): Promise<void> {
  const file = JSON.parse(await readText()) as McpFile;
  change(file);
  await writeText(JSON.stringify(file, undefined, 2));
}

async function approve(name: string): Promise<void> {
  const { host } = await exportsOf();
  await host.servers.approve([(await viewNamed(name)).definition.id]);
}

async function waits(name: string): Promise<void> {
  const { host } = await exportsOf();
  await eventually(`${name} waits for approval`, () =>
    host.views.some(({ definition, state }) => definition.name === name && state.kind === 'blocked'),
  );
}

function diagnostics(): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(workspaceFile('.mcp.json'))
    .filter(({ source }) => source === 'MCP Switchboard');
}

export function configEditsSuite(): void {
  describe('edits of the configuration', () => {
    it('a server that is added appears, waits for approval, and touches no other', async () => {
      const before = await pids();
      await edit((file) => (file.mcpServers['extra'] = ECHO));
      await waits('extra');
      assert.deepEqual(await pids(), before);
      await approve('extra');
      await connected('extra');
    });

    it('what it says of a tool that isn’t there is a problem once the server has listed its tools', async () => {
      await edit((file) => (file.mcpServers['extra'] = { ...ECHO, toolOverrides: { no_such_tool: { hidden: true } } }));
      await waits('extra');
      const about = (): vscode.Diagnostic[] => diagnostics().filter(({ message }) => message.includes('no_such_tool'));
      assert.deepEqual(about(), []);
      await approve('extra');
      await connected('extra');
      await eventually('the problem is shown', () => about().length === 1);
      await edit((file) => (file.mcpServers['extra'] = ECHO));
      await waits('extra');
      await approve('extra');
      await connected('extra');
      await eventually('the problem is gone', () => about().length === 0);
    });

    it('a server that is changed asks again and restarts, alone', async () => {
      const before = await pids();
      await edit(
        (file) => (file.mcpServers['extra'] = { ...ECHO, env: { NOTES_DIR: '${workspaceFolder}/.data/other' } }),
      );
      await waits('extra');
      assert.equal((await viewNamed('extra')).definition.status.kind, 'needs-approval');
      await eventually('the old process is gone', async () => (await pids())['extra'] === undefined);
      await approve('extra');
      await connected('extra');
      const after = await pids();
      assert.notEqual(after['extra'], before['extra']);
      assert.deepEqual({ ...after, extra: 0 }, { ...before, extra: 0 });
    });

    it('a server that is removed ends, and touches no other', async () => {
      const { extra, ...others } = await pids();
      await edit((file) => delete file.mcpServers['extra']);
      await eventually(
        'it is gone',
        async () => !(await exportsOf()).host.views.some((view) => view.definition.name === 'extra'),
      );
      await eventually('its process is gone', () => !isAlive(extra ?? 0));
      assert.deepEqual(await pids(), others);
    });

    it('a file that is broken is a Problem with a line, and keeps what ran', async () => {
      const before = await pids();
      const text = await readText();
      await writeText(text.replace('"mcpServers"', '"mcpServers'));
      const [problem] = await eventually('there is a problem', () => diagnostics().length > 0 && diagnostics());
      assert.ok((problem?.message.length ?? 0) > 20);
      assert.deepEqual(await pids(), before);
      await writeText(text);
      await eventually('the problem is gone', () => diagnostics().length === 0);
      assert.deepEqual(await pids(), before);
    });

    it('a broken entry is a Problem on its line with what to do, and costs no other', async () => {
      const before = await pids();
      await edit((file) => (file.mcpServers['broken'] = { args: ['x'] }));
      const [problem] = await eventually('there is a problem', () => diagnostics().length > 0 && diagnostics());
      const document = await vscode.workspace.openTextDocument(workspaceFile('.mcp.json'));
      await eventually('the document is fresh', () => document.getText().includes('"broken"'));
      const line = document
        .getText()
        .split('\n')
        .findIndex((each) => each.includes('"broken"'));
      assert.ok(problem && Math.abs(problem.range.start.line - line) <= 1, 'on its line');
      assert.deepEqual(await pids(), before);
      await edit((file) => delete file.mcpServers['broken']);
      await eventually('the problem is gone', () => diagnostics().length === 0);
    });

    it('a server of the user setting starts with no question, live', async () => {
      const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
      const server = {
        command: process.execPath,
        args: [`${process.env['SWITCHBOARD_ROOT']}/demo/notes-server/main.js`],
      };
      await settings.update(
        'servers',
        { mine: { ...server, env: { NOTES_DIR: workspaceFile('.data/mine').fsPath } } },
        true,
      );
      await eventually('mine is connected', async () => {
        const { host } = await exportsOf();
        return host.views.some(({ definition, state }) => definition.name === 'mine' && state.kind === 'connected');
      });
      const { mine } = await pids();
      await settings.update('servers', undefined, true);
      await eventually('its process is gone', () => !isAlive(mine ?? 0));
    });

    it('a workspace can’t pass for the user', async () => {
      const settings = workspaceFile('.vscode/settings.json');
      const text = Buffer.from(await vscode.workspace.fs.readFile(settings)).toString();
      const hostile = text.replace(
        '{',
        '{ "editor.tabSize": 3, "mcpSwitchboard.servers": { "hostile": { "command": "touch", "args": ["/tmp/x"] } },',
      );
      await vscode.workspace.fs.writeFile(settings, Buffer.from(hostile));
      await eventually(
        'the window has the setting',
        () => vscode.workspace.getConfiguration('editor').inspect('tabSize')?.workspaceValue === 3,
      );
      // What the user sets afterwards is read with it.
      const { host } = await exportsOf();
      const isThere = (wanted: string): boolean => host.views.some(({ definition }) => definition.name === wanted);
      const own = vscode.workspace.getConfiguration('mcpSwitchboard');
      await own.update('servers', { later: { command: 'later', disabled: true } }, true);
      await eventually('what came later is there', () => isThere('later'));
      assert.ok(!isThere('hostile'));
      await own.update('servers', undefined, true);
      await vscode.workspace.fs.writeFile(settings, Buffer.from(text));
      await eventually('it is gone again', () => !isThere('later'));
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
