import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { eventually, exportsOf, pids, workspaceFile } from './support.ts';

const FILE = (): vscode.Uri => workspaceFile('.vscode/mcp.json');

async function write(text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(FILE(), Buffer.from(text));
}

function problems(): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(FILE()).filter(({ source }) => source === 'MCP Switchboard');
}

/** Waits for the problem of this code, applies its quick fix as the editor would, and saves. */
async function fix(code: string, title: string): Promise<string> {
  const problem = await eventually(`there is a problem ${code}`, () => problems().find((item) => item.code === code));
  const document = await vscode.workspace.openTextDocument(FILE());
  const action = await eventually('there is a quick fix', async () => {
    const asked = vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      FILE(),
      problem.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    // Where the document changes meanwhile, the editor cancels it.
    const [found] = await Promise.allSettled([asked]);
    return found.status === 'fulfilled' && found.value.find((action) => action.title === title);
  });
  assert.ok(action.edit);
  await vscode.workspace.applyEdit(action.edit);
  await document.save();
  await eventually(`the problem ${code} is gone`, () => !problems().some((item) => item.code === code));
  return document.getText();
}

export function quickFixesSuite(): void {
  describe('problems with quick fixes', () => {
    let original: string | undefined;

    before(async () => {
      original = await vscode.workspace.fs.readFile(FILE()).then(
        (bytes) => Buffer.from(bytes).toString(),
        () => undefined,
      );
    });

    after(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      if (original === undefined) await vscode.workspace.fs.delete(FILE());
      else await write(original);
      await eventually('no problem is left', () => problems().length === 0);
    });

    it('a missing comma', async () => {
      await write('{\n  "servers": {\n    "a": { "command": "x" }\n    "b": { "command": "x" }\n  }\n}\n');
      assert.match(
        await fix('missing-comma', 'Add a comma after the previous value'),
        /"a": \{ "command": "x" \},\n {4}"b"/,
      );
    });

    it('a variable that has no value', async () => {
      await write('{\n  "servers": {\n    "a": { "command": "x", "env": { "K": "${NO_SUCH_VARIABLE}" } }\n  }\n}\n');
      assert.match(await fix('unknown-variable', 'Add an empty default'), /"\$\{NO_SUCH_VARIABLE:-\}"/);
    });

    it('`mcpServers` where the editor reads `servers`', async () => {
      await write('{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n');
      assert.match(await fix('other-section', 'Rename it to servers'), /^\{\n {2}"servers": \{/);
    });

    it('a key that nobody reads', async () => {
      await write('{\n  "mcp-servers": {\n    "a": { "command": "x" }\n  }\n}\n');
      assert.match(await fix('unread-section', 'Rename it to servers'), /^\{\n {2}"servers": \{/);
    });

    it('a command line in `command`', async () => {
      await write('{\n  "servers": {\n    "a": { "command": "npx -y \'a b\'", "args": ["c"] }\n  }\n}\n');
      assert.match(
        await fix('command-with-arguments', 'Keep npx and move the rest to args'),
        /"command": "npx", "args": \["-y", "a b", "c"\]/,
      );
    });

    it('a wrong name of a type', async () => {
      await write('{\n  "servers": {\n    "a": { "type": "streamable", "url": "https://h.example.com" }\n  }\n}\n');
      assert.match(await fix('unknown-type', 'Change to "http", or remove type'), /"type": "http"/);
    });

    it('unsaved text is fixed as it is', async () => {
      await write('{\n  "servers": {\n    "a": { "type": "streamable", "url": "https://h.example.com" }\n  }\n}\n');
      await eventually('there is a problem', () => problems().some(({ code }) => code === 'unknown-type'));
      const document = await vscode.workspace.openTextDocument(FILE());
      await eventually('the document is fresh', () => document.getText().includes('streamable'));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(FILE(), new vscode.Position(1, 0), '  // three\n  // more\n  // lines\n');
      await vscode.workspace.applyEdit(edit);
      const range = document.getText().indexOf('"streamable"');
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        FILE(),
        new vscode.Range(document.positionAt(range), document.positionAt(range + 3)),
        vscode.CodeActionKind.QuickFix.value,
      );
      const fix = actions.find(({ title }) => title === 'Change to "http", or remove type');
      assert.ok(fix?.edit);
      await vscode.workspace.applyEdit(fix.edit);
      assert.match(document.getText(), /lines\n {2}"servers": \{\n {4}"a": \{ "type": "http", "url"/);
      await document.save();
    });

    it('nothing of this has touched a server that runs', async () => {
      assert.deepEqual(Object.keys(await pids()).sort(), ['everything', 'filesystem', 'memory', 'notes']);
      const { host } = await exportsOf();
      assert.ok(!host.pool.all.some(({ name }) => name === 'a'));
    });
  });
}
