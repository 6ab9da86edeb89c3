// Loaded when a file is first changed in a way that a notification can undo.
import { say } from '../../../base/say.ts';
import * as vscode from 'vscode';
import { Sequencer } from '../../../base/async.ts';
import { messageOf, SwitchboardError } from '../../../base/errors.ts';
import type { EditedConfig } from '../../../config/edit/editConfigFile.ts';
import { checkInFolder } from '../../../platform/checkInFolder.ts';
import { notify } from '../../../bridge/dialogs/showNotification.ts';
import type { Host } from '../../../host/host.ts';
import { localized } from '../../../bridge/text/localized.ts';

/** Takes back what was written. @throws SwitchboardError where that can't be done any more */
export type Undo = () => Promise<void>;

/** Changes of files and of the setting run one after another: each reads what the one before it wrote. */
export const edits = new Sequencer();

/** What becomes of the text of a file that has changed since; `undefined`: nothing can be done. */
export type Revert = (text: string) => EditedConfig | undefined;

/**
 * Changes a file, byte for byte where nothing else is said, and saves it.
 * @param change returns the new text, or why the file doesn't change
 * @returns what undoes it: to the bytes that were there, where nobody has changed the file since; else by `revert`
 * @throws SwitchboardError `unsupported` where the file has unsaved changes, isn't UTF-8, or `change` refuses: then the
 * place is shown; `denied` where the file of a folder would be elsewhere
 */
export function editWithUndo(uri: vscode.Uri, change: (text: string) => EditedConfig, revert: Revert): Promise<Undo> {
  return edits.run(() => editNow(uri, change, revert));
}

async function editNow(uri: vscode.Uri, change: (text: string) => EditedConfig, revert: Revert): Promise<Undo> {
  const { fs } = vscode.workspace;
  await checkInFolder(uri);
  refuseUnsaved(uri);
  const kept = await keepFile(uri);
  const edited = change(textOf(await fs.readFile(uri), uri));
  if ('refusal' in edited) {
    const { line, column, message } = edited.refusal;
    const at = new vscode.Position(line - 1, column - 1);
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
    throw new SwitchboardError('unsupported', say`${uri.fsPath}, line ${line}, was not changed: ${message}`);
  }
  await fs.writeFile(uri, new TextEncoder().encode(edited.text));
  return kept.written(revert);
}

/** The same for a file that may not be there: `change` gets an empty text then, and undoing takes the file away. */
export async function editOrCreate(
  uri: vscode.Uri,
  change: (text: string) => EditedConfig,
  revert: Revert,
): Promise<Undo> {
  const { fs } = vscode.workspace;
  const isThere = await fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (isThere) return editWithUndo(uri, change, revert);
  return edits.run(async () => {
    await checkInFolder(uri);
    const kept = await keepFile(uri);
    const edited = change('');
    if ('refusal' in edited) throw new SwitchboardError('unsupported', edited.refusal.message);
    await fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
    await fs.writeFile(uri, new TextEncoder().encode(edited.text));
    return kept.written(revert);
  });
}

/** A file as it is now, or is not yet: what is written to it afterwards can be undone. */
export async function keepFile(uri: vscode.Uri): Promise<{ written(revert: Revert): Promise<Undo> }> {
  const { fs } = vscode.workspace;
  const read = (): Thenable<Uint8Array | undefined> => fs.readFile(uri).then(undefined, () => undefined);
  const before = await read();
  return {
    written: async (revert) => {
      const after = await read();
      const undo = async (): Promise<void> => {
        refuseUnsaved(uri);
        const now = await read();
        const isUnchanged = now && after && Buffer.from(now).equals(after);
        if (isUnchanged && !before) return fs.delete(uri);
        await fs.writeFile(uri, isUnchanged && before ? before : reverted(now, uri, revert));
      };
      return () => edits.run(undo);
    },
  };
}

function reverted(now: Uint8Array | undefined, uri: vscode.Uri, revert: Revert): Uint8Array {
  const edited = now && revert(textOf(now, uri));
  if (edited && 'text' in edited) return new TextEncoder().encode(edited.text);
  throw new SwitchboardError('unsupported', say`${uri.fsPath} has changed since, so nothing was restored.`, {
    ...(edited ? { remedy: say`Fix line ${edited.refusal.line} first: ${edited.refusal.message}` } : {}),
  });
}

function refuseUnsaved(uri: vscode.Uri): void {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty)
    throw new SwitchboardError('unsupported', say`${uri.fsPath} has unsaved changes. Nothing was written.`, {
      remedy: say`Save or discard them first.`,
    });
}

/** With its byte order mark. */
function textOf(bytes: Uint8Array, uri: vscode.Uri): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SwitchboardError('unsupported', say`${uri.fsPath} isn’t UTF-8, so it isn’t edited.`, {
      remedy: say`Save it as UTF-8, or edit it by hand.`,
      cause,
    });
  }
}

/** Says what was done, in a notification whose button takes it back, the last first. */
export function offerUndo(host: Host, text: string, undos: readonly Undo[]): void {
  const label = vscode.l10n.t('Undo');
  void notify('information', text, label).then(async (chosen) => {
    if (chosen !== label) return;
    try {
      for (const undo of undos.toReversed()) await undo();
    } catch (error) {
      void notify('error', localized(messageOf(error)));
    }
    await host.config.reload();
  });
}
