import { localized } from '../../bridge/text/localized.ts';
import { say } from '../../base/say.ts';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import type { EditedConfig } from '../../config/edit/editConfigFile.ts';
import { ensureConfigFile, type FileScope } from './openConfig.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

/** So long it is waited for the editor to read a file that was just changed on disk, in milliseconds. */
const REREAD_MS = 3_000;

/**
 * Changes a file of servers, created first if there is none, saves it and shows it. Where the editor hasn't read yet what is on
 * disk, it refuses the change, which is made again once it has.
 * @param change returns the new text, or why the file doesn't change: then the place is shown
 * @throws SwitchboardError `unsupported` where it can't be written
 */
export async function changeConfigFile(
  uri: vscode.Uri,
  scope: FileScope,
  change: (text: string) => EditedConfig | Promise<EditedConfig>,
): Promise<boolean> {
  await ensureConfigFile(uri, scope);
  const document = await vscode.workspace.openTextDocument(uri);
  let edited = await change(document.getText());
  if ('text' in edited && !(await replaced(document, edited.text))) {
    await reread(document);
    edited = await change(document.getText());
    if ('text' in edited && !(await replaced(document, edited.text))) throw unwritten(uri);
  }
  if ('refusal' in edited) {
    const { line, column, message } = edited.refusal;
    const at = new vscode.Position(line - 1, column - 1);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
    void notify(
      'error',
      vscode.l10n.t('Nothing was added. Fix {0}, line {1}, first: {2}', uri.fsPath, line, localized(message)),
    );
    return false;
  }
  await document.save();
  // Saving says false, too, where there was nothing to save: the editor may do it by itself.
  if (document.isDirty) throw unwritten(uri);
  // Not in the place of a walkthrough, which is a preview, too.
  await vscode.window.showTextDocument(document, { preview: false });
  return true;
}

function replaced({ uri, lineCount }: vscode.TextDocument, text: string): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, lineCount, 0), text);
  return vscode.workspace.applyEdit(edit);
}

/** Waits until the editor has read the file again. */
function reread(document: vscode.TextDocument): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      timer.dispose();
      changes.dispose();
      resolve();
    };
    const timer = systemClock.schedule(REREAD_MS, done);
    const changes = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) done();
    });
  });
}

function unwritten(uri: vscode.Uri): SwitchboardError {
  return new SwitchboardError('unsupported', say`${uri.fsPath} could not be written.`, {
    remedy: say`Check that you have write access.`,
  });
}

/** Where a new definition can be saved. */
const TARGETS = ['project', 'workspace', 'repository', 'local', 'user', 'copilot', 'session'] as const;
export type Target = (typeof TARGETS)[number];

/** The targets that there are here: GitHub Copilot’s files where they are read, a folder’s own place where one is open. */
export function availableTargets({ localFile, discovery }: Pick<SourceOptions, 'localFile' | 'discovery'>): Target[] {
  const isThere = (target: Target): boolean => {
    if (target === 'local') return localFile !== undefined;
    return (target !== 'repository' && target !== 'copilot') || discovery.includes('copilot');
  };
  return TARGETS.filter(isThere);
}

/** A target as an item of a quick pick. */
export function targetItem<T extends Target>(target: T): vscode.QuickPickItem & { readonly target: T } {
  return { target, ...textsOf(target) };
}

function textsOf(target: Target): { readonly label: string; readonly description?: string; readonly detail: string } {
  const { t } = vscode.l10n;
  switch (target) {
    case 'project':
      return {
        label: t('Project'),
        description: '.mcp.json',
        detail: t('Everyone on the project and their other agents, who get the file with the folder'),
      };
    case 'workspace':
      return {
        label: t('Workspace'),
        description: '.vscode/mcp.json',
        detail: t('Everyone who opens this folder in VS Code and gets the file with it'),
      };
    case 'repository':
      return {
        label: t('Repository'),
        description: '.github/mcp.json',
        detail: t('Everyone on the project; GitHub Copilot reads it, too, where there is no .mcp.json'),
      };
    case 'copilot':
      return {
        label: t('GitHub Copilot'),
        description: '~/.copilot/mcp-config.json',
        detail: t('Only you, in all folders; GitHub Copilot in the terminal and in agent sessions has it, too'),
      };
    case 'local':
      return { label: t('Local'), detail: t('Only you, in this folder, on this machine') };
    case 'user':
      return {
        label: t('User'),
        description: 'mcpSwitchboard.servers',
        detail: t('Only you, in all folders; with Settings Sync on your other machines, too'),
      };
    case 'session':
      return { label: t('This session only'), detail: t('Not saved; until the window closes') };
  }
}
