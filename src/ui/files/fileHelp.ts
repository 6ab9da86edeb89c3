// Loaded when a file of servers is open, or has a problem.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import { DocumentReader } from './documentReader.ts';
import { FileCompletion } from './fileCompletion.ts';
import { FileHover } from './fileHover.ts';
import { KnownNames } from './knownNames.ts';
import type { FileHelpPorts } from './lazyFileHelp.ts';
import { ProblemsView } from './problemsView.ts';
import { QuickFixes } from './quickFixActions.ts';
import { ServerLenses } from './serverLenses.ts';
import { ServerRename } from './serverRename.ts';
import { TomlSymbols } from './tomlSymbols.ts';

/** The editor's own files, such as its settings, may have an address of their own. */
const SCHEMES = ['file', 'vscode-userdata'];

/**
 * Helps with the files that servers are read from: problems, quick fixes, completion, hovers, the line above each server,
 * renaming, symbols.
 */
export class FileHelp implements Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  readonly #providers = this.#disposables.add(new DisposableStore());
  readonly #completion: FileCompletion;
  readonly #hover: FileHover;
  readonly #lenses: ServerLenses;
  readonly #fixes: QuickFixes;
  readonly #rename: ServerRename;
  readonly #symbols: TomlSymbols;
  #files = '';

  constructor({ host, extensionFolder, consents }: FileHelpPorts) {
    this.#host = host;
    const reader = new DocumentReader(host);
    const names = new KnownNames(host, extensionFolder);
    this.#disposables.add(new ProblemsView(host, reader));
    this.#completion = new FileCompletion(reader, names);
    this.#hover = new FileHover(host, reader, names);
    this.#lenses = this.#disposables.add(new ServerLenses(host, reader));
    this.#fixes = new QuickFixes(host, reader);
    this.#rename = this.#disposables.add(new ServerRename(host, reader, consents));
    this.#symbols = new TomlSymbols(reader);
    const tell = (): void => tellMenus(reader);
    this.#disposables.add(vscode.window.onDidChangeActiveTextEditor(tell));
    this.#disposables.add(
      host.config.onDidChange(() => {
        this.#register();
        tell();
      }),
    );
    this.#register();
    tell();
  }

  /** For exactly the files that servers are read from, so that no other document of their kind is concerned. */
  #register(): void {
    const files = this.#host.config.snapshot.results.flatMap(({ source }) => source.file ?? []);
    const key = files.join('\n');
    if (key === this.#files) return;
    this.#files = key;
    this.#providers.clear();
    const selector = [...new Set(files)].flatMap(filtersOf);
    const { QuickFix } = vscode.CodeActionKind;
    for (const registered of [
      vscode.languages.registerCodeActionsProvider(selector, this.#fixes, { providedCodeActionKinds: [QuickFix] }),
      vscode.languages.registerCompletionItemProvider(selector, this.#completion, '"', '$', '{', ':'),
      vscode.languages.registerHoverProvider(selector, this.#hover),
      vscode.languages.registerCodeLensProvider(selector, this.#lenses),
      vscode.languages.registerRenameProvider(selector, this.#rename),
      vscode.languages.registerDocumentSymbolProvider(
        [...new Set(files)].filter(isToml).flatMap(filtersOf),
        this.#symbols,
      ),
    ])
      this.#providers.add(registered);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The editor has symbols of JSON by itself. */
function isToml(file: string): boolean {
  return file.endsWith('.toml');
}

/** The editor's menu has our entries in files that servers are read from. */
function tellMenus(reader: DocumentReader): void {
  const document = vscode.window.activeTextEditor?.document;
  const isServersFile = document !== undefined && reader.sourcesOf(document).length > 0;
  void vscode.commands.executeCommand('setContext', 'mcpSwitchboard.isServersFile', isServersFile);
}

function filtersOf(file: string): vscode.DocumentFilter[] {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(path.dirname(file)), path.basename(file));
  return SCHEMES.map((scheme) => ({ scheme, pattern }));
}
