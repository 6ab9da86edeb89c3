import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

export function files(useWindow: UseSharedWindow): void {
  describe('a file of servers in its editor, by keyboard', () => {
    let window: AgentWindow;
    let original: string;
    const file = (): string => join(window.folder, '.mcp.json');
    const text = (): string => readFileSync(file(), 'utf8');

    useWindow({ 'files.autoSave': 'off', 'editor.minimap.enabled': false }, async (opened) => {
      window = opened;
      original = text();
      const { mcpServers } = JSON.parse(original) as { mcpServers: Record<string, unknown> };
      const lines = Object.entries(mcpServers).map((entry) => entry.map((part) => JSON.stringify(part)).join(': '));
      writeFileSync(file(), `{\n  "mcpServers": {\n    ${lines.join(',\n    ')}\n  }\n}\n`);
      await open('.mcp.json');
    });

    after(() => {
      writeFileSync(file(), original);
      rmSync(join(window.folder, '.vscode', 'mcp.json'), { force: true });
    });

    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await window.page.keyboard.press(key);
    };
    const shown = (selector: string, hasText: string | RegExp): Locator =>
      window.page.locator(selector, { hasText }).first();
    const editorText = (part: string): Locator => shown('.editor-instance .view-lines', part);

    async function open(name: string): Promise<void> {
      await press('Control+P');
      await window.fillBox(name);
      await window.pickRow('mcp.json').waitFor();
      await press('Enter');
      await editorText('"mcpServers"').or(editorText('"servers"')).first().waitFor();
    }

    /** Selects the first place of a text in the editor. */
    async function select(part: string): Promise<void> {
      await press('Control+Home', 'Control+F');
      const find = window.page.locator('.find-widget.visible textarea').first();
      await find.fill(part);
      await shown('.find-widget .matchesCount', / of [1-9]/).waitFor();
      // Of a text that was looked for before nothing is selected yet.
      const count = await window.page.locator('.find-widget .matchesCount').first().innerText();
      if (!count.startsWith('1 ')) await press('Enter');
      await shown('.find-widget .matchesCount', /1 of/).waitFor();
      await press('Escape');
      await window.page.locator('.find-widget.visible').waitFor({ state: 'detached' });
    }

    async function save(): Promise<void> {
      await press('Control+S');
      await window.page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    }

    const lens = (part: string): Locator => shown('.codelens-decoration', part);

    it('the line above a server says how it is, and what can be done', async () => {
      await lens('MCP Switchboard: Connected').waitFor();
      // The editor draws the line anew when a server's state changes.
      const line = /MCP Switchboard: Connected.*Restart.*4 tools.*Show Log/;
      await window.until(async () => line.test((await lens('4 tools').innerText()).replaceAll(/\s+/g, ' ')));
      await window.screenshot('file-lenses');
    });

    it('completes variables in a string', async () => {
      // Without its quotes: one that is typed would be put around what is selected.
      await select('${workspaceFolder}/.data/notes');
      await window.page.keyboard.type('${');
      await shown('.suggest-widget.visible .monaco-list-row', '${workspaceFolder}').waitFor();
      await window.screenshot('file-completion');
      await window.page.keyboard.type('userH');
      await shown('.suggest-widget.visible .monaco-list-row', '${userHome}').waitFor();
      await press('Enter');
      await editorText('"NOTES_DIR":"${userHome}"').waitFor();
      await window.runCommand('File: Revert File');
      await editorText('${workspaceFolder}/.data/notes').waitFor();
    });

    it('a misspelt field is a problem before anything is saved, and its fix renames it', async () => {
      const before = text();
      await select('command');
      await window.page.keyboard.type('commnd');
      await window.page.locator('.squiggly-warning').first().waitFor();
      await press('Escape');
      const said = shown('.zone-widget', 'the field is called');
      await window.until(async () => {
        await press('F8');
        return said.isVisible();
      });
      await window.screenshot('file-problem');
      await press('Escape', 'Control+.');
      await shown('.action-widget .monaco-list-row', 'Rename it to command').waitFor();
      await window.screenshot('file-quick-fix');
      await press('Enter');
      await window.page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
      assert.equal(text(), before);
      await window.runCommand('File: Revert File');
    });

    it('a hover says what runs', async () => {
      await select('"notes"');
      await press('ArrowLeft', 'ArrowRight', 'Control+K', 'Control+I');
      await shown('.monaco-hover:visible', join(window.folder, '.data', 'notes')).waitFor();
      await window.screenshot('file-hover');
      await press('Escape');
    });

    it('is as clear in a light theme and in high contrast', async () => {
      for (const [theme, name] of [
        ['Default Light Modern', 'light'],
        ['Default High Contrast', 'high-contrast'],
      ] as const) {
        await window.changeSettings({ 'workbench.colorTheme': theme });
        await select('"notes"');
        await press('ArrowLeft', 'ArrowRight', 'Control+K', 'Control+I');
        await shown('.monaco-hover:visible', join(window.folder, '.data', 'notes')).waitFor();
        await window.screenshot(`file-${name}`);
        await press('Escape');
      }
      await window.changeSettings({ 'workbench.colorTheme': null });
    });

    it('F2 renames a server: saved, it runs under its new name, without a question', async () => {
      for (const [from, to] of [
        ['memory', 'recall'],
        ['recall', 'memory'],
      ] as const) {
        await select(`"${from}"`);
        await press('ArrowLeft', 'ArrowRight', 'F2');
        const box = window.page.locator('.rename-box .rename-input').first();
        await box.fill(to);
        await window.screenshot('file-rename');
        await box.press('Enter');
        await editorText(`"${to}":`).waitFor();
        await save();
        await window.treeRow(to, '9 tools').waitFor();
        // The editor's own list, in which it is handed over, closes by itself.
        await window.handedOver([to]);
        await window.page.locator('.quick-input-widget').first().waitFor({ state: 'hidden' });
      }
    });

    it('shows the server at the cursor in its view', async () => {
      await select('"filesystem"');
      await window.runCommand('MCP Switchboard: Show in Servers View');
      await window.page.locator('.sidebar .monaco-list-row.focused', { hasText: 'filesystem' }).first().waitFor();
      await window.screenshot('file-shown-in-view');
    });

    it('in VS Code’s own file, says how the server is here, whatever VS Code says of its copy', async () => {
      mkdirSync(join(window.folder, '.vscode'), { recursive: true });
      const entry = { command: 'node', args: ['nothing.js'], startMode: 'manual' };
      writeFileSync(
        join(window.folder, '.vscode', 'mcp.json'),
        JSON.stringify({ servers: { beside: entry } }, undefined, 2),
      );
      await window.treeRow('beside', 'Needs approval').waitFor();
      // From the list of servers the focus goes to the editor with what is opened.
      await window.runCommand('MCP Switchboard: Open Workspace Configuration');
      await editorText('"servers"').waitFor();
      await lens('MCP Switchboard: Needs approval').waitFor();
      await window.screenshot('file-beside-vscode');
    });
  });
}
