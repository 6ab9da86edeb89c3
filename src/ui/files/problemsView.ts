import * as vscode from 'vscode';
import { Debouncer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ConfigProblem, ProblemSeverity } from '../../config/configTypes.ts';
import type { Host } from '../../host/host.ts';
import { problemsOfTexts } from '../../host/textProblems.ts';
import type { DocumentReader } from './documentReader.ts';
import { problemText } from './problemText.ts';
import { localized } from '../../bridge/text/localized.ts';

/** Definitions and sources change together; one update shows both. */
const UPDATE_DELAY_MS = 20;
/** Between two keystrokes of somebody who types. */
const TYPING_DELAY_MS = 150;

/**
 * Shows the problems of configuration files, with their fixes, in the Problems panel: of a file with unsaved changes those of
 * its text.
 */
export class ProblemsView implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #host: Host;
  readonly #reader: DocumentReader;
  /** Documents whose text isn't what the host has read, by their address. */
  readonly #unsaved = new Map<string, vscode.TextDocument>();

  constructor(host: Host, reader: DocumentReader) {
    this.#host = host;
    this.#reader = reader;
    this.#collection = this.#disposables.add(vscode.languages.createDiagnosticCollection('mcpSwitchboard'));
    const update = this.#disposables.add(new Debouncer(UPDATE_DELAY_MS, systemClock, () => this.#show()));
    this.#disposables.add(host.config.onDidChange(() => update.trigger()));
    this.#disposables.add(host.servers.onDidChange(() => update.trigger()));
    // Problems about tools that a server doesn't list are known once it has listed its tools.
    this.#disposables.add(host.catalog.onDidChange(() => update.trigger()));
    const typed = this.#disposables.add(new Debouncer(TYPING_DELAY_MS, systemClock, () => void this.#showUnsaved()));
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (reader.sourcesOf(document).length === 0) return;
        this.#unsaved.set(document.uri.toString(), document);
        typed.trigger();
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (this.#unsaved.delete(uri.toString())) update.trigger();
      }),
    );
    this.#show();
  }

  #show(): void {
    // What was saved is what the host has read by now.
    for (const [key, { isDirty }] of this.#unsaved) if (!isDirty) this.#unsaved.delete(key);
    const byFile = Map.groupBy(this.#host.problems, ({ range }) => range.file);
    const unsaved = [...this.#unsaved.values()].map(({ uri }) => uri);
    this.#collection.forEach((uri) => {
      if (!unsaved.some(({ fsPath }) => fsPath === uri.fsPath)) this.#collection.delete(uri);
    });
    for (const [file, problems] of byFile) {
      const uri = file === undefined ? undefined : vscode.Uri.file(file);
      if (uri && !unsaved.some(({ fsPath }) => fsPath === uri.fsPath))
        this.#collection.set(uri, problems.map(diagnosticOf));
    }
    void this.#showUnsaved();
  }

  async #showUnsaved(): Promise<void> {
    for (const document of this.#unsaved.values()) {
      const { version } = document;
      const problems = await problemsOfDocument(this.#host, this.#reader, document);
      if (this.#unsaved.has(document.uri.toString()) && document.version === version)
        this.#collection.set(document.uri, problems.map(diagnosticOf));
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The problems of a document as it stands, saved or not. */
export async function problemsOfDocument(
  host: Host,
  reader: DocumentReader,
  document: vscode.TextDocument,
): Promise<readonly ConfigProblem[]> {
  return problemsOfTexts(host, await reader.texts(document));
}

/** A problem as the editor shows it. */
export function diagnosticOf(problem: ConfigProblem): vscode.Diagnostic {
  const { severity, code, message, fix } = problem;
  const text = problemText({ message: localized(message), ...(fix ? { fix: localized(fix) } : {}) });
  const diagnostic = new vscode.Diagnostic(rangeOf(problem), text, severityOf(severity));
  diagnostic.source = 'MCP Switchboard';
  diagnostic.code = code;
  return diagnostic;
}

/** Where a problem is, as the editor counts. */
export function rangeOf({ range }: ConfigProblem): vscode.Range {
  return new vscode.Range(range.line - 1, range.column - 1, range.endLine - 1, range.endColumn - 1);
}

function severityOf(severity: ProblemSeverity): vscode.DiagnosticSeverity {
  switch (severity) {
    case 'error':
      return vscode.DiagnosticSeverity.Error;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    case 'hint':
      return vscode.DiagnosticSeverity.Information;
  }
}
