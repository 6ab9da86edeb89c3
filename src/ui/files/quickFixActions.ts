import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/configTypes.ts';
import type { Host } from '../../host/host.ts';
import type { DocumentReader } from './documentReader.ts';
import { diagnosticOf, problemsOfDocument, rangeOf } from './problemsView.ts';

/** Offers the `edit` of a problem as a quick fix: offsets refer to the text as it stands, saved or not. */
export class QuickFixes implements vscode.CodeActionProvider {
  readonly #host: Host;
  readonly #reader: DocumentReader;

  constructor(host: Host, reader: DocumentReader) {
    this.#host = host;
    this.#reader = reader;
  }

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const problems = await problemsOfDocument(this.#host, this.#reader, document);
    return problems.flatMap((problem) =>
      problem.edit && rangeOf(problem).intersection(range) ? [actionOf(document, problem, problem.edit)] : [],
    );
  }
}

function actionOf(
  document: vscode.TextDocument,
  problem: ConfigProblem,
  { offset, length, text }: NonNullable<ConfigProblem['edit']>,
): vscode.CodeAction {
  const action = new vscode.CodeAction(titleOf(problem), vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
    text,
  );
  action.diagnostics = [diagnosticOf(problem)];
  action.isPreferred = problem.code !== 'unknown-variable';
  return action;
}

function titleOf({ code, fix, message }: ConfigProblem): string {
  if (code === 'unknown-variable') return vscode.l10n.t('Add an empty default');
  return localized(fix ?? message)
    .replace(/\.$/, '')
    .replaceAll('`', '');
}
