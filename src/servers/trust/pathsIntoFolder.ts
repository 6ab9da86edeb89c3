import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { SwitchboardError } from '../../base/errors.ts';
import type { TransportSpec } from '../../config/configTypes.ts';
import { fieldsOf } from '../../config/variables/specFields.ts';
import { namesFolder, type OpenFolders } from './folderUse.ts';

/**
 * Refuses a resolved server, one of whose fields names a path in one of the folders, also through a link.
 * @throws SwitchboardError `denied`
 */
export async function refuseWhatLeadsInto(name: string, spec: TransportSpec, folders: OpenFolders): Promise<void> {
  const real = { ...folders, paths: await Promise.all(folders.paths.map(realOf)) };
  for (const [field, text] of fieldsOf(spec)) {
    const leads =
      namesFolder(text, folders) ||
      namesFolder(text, real) ||
      (path.isAbsolute(text) && namesFolder(await realOf(text), real));
    if (!leads) continue;
    const message = `${name} uses the open folder, which is not trusted: \`${field}\` leads into it.`;
    throw new SwitchboardError('denied', message, { remedy: 'Trust the workspace, or change the definition.' });
  }
}

function realOf(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}
