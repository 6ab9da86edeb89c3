import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '../base/json/json.ts';
import type { WorkspaceFolder } from '../config/configTypes.ts';

/** A folder as the protocol has it. */
export interface Root {
  /** `file:` URI. */
  readonly uri: string;
  readonly name: string;
}

/**
 * The folders that a server is told of (specification: roots): all of the workspace's, or what the user has set for it.
 * @param isMeant whether a name stands for the server
 * @param setting by server name, `*` for all others: `"all"`, `"none"`, or a list of folder names, each with a path below it
 * where wanted (`app/src`). What can't be understood, and a folder that isn't there, is no folder.
 */
export function rootsFor(
  isMeant: (name: string) => boolean,
  setting: unknown,
  folders: readonly WorkspaceFolder[],
): readonly Root[] {
  const byServer = setting === undefined ? {} : isRecord(setting) ? setting : { '*': 'none' };
  const key = Object.keys(byServer).find((name) => name !== '*' && isMeant(name)) ?? '*';
  const own = byServer[key] ?? (key === '*' ? 'all' : 'none');
  if (own === 'all') return folders.map(({ name, path: folder }) => rootOf(name, folder));
  const wanted: readonly unknown[] = Array.isArray(own) ? own : [];
  return wanted.flatMap((entry) => (typeof entry === 'string' ? (below(entry, folders) ?? []) : []));
}

function below(entry: string, folders: readonly WorkspaceFolder[]): Root | undefined {
  // The longest name first: one folder's name may be the beginning of another's.
  const folder = folders
    .filter(({ name }) => entry === name || entry.startsWith(`${name}/`))
    .sort((one, other) => other.name.length - one.name.length)[0];
  if (!folder) return undefined;
  const rest = entry.slice(folder.name.length + 1);
  const place = path.resolve(folder.path, rest);
  const relative = path.relative(folder.path, place);
  if (relative.startsWith('..') || path.isAbsolute(relative)) return undefined;
  return rootOf(entry, place);
}

function rootOf(name: string, folder: string): Root {
  return { uri: pathToFileURL(folder).toString(), name };
}
