import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { DisposableStore } from '../base/disposable.ts';
import { systemClock } from '../base/clock.ts';

/** A watcher takes a moment to start; changes in the meantime are found with a check after this time. */
export const SETTLE_MS = 1_000;

/**
 * Calls `onChange` when a file outside of the workspace is created, changed or deleted. The editor can't watch a missing
 * folder, so until it exists, its nearest existing ancestor is watched, without its subfolders.
 */
export function watchFile(file: string, onChange: () => void): Disposable {
  const all = new DisposableStore();
  const armed = all.add(new DisposableStore());
  const parent = path.dirname(file);
  let watched: string | undefined;
  const arm = (): void => {
    const folder = nearestFolder(parent);
    if (folder === watched) return;
    const isFirst = watched === undefined;
    watched = folder;
    armed.clear();
    const [next = ''] = path.relative(folder, file).split(path.sep);
    const watcher = armed.add(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), next)),
    );
    const changed = (): void => {
      if (folder === parent) onChange();
      arm();
    };
    armed.add(watcher.onDidCreate(changed));
    armed.add(watcher.onDidChange(changed));
    armed.add(watcher.onDidDelete(changed));
    const existed = existsSync(file);
    if (!isFirst) onChange();
    armed.add(
      systemClock.schedule(SETTLE_MS, () => {
        if (!isFirst || existsSync(file) !== existed) onChange();
        arm();
      }),
    );
  };
  arm();
  return all;
}

function nearestFolder(folder: string): string {
  const above = path.dirname(folder);
  return above === folder || existsSync(folder) ? folder : nearestFolder(above);
}
