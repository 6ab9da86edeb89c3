import { realpathSync } from 'node:fs';
import path from 'node:path';
import { namesFolder, type OpenFolders } from './folderDependence.ts';

/**
 * An environment without what leads into folders that aren't trusted: an editor that was started in one, by a script of its
 * or with a tool that sets variables by folder, has its programs and modules first in `PATH` and the like. Of lists, the
 * other entries stay.
 */
export function outsideFolders(
  environment: NodeJS.ProcessEnv,
  { paths, homeDir }: OpenFolders,
  platform: NodeJS.Platform,
): NodeJS.ProcessEnv {
  const { delimiter } = platform === 'win32' ? path.win32 : path.posix;
  const folders = {
    paths: [...new Set(paths.flatMap((folder) => [folder, realOf(folder)]))],
    ...(homeDir === undefined ? {} : { homeDir }),
  };
  const isOutside = (entry: string): boolean =>
    !namesFolder(entry, folders) && !(path.isAbsolute(entry) && namesFolder(realOf(entry), folders));
  const kept = Object.entries(environment).flatMap(([name, value = '']): (readonly [string, string])[] => {
    const entries = value.split(delimiter);
    const left = entries.filter(isOutside);
    if (left.length === entries.length) return [[name, value]];
    return left.length === 0 ? [] : [[name, left.join(delimiter)]];
  });
  return Object.fromEntries(kept);
}

function realOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
