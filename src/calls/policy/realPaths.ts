import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { matchesPathGlob } from '../../base/text/glob.ts';

/** What isn't an address, or is one of a file. */
const NOT_A_FILE = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i;
/** Longer texts are no paths. */
const LONGEST_PATH = 4_096;
/** Links that lead to something that isn't there are followed this often. */
const MAX_LINKS = 40;

/**
 * Whether links lead a path out of what a glob that fits it allows. A relative path is looked at in each of the folders,
 * since where its server takes it from isn't known.
 */
export function leadsElsewhere(text: string, glob: string, folders: readonly string[]): boolean {
  const wildcard = glob.search(/[*?]/);
  const spelledOut = wildcard < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', wildcard) + 1);
  return placesOf(text, folders).some(([folder, file]) => {
    const real = realPathOf(file);
    const root = rootOf(path.resolve(folder, withoutScheme(spelledOut)), folders);
    if (real === undefined || root === undefined) return true;
    const rest = path.relative(root, real);
    return climbs(rest) || !matchesPathGlob(withSlashes(rest), glob.slice(spelledOut.length));
  });
}

/** What the user spells out is where it leads, but not through links that stand in an open folder, which others can have set. */
function rootOf(spelledOut: string, folders: readonly string[]): string | undefined {
  const within = folders
    .map((folder) => [folder, path.relative(folder, spelledOut)] as const)
    .find(([, rest]) => !climbs(rest));
  if (!within) return realPathOf(spelledOut);
  const folder = realPathOf(within[0]);
  return folder === undefined ? undefined : path.join(folder, within[1]);
}

function climbs(relative: string): boolean {
  return /^\.\.(?:$|[/\\])/.test(relative) || path.isAbsolute(relative);
}

/** Where links lead a path, if elsewhere. */
export function realPathsOf(text: string, folders: readonly string[]): readonly string[] {
  return placesOf(text, folders).flatMap(([, file]) => {
    const real = realPathOf(file);
    return real === undefined || real === file ? [] : [withSlashes(real)];
  });
}

/** The files that a text can name, each with the folder that it is taken from. */
function placesOf(text: string, folders: readonly string[]): readonly (readonly [folder: string, file: string])[] {
  if (text.length > LONGEST_PATH || text.includes('\0') || NOT_A_FILE.test(text)) return [];
  const file = withoutScheme(text);
  const from = path.isAbsolute(file) ? [path.parse(file).root] : folders;
  return from.map((folder) => [folder, path.resolve(folder, file)]);
}

function withoutScheme(text: string): string {
  return text.replace(/^file:\/\/(?:localhost(?=\/))?/i, '');
}

function withSlashes(file: string): string {
  return file.replaceAll('\\', '/');
}

/** A path with the links followed of all that is there of it; `undefined` where it can't be told. */
function realPathOf(file: string, links = 0): string | undefined {
  const rest: string[] = [];
  for (let at = file; ; at = path.dirname(at)) {
    try {
      return path.join(realpathSync.native(at), ...rest);
    } catch (error) {
      if (!isMissing(error) || links > MAX_LINKS) return undefined;
      // What is written through a link to nothing is written where it leads.
      const target = targetOf(at);
      if (target !== undefined) return realPathOf(path.join(target, ...rest), links + 1);
      if (at === path.dirname(at)) return undefined;
      rest.unshift(path.basename(at));
    }
  }
}

function targetOf(link: string): string | undefined {
  try {
    return path.resolve(path.dirname(link), readlinkSync(link));
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(String(error.code))
  );
}
