import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';

export const SECTION = 'mcpSwitchboard';

/**
 * What the user has set, on this machine or in their profile. Values of a workspace never count: they come from whoever
 * wrote the folder's files.
 */
export function ownValue(name: string): unknown {
  return vscode.workspace.getConfiguration(SECTION).inspect(name)?.globalValue;
}

/** Where a number may come from, highest first. */
export interface NumberSources {
  /** The value in the settings. */
  readonly set: unknown;
  /** The text of an environment variable. */
  readonly environment?: string | undefined;
  readonly fallback: number;
  /** A smaller value in the settings is raised to this; a smaller one from the environment is ignored. */
  readonly minimum: number;
}

/** A value in the settings goes before the environment, and the environment before the default. */
export function chosenNumber({ set, environment, fallback, minimum }: NumberSources): number {
  if (typeof set === 'number' && Number.isFinite(set)) return Math.max(minimum, set);
  const given = environment === undefined || environment.trim() === '' ? Number.NaN : Number(environment);
  return given >= minimum && Number.isFinite(given) ? given : fallback;
}

/** Reads settings once and keeps them until one of ours changes: each look-up takes some 0.2 ms. */
export class SettingsCache implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #kept = new Map<() => unknown, unknown>();

  /** Created before its readers, so that it is the first to see a change. */
  constructor() {
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SECTION) && this.#kept.clear()),
    );
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
