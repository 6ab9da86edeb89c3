import * as vscode from 'vscode';
import { Debouncer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import { placeOf, suggestionsAt, type Suggestion } from './argumentHelp.ts';
import { checkArguments, PLAN_SCHEME, plannedAt } from './plannedArguments.ts';

const CHECK_DELAY_MS = 300;

/** Shows errors in edited arguments as the user types, and completes names and values by the tool's schema. */
export function registerPlanHelp(host: Host): Disposable {
  const store = new DisposableStore();
  const problems = store.add(vscode.languages.createDiagnosticCollection(PLAN_SCHEME));
  const check = async (): Promise<void> => {
    for (const document of vscode.workspace.textDocuments)
      if (document.uri.scheme === PLAN_SCHEME) problems.set(document.uri, await problemsOf(host, document));
  };
  const soon = store.add(new Debouncer(CHECK_DELAY_MS, systemClock, () => void check()));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => isPlan(document) && soon.trigger()));
  store.add(vscode.workspace.onDidOpenTextDocument((document) => isPlan(document) && soon.trigger()));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)));
  store.add(
    vscode.languages.registerCompletionItemProvider(
      { scheme: PLAN_SCHEME },
      { provideCompletionItems: (document, position) => completions(host, document, position) },
      '"',
      ':',
    ),
  );
  soon.trigger();
  return store;
}

function isPlan({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === PLAN_SCHEME;
}

async function problemsOf(host: Host, document: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
  const planned = plannedAt(host, document.uri);
  if (!planned) return [];
  const text = document.getText();
  const { mistakes, args } = await checkArguments(host, planned, text);
  // The editor itself reports invalid JSON.
  if (!args) return [];
  return mistakes.map((mistake) => {
    const { offset, length } = placeOf(text, mistake);
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    return new vscode.Diagnostic(range, mistake, vscode.DiagnosticSeverity.Error);
  });
}

function completions(
  host: Host,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] | undefined {
  const planned = plannedAt(host, document.uri);
  const schema = planned && host.catalog.find(planned.tool)?.tool.inputSchema;
  if (!schema) return undefined;
  const offset = document.offsetAt(position);
  return suggestionsAt(schema, document.getText(), offset).map((each) => itemOf(document, position, each));
}

function itemOf(
  document: vscode.TextDocument,
  position: vscode.Position,
  suggestion: Suggestion,
): vscode.CompletionItem {
  const { label, detail, documentation, insert, isName, offset, length } = suggestion;
  const kind = isName ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Value;
  const item = new vscode.CompletionItem(label, kind);
  const replacing = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  item.detail = detail;
  item.documentation = documentation;
  item.insertText = insert;
  item.filterText = document.getText(replacing).startsWith('"') ? JSON.stringify(label) : label;
  // Before the editor's own suggestions for JSON.
  item.sortText = `!${detail.endsWith('*') ? 0 : 1}${label}`;
  item.range = { inserting: new vscode.Range(replacing.start, position), replacing };
  return item;
}
