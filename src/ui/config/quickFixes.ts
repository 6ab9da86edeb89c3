import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';

const FILES = { scheme: 'file', pattern: '**/{*.json,*.jsonc,*.toml,*.code-workspace}' };

/** Offers the `edit` of a problem as a quick fix. */
export function registerQuickFixes(host: Host): Disposable {
  return vscode.languages.registerCodeActionsProvider(
    FILES,
    {
      provideCodeActions: async (document, range) =>
        isSource(host, document) ? (await import('./quickFixActions.ts')).quickFixes(host, document, range) : [],
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function isSource(host: Host, { uri }: vscode.TextDocument): boolean {
  return host.config.snapshot.results.some(
    ({ source: { file } }) => file !== undefined && vscode.Uri.file(file).fsPath === uri.fsPath,
  );
}
