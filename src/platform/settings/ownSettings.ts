import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json/json.ts';
import { RENAMED } from './renamedSettings.ts';

export const SECTION = 'mcpSwitchboard';

/** What is set by the name of a setting, without its section. */
export type SetValues = (name: string) => unknown;

/**
 * What is set at each level, looked up at once: a look-up takes some 0.2 ms, and there are eighty settings. What holds for all profiles
 * stands behind the section of the window's profile, where that has one, so that it is looked up by its own name.
 */
export function setAt(
  section: string,
  folder?: vscode.WorkspaceFolder,
): Record<'user' | 'workspace' | 'folder', SetValues> {
  const configuration = vscode.workspace.getConfiguration(undefined, folder);
  const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(section) ?? {};
  const inProfile = valuesIn(globalValue);
  const user: SetValues = (name) =>
    globalValue === undefined
      ? undefined
      : (inProfile(name) ?? configuration.inspect(`${section}.${name}`)?.globalValue);
  return { user, workspace: valuesIn(workspaceValue), folder: valuesIn(workspaceFolderValue) };
}

function valuesIn(section: unknown): SetValues {
  return (name) => name.split('.').reduce((within, part) => (isRecord(within) ? within[part] : undefined), section);
}

/**
 * What the user has set, on this machine or in their profile. Values of a workspace never count: they come from whoever
 * wrote the folder's files.
 */
export function ownValues(): SetValues {
  const { user } = setAt(SECTION);
  return (name) => {
    const value = user(name);
    const before = value === undefined ? RENAMED[name] : undefined;
    return before === undefined ? value : user(before);
  };
}

/** One of them. */
export function ownValue(name: string): unknown {
  return ownValues()(name);
}

/** Reads settings once and keeps them until any changes: servers come by hundreds. */
export class SettingsCache implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #kept = new Map<() => unknown, unknown>();

  /** Created before its readers, so that it is the first to see a change. */
  constructor() {
    const forget = (): void => this.#kept.clear();
    this.#disposables.add(vscode.workspace.onDidChangeConfiguration(forget));
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
  }

  /** `read`, called again only after a change. */
  keep<T>(read: () => T): () => T {
    return () => {
      if (!this.#kept.has(read)) this.#kept.set(read, read());
      return this.#kept.get(read) as T;
    };
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
