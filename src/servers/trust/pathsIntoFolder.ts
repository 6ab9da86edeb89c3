import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { SwitchboardError } from '../../base/errors.ts';
import type { TransportSpec } from '../../config/configTypes.ts';
import { fieldsOf } from '../../config/variables/specFields.ts';
import { namesFolder, type OpenFolders } from './folderDependence.ts';
import { say } from '../../base/say.ts';

/** What stands between paths in an argument, a command line or a list. */
const BETWEEN_PATHS = /[\s"'=,;]+/;

/**
 * Refuses a resolved server, one of whose fields names a path in one of the folders, also through a link.
 * @throws SwitchboardError `denied`
 */
export async function refuseWhatLeadsInto(name: string, spec: TransportSpec, folders: OpenFolders): Promise<void> {
  const real = { ...folders, paths: await Promise.all(folders.paths.map(realOf)) };
  for (const [field, text] of fieldsOf(spec)) {
    const files = [text, ...text.split(BETWEEN_PATHS).flatMap((part) => part.split(path.delimiter))];
    const targets = await Promise.all([...new Set(files)].filter((file) => path.isAbsolute(file)).map(realOf));
    if (!namesFolder(text, folders) && ![text, ...targets].some((file) => namesFolder(file, real))) continue;
    const message = say`The workspace isn’t trusted: \`${field}\` of ${name} leads into its folder.`;
    throw new SwitchboardError('denied', message, { remedy: say`Trust the workspace, or change the definition.` });
  }
}

function realOf(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}
