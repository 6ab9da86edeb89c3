import type { Rows } from './edit.ts';

/** Opened folders: what runs, and what is read. */
export const folders: Rows = {
  // Where it starts, and what is refused in a folder that isn't trusted.
  'A module of the folder that a user’s python server imports': [
    ['src/servers/resolveTransport.ts', 'return isOfFolder(entry) && folder ?', 'return folder ?'],
    ['src/servers/resolveTransport.ts', 'if (folders === undefined || isOfFolder(entry)) return;', 'return;'],
  ],
  'A package in the folder’s node_modules that a user’s npx server runs': [
    ['src/servers/resolveTransport.ts', 'return isOfFolder(entry) && folder ?', 'return folder ?'],
    ['src/servers/resolveTransport.ts', 'if (folders === undefined || isOfFolder(entry)) return;', 'return;'],
  ],
  'A user’s server that names the open folder': [
    ['src/servers/trust/serverStatus.ts', 'return use && say`untrusted workspace: ', 'return undefined && `it uses'],
  ],
  'A relative entry in PATH, PYTHONPATH or NODE_PATH': [
    ['src/connection/start/serverEnvironment.ts', '[name, absoluteEntries(value, request.platform)]', '[name, value]'],
  ],
  'An environment of the editor that leads into the opened folder': [
    ['src/servers/trust/outsideFolders.ts', 'if (left.length === entries.length) return', 'return'],
  ],
  'A program beside the files of the folder, on Windows': [
    ['src/connection/stdio/windowsCommand.ts', 'if (!path.win32.isAbsolute(folder)) continue;', ''],
  ],
  'A configuration file that is a link to a device or out of the folder': [
    [
      'src/base/files/regularFile.ts',
      'if (isPlain || isInside(real, await fs.realpath(within))) return real;',
      'return real;',
    ],
  ],
  'A configuration file that is too large or takes too long to read': [
    ['src/base/files/regularFile.ts', 'if (size > maxBytes) throw tooLarge();', ''],
    ['src/base/files/regularFile.ts', 'if (total > maxBytes) throw tooLarge();', ''],
  ],
  'A command for headers of a user’s server that picks up the folder or the editor’s environment': [
    [
      'src/connection/start/prepareLaunch.ts',
      'runHeadersHelper(commandLine, { env, cwd,',
      'runHeadersHelper(commandLine, { env: options.ports.hostEnvironment as never, cwd,',
    ],
  ],
};
