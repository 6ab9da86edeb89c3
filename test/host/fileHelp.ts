import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { approveDemo, connected, eventually, exportsOf, viewNamed, withSetting, workspaceFile } from './support.ts';

const FILE = (): vscode.Uri => workspaceFile('.mcp.json');

/** Opens the file in an editor, without changes. */
async function open(uri = FILE()): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** Puts a text in place of another one, unsaved. */
async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, from);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
  await vscode.workspace.applyEdit(edit);
}

function problems(uri = FILE()): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'MCP Switchboard');
}

/** Labels of what is completed behind the first `mark` of the document. */
async function completed(document: vscode.TextDocument, mark: string): Promise<string[]> {
  const position = document.positionAt(document.getText().indexOf(mark) + mark.length);
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    position,
  );
  return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}

async function hovered(document: vscode.TextDocument, mark: string): Promise<string> {
  const position = document.positionAt(document.getText().indexOf(mark) + 1);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    position,
  );
  return hovers.flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value)).join('\n');
}

async function rename(document: vscode.TextDocument, position: vscode.Position, to: string): Promise<void> {
  const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
    'vscode.executeDocumentRenameProvider',
    document.uri,
    position,
    to,
  );
  // As Rename Symbol does it: what it changes is saved.
  assert.ok(await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
}

async function lenses(document: vscode.TextDocument): Promise<Record<string, string[]>> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    500,
  );
  const ours = found.filter(({ command }) => command?.command.startsWith('mcpSwitchboard.'));
  const byName = Map.groupBy(ours, ({ range }) => document.getText(range).replaceAll('"', ''));
  return Object.fromEntries(
    [...byName].map(([name, own]) => [
      name,
      own.map(({ command }) => command?.title.replace(/\$\([^)]*\) /, '') ?? ''),
    ]),
  );
}

