import { say } from '../../base/say.ts';
import { isInside } from '../../base/files/isInside.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { fieldsOf } from '../../config/variables/specFields.ts';
import { variablesIn } from '../../config/variables/variableSyntax.ts';

/** Variables that stand for the open folder, or for a file that is open. */
const OF_FOLDER = /^(?:workspace(?:Folder|Root)|file|relativeFile|cwd$|defaultBuildTask|selectedText|lineNumber)/;

/** The folders that are open, and the home folder: a folder that contains it isn't only a repository. */
export interface OpenFolders {
  readonly paths: readonly string[];
  readonly homeDir?: string;
}

/**
 * What ties a server to the folder that is open, as the end of a sentence; `undefined` if it starts the same in every
 * folder. Looks at what is written: links and environment variables count when it starts (`pathsIntoFolder.ts`).
 */
export function folderUse(
  { transport, source }: Pick<ServerEntry, 'transport' | 'source'>,
  folders: OpenFolders,
): string | undefined {
  for (const [field, text] of fieldsOf(transport)) {
    const variable = text.includes('${') ? variablesIn(text).find((name) => OF_FOLDER.test(name)) : undefined;
    if (variable !== undefined) return `\`${field}\` contains \${${variable}}`;
    if ((field === 'cwd' || field === 'envFile') && isRelative(text)) return say`\`${field}\` is relative`;
    if (namesFolder(text, folders)) return say`\`${field}\` names a path in it`;
  }
  return source.file !== undefined && namesFolder(source.file, folders) ? say`${source.label} is in it` : undefined;
}

function isRelative(file: string): boolean {
  return !/^(?:[\\/~$%]|[A-Za-z]:)/.test(file);
}

/** Whether a text contains the path of one of the folders, or of something in it. */
export function namesFolder(text: string, { paths, homeDir }: OpenFolders): boolean {
  const written = comparable(text);
  return paths.some((folder) => {
    if (homeDir !== undefined && isInside(homeDir, folder)) return false;
    const parts = written.split(comparable(folder));
    return parts.length > 1 && parts.slice(1).some((rest) => !/^[\w.-]/.test(rest));
  });
}

/** Paths as file systems compare them that ignore case; on others, a server waits without need. */
function comparable(text: string): string {
  return text
    .replaceAll('\\', '/')
    .replace(/(?<=.)\/$/, '')
    .toLowerCase();
}
