import * as vscode from 'vscode';
import { Debouncer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ConfigProblem, ProblemSeverity } from '../../config/configTypes.ts';
import type { Host } from '../../host/host.ts';

/** Definitions and sources change together; one update shows both. */
const UPDATE_DELAY_MS = 20;

/** Shows the problems of configuration files, with their fixes, in the Problems panel. */
export class ProblemsView implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    this.#collection = this.#disposables.add(vscode.languages.createDiagnosticCollection('mcpSwitchboard'));
    const update = this.#disposables.add(new Debouncer(UPDATE_DELAY_MS, systemClock, () => this.#show()));
    this.#disposables.add(host.config.onDidChange(() => update.trigger()));
    this.#disposables.add(host.servers.onDidChange(() => update.trigger()));
    // Problems about tools that a server doesn't list are known once it has listed its tools.
    this.#disposables.add(host.catalog.onDidChange(() => update.trigger()));
  }

  #show(): void {
    const byFile = Map.groupBy(this.#host.problems, ({ range }) => range.file);
    this.#collection.clear();
    for (const [file, problems] of byFile)
      if (file !== undefined) this.#collection.set(vscode.Uri.file(file), problems.map(diagnosticOf));
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** A problem as the editor shows it. */
export function diagnosticOf(problem: ConfigProblem): vscode.Diagnostic {
  const { message, fix, severity, code } = problem;
  const diagnostic = new vscode.Diagnostic(rangeOf(problem), fix ? `${message} ${fix}` : message, severityOf(severity));
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