export function fileHelpSuite(): void {
  describe('help with files of servers', () => {
    let document: vscode.TextDocument;

    let original: Uint8Array;

    const autoSave = (value: string | undefined): Thenable<void> =>
      vscode.workspace.getConfiguration('files').update('autoSave', value, vscode.ConfigurationTarget.Global);

    before(async () => {
      await approveDemo();
      // In a browser, the editor saves by itself.
      await autoSave('off');
      original = await vscode.workspace.fs.readFile(FILE());
      // An entry a line, whatever the suites before have written.
      const { mcpServers } = JSON.parse(Buffer.from(original).toString()) as { mcpServers: Record<string, unknown> };
      const lines = Object.entries(mcpServers).map((entry) => entry.map((part) => JSON.stringify(part)).join(': '));
      await vscode.workspace.fs.writeFile(FILE(), Buffer.from(`{ "mcpServers": {\n${lines.join(',\n')}\n} }\n`));
      document = await open();
      await eventually('the document is fresh', () => document.getText().startsWith('{ "mcpServers": {\n'));
    });

    afterEach(async () => {
      if (document.isDirty) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
    });

    after(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.writeFile(FILE(), original);
      await autoSave(undefined);
    });

    it('the line above a server says how it is here, and what can be done', async () => {
      await eventually('all lines are there', async () => Object.keys(await lenses(document)).length === 4);
      assert.deepEqual((await lenses(document))['notes'], [
        'MCP Switchboard: Connected',
        'Restart',
        '4 tools',
        'Show Log',
      ]);
    });

    it('that line follows the state', async () => {
      const { host } = await exportsOf();
      const id = (await viewNamed('notes')).definition.id;
      await vscode.commands.executeCommand('mcpSwitchboard.disconnect', id);
      await eventually('it says so', async () =>
        (await lenses(document))['notes']?.join(' · ').startsWith('MCP Switchboard: Disconnected · Connect'),
      );
      await host.servers.setDisabled(id, true);
      await eventually('it can be enabled', async () => (await lenses(document))['notes']?.includes('Enable'));
      await host.servers.setDisabled(id, false);
      await vscode.commands.executeCommand('mcpSwitchboard.connect', id);
      await connected('notes');
    });

    it('problems come as one types, without saving, and go with the change', async () => {
      assert.deepEqual(problems(), []);
      await replace(document, '"command":"npx"', '"commnd":"npx"');
      const problem = await eventually('the misspelt field is a problem', () =>
        problems().find(({ code }) => code === 'misspelt-field'),
      );
      assert.ok(document.isDirty);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        problem.range,
        vscode.CodeActionKind.QuickFix.value,
      );
      const fix = actions.find(({ title }) => title === 'Rename it to command');
      assert.ok(fix?.edit);
      await vscode.workspace.applyEdit(fix.edit);
      await eventually('no problem is left', () => problems().length === 0);
      assert.ok(document.isDirty && document.getText().includes('"command":"npx"'));
    });

    it('a variable that isn’t set is a problem of the unsaved text, too', async () => {
      await replace(document, '${workspaceFolder}/.data/notes', '${NO_SUCH_VARIABLE}');
      await eventually('it is', () => problems().some(({ code }) => code === 'unknown-variable'));
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await eventually('it is gone with the change', () => problems().length === 0);
    });

    it('completes variables, programs, packages and tools, and no field that the schema gives', async () => {
      await replace(document, '"${workspaceFolder}/.data/notes"', '"${}"');
      const variables = await completed(document, '"NOTES_DIR":"${');
      assert.ok(variables.includes('${workspaceFolder}') && variables.includes('${env:PATH}'), variables.join(' '));
      await replace(document, '"args":["--no-install","mcp-switchboard-notes"]', '"args": [""], "enabledTools": [""]');
      const packages = await completed(document, '"args": ["');
      assert.ok(packages.includes('@playwright/mcp'), packages.join(' '));
      const tools = await completed(document, '"enabledTools": ["');
      assert.ok(tools.includes('add_note'), tools.join(' '));
      await replace(document, '"enabledTools": [""]', '"command2": "nod", ""');
      const fields = await completed(document, '"nod", "');
      assert.equal(fields.filter((field) => field === 'startMode').length, 1, fields.join(' '));
    });

    it('a hover says what runs, with secrets masked, and what a variable stands for', async () => {
      const folder = workspaceFile('.').fsPath;
      await replace(document, '{"NOTES_DIR"', '{"API_TOKEN": "sk-proj-4f9a8b7c6d5e4f3a2b1c", "NOTES_DIR"');
      const launch = await hovered(document, '"notes": {');
      assert.match(launch, /npx --no-install mcp-switchboard-notes/);
      assert.ok(launch.includes(`NOTES_DIR=${folder}`) && launch.includes('API_TOKEN=•••'), launch);
      assert.ok(!launch.includes('sk-proj'));
      assert.match(await hovered(document, '${workspaceFolder}/.data/notes'), /is ` ?\/.* ?`/);
    });

    it('renames a server with its rules, its approval, its grants and its pins; it runs again at once', async () => {
      const { host } = await exportsOf();
      const before = (await viewNamed('notes')).definition;
      const grantsOf = (id: string): number => host.grants.all.filter(({ serverId }) => serverId === id).length;
      await host.grants.grantAlways({
        key: { serverId: before.id, fingerprint: before.fingerprint, tool: 'add_note', pin: 'pin' },
        serverName: 'notes',
        at: 0,
      });
      const granted = grantsOf(before.id);
      const settings = workspaceFile('.vscode/settings.json');
      const textOf = async (): Promise<string> => {
        const opened = await vscode.workspace.openTextDocument(settings);
        await opened.save();
        return opened.getText();
      };
      const setRules = (rules: unknown): Thenable<void> =>
        vscode.workspace
          .getConfiguration('mcpSwitchboard')
          .update('permissions.rules', rules, vscode.ConfigurationTarget.Workspace);
      await setRules([{ tool: 'mcp__notes__delete_*', action: 'deny' }]);
      const position = document.positionAt(document.getText().indexOf('"notes"') + 2);
      await assert.rejects(rename(document, position, 'memory'), /in use/);
      await rename(document, position, 'my notes');
      await vscode.workspace.saveAll();
      const isThere = (name: string): boolean => host.views.some(({ definition }) => definition.name === name);
      await eventually('it has its new name', () => isThere('my notes') && !isThere('notes'));
      const after = (await connected('my notes')).definition;
      assert.notEqual(after.id, before.id);
      assert.deepEqual([grantsOf(before.id), grantsOf(after.id)], [0, granted]);
      await eventually('its rule follows', async () => (await textOf()).includes('"mcp__my notes__delete_*"'));
      await rename(document, document.positionAt(document.getText().indexOf('"my notes"') + 2), 'notes');
      await vscode.workspace.saveAll();
      await eventually('it has its old name', () => isThere('notes') && !isThere('my notes'));
      await connected('notes');
      await eventually('its rule follows back', async () => (await textOf()).includes('"mcp__notes__delete_*"'));
      const added = host.grants.all.find(({ serverId, pin }) => serverId === before.id && pin === 'pin');
      await host.grants.revoke(added?.id ?? '');
      await setRules(undefined);
    });

    it('another client’s file, in TOML, has the same where it is read: outline, lens, hover, problems', async () => {
      const { host } = await exportsOf();
      const uri = workspaceFile('.codex/config.toml');
      const text = '[mcp_servers.tomly]\ncommand = "node"\nargs = ["x.js"]\nstartmod = "manual"\n';
      await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
      await withSetting('discovery', ['codex'], async () => {
        await eventually('it is read', () => host.views.some(({ definition }) => definition.name === 'tomly'));
        const toml = await open(uri);
        const symbols = await eventually('it has an outline', async () => {
          const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
            'vscode.executeDocumentSymbolProvider',
            uri,
          );
          return found && found.length > 0 && found;
        });
        assert.deepEqual(
          symbols.map(({ name, detail }) => [name, detail]),
          [['tomly', 'node x.js']],
        );
        assert.equal(toml.getText(symbols[0]?.selectionRange), 'tomly');
        assert.match((await lenses(toml))['tomly']?.[0] ?? '', /^MCP Switchboard: /);
        assert.match(await hovered(toml, 'tomly'), /node x\.js/);
        await eventually('the problem is shown', () =>
          problems(uri).some(({ message }) => message.includes('the field is called `startMode`')),
        );
      });
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, '..'), { recursive: true });
      document = await open();
    });

    it('shows the server at the cursor in its view', async () => {
      const editor = await vscode.window.showTextDocument(document);
      const position = document.positionAt(document.getText().indexOf('"memory"') + 3);
      editor.selection = new vscode.Selection(position, position);
      await vscode.commands.executeCommand('mcpSwitchboard.showInServersView');
      const { tree } = await exportsOf();
      const id = (await viewNamed('memory')).definition.id;
      await eventually('it is selected', () =>
        tree.view.selection.some((node) => node.kind === 'server' && node.serverId === id),
      );
    });
  });
}
