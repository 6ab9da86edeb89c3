import * as vscode from 'vscode';
import { parseAnySource } from '../../config/read/parseAnySource.ts';
import type { ConfigProblem } from '../../config/configTypes.ts';
import type { Host } from '../../host/host.ts';
import { diagnosticOf, rangeOf } from './problemsView.ts';

/** The quick fixes in a range. The document is parsed again because it may have unsaved changes: offsets refer to its text. */
export async function quickFixes(
  host: Host,
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<vscode.CodeAction[]> {
  const sources = host.config.snapshot.results
    .map(({ source }) => source)
    .filter(({ file }) => file !== undefined && vscode.Uri.file(file).fsPath === document.uri.fsPath);
  const text = document.getText();
  const problems: ConfigProblem[] = [];
  for (const source of sources) {
    const parsed = await parseAnySource(source, text);
    problems.push(...parsed.problems, ...parsed.entries.flatMap((entry) => host.variableProblems(entry)));
  }
  return problems.flatMap((problem) =>
    problem.edit && rangeOf(problem).intersection(range) ? [actionOf(document, problem, problem.edit)] : [],
  );
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
  return (fix ?? message).replace(/\.$/, '').replaceAll('`', '');
}
