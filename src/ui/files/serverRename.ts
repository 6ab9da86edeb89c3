import * as vscode from 'vscode';
import { asWord } from '../../catalog/names/serverNames.ts';
import type { ConfigSource, SourceResult, TextEdit } from '../../config/configTypes.ts';
import { renameInRules, type RuleRename } from '../../config/edit/renamedRules.ts';
import { renameServer } from '../../config/edit/renameServer.ts';
import type { OutlinedServer } from '../../config/help/serverOutline.ts';
import { syntaxOf } from '../../config/syntax/sourceText.ts';
import { Sequencer } from '../../base/async.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { SamplingConsents } from '../../bridge/sampling/samplingConsents.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import type { Host } from '../../host/host.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import type { DocumentReader } from './documentReader.ts';
import { rangeOfSpan } from './fileCompletion.ts';
import { localized } from '../../bridge/text/localized.ts';

/**
 * *Rename Symbol* on the name of a server: the rules in settings files change with it, and once the file is saved, what was
 * decided about the server goes with it, as long as it runs the same.
 */
export class ServerRename implements vscode.RenameProvider, Disposable {
  readonly #host: Host;
  readonly #reader: DocumentReader;
  readonly #consents: SamplingConsents;
  readonly #disposables = new DisposableStore();
  /** Servers that were renamed in an editor, as they were, by source and new name. */
  readonly #expected = new Map<string, ServerDefinition>();
  readonly #moves = new Sequencer();

  constructor(host: Host, reader: DocumentReader, consents: SamplingConsents) {
    this.#host = host;
    this.#reader = reader;
    this.#consents = consents;
    this.#disposables.add(host.servers.onDidChange(({ added }) => this.#moveStates(added)));
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const { server } = await this.#serverAt(document, position);
    const isQuoted = /^["']/.test(document.getText(rangeOfSpan(document, server.key)));
    const { offset, length } = server.key;
    const range = rangeOfSpan(document, isQuoted ? { offset: offset + 1, length: length - 2 } : server.key);
    return { range, placeholder: server.name };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit> {
    const { source, server } = await this.#serverAt(document, position);
    const names = { from: server.name, to: newName.trim() };
    const edit = new vscode.WorkspaceEdit();
    if (names.from === names.to) return edit;
    const isToml = syntaxOf(source) === 'toml';
    const readToml = isToml ? (await import('../../config/syntax/readToml.ts')).readToml : undefined;
    const renamed = renameServer(document.getText(), source, names, readToml);
    if ('refusal' in renamed) throw new Error(plainText(localized(renamed.refusal)));
    replaceIn(edit, document, renamed.edits);
    const before = this.#host.servers.definitions.find(
      ({ entry }) => entry.source.id === source.id && entry.name === names.from,
    );
    await this.#renameInSettings(edit, document, this.#ruleRename(names, before));
    if (before) this.#expected.set(`${source.id}\n${names.to}`, before);
    return edit;
  }

  #ruleRename({ from, to }: { from: string; to: string }, before: ServerDefinition | undefined): RuleRename {
    const { servers, catalog } = this.#host;
    const part = before && catalog.parts?.known(before.id);
    const others = servers.definitions.filter(({ entry, id }) => entry.name === from && id !== before?.id);
    const called = [asWord(from), ...(part === undefined ? [] : [part])];
    return { from, to, alsoCalled: called.filter((name) => name !== from), isShared: others.length > 0 };
  }

  /** In every settings file that rules are read from, but the organization's. */
  async #renameInSettings(edit: vscode.WorkspaceEdit, renamed: vscode.TextDocument, rename: RuleRename): Promise<void> {
    for (const { source } of this.#host.config.snapshot.results.filter(isSettings)) {
      const uri = vscode.Uri.file(source.file ?? '');
      const document = uri.fsPath === renamed.uri.fsPath ? renamed : await vscode.workspace.openTextDocument(uri);
      replaceIn(edit, document, renameInRules(document.getText(), source, rename));
    }
  }

  async #serverAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly source: ConfigSource; readonly server: OutlinedServer }> {
    const at = document.offsetAt(position);
    for (const { source, outline } of await this.#reader.outlines(document)) {
      const server = outline.servers.find(({ key }) => at >= key.offset && at <= key.offset + key.length);
      if (server) return { source, server };
    }
    throw new Error(vscode.l10n.t('Place the cursor in the name of a server.'));
  }

  /** A server with the new name and nothing else changed is the one that was renamed. */
  #moveStates(added: readonly ServerDefinition[]): void {
    for (const definition of added) {
      const { entry, fingerprint } = definition;
      const key = `${entry.source.id}\n${entry.name}`;
      const before = this.#expected.get(key);
      this.#expected.delete(key);
      if (!before || this.#host.servers.get(before.id) || before.fingerprint !== fingerprint) continue;
      // The way back, where the renaming is undone.
      this.#expected.set(`${before.entry.source.id}\n${before.entry.name}`, definition);
      void this.#moves.run(() => this.#move(before, definition));
    }
  }

  async #move(before: ServerDefinition, after: ServerDefinition): Promise<void> {
    const moves = await Promise.allSettled([
      this.#host.renamed(before, after),
      this.#consents.moveServer(before.id, { serverId: after.id, serverName: after.name }),
    ]);
    for (const move of moves) if (move.status === 'rejected') void notify('error', localized(messageOf(move.reason)));
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function isSettings({ source: { format, scope, file }, status }: SourceResult): boolean {
  return format === 'settings' && scope !== 'enterprise' && status === 'found' && /\.(?:json|jsonc|code-workspace)$/.test(file ?? ''); // prettier-ignore
}

function replaceIn(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, edits: readonly TextEdit[]): void {
  for (const { offset, length, text } of edits)
    edit.replace(document.uri, rangeOfSpan(document, { offset, length }), text);
}
