import type { Rows } from './edit.ts';

/** What was approved is what runs. */
export const approval: Rows = {
  'A file that an entry names as `envFile` changes after the approval': [
    ['src/servers/trust/fingerprint.ts', 'tools, envVariables, sandboxed };', 'tools, sandboxed };'],
  ],
  'An `envFile` that changes unseen, between the approval and the start': [
    ['src/servers/applyEnvFile.ts', 'if (bindsEnvFile(entry)) checkApproved', 'if (false) checkApproved'],
  ],
  'An `envFile` that is a link out of the folder': [
    ['src/config/sources/envFile.ts', 'return folder ? { ...source, folder } : source;', 'return source;'],
  ],
  'An `envFile` of another computer, which would be signed in to before the approval': [
    [
      'src/config/sources/envFile.ts',
      'file === undefined || isNetworkPath(file) ? undefined',
      'file === undefined ? undefined',
    ],
  ],
  'An `envFile` that takes for ever to read, or sets more than anybody reviews': [
    ['src/config/sources/envFile.ts', 'if (found.length === MAX_VARIABLES) throw', 'if (false) throw'],
  ],
  'The options, the default or the question of an input change after the approval': [
    ['src/servers/trust/fingerprint.ts', 'asked: asked.length > 0 ? asked : undefined, ', ''],
  ],
  'What a sign-in asks for changes after the approval': [
    ['src/servers/trust/fingerprint.ts', '...transport,', '...transport,\n      oauth: undefined,'],
  ],
  'The tools that an approved entry leaves out are fewer': [
    ['src/servers/trust/fingerprint.ts', 'tools, envVariables, sandboxed };', 'envVariables, sandboxed };'],
  ],
  'A script of the folder that an approved server or hook runs': [
    [
      'src/servers/trust/folderFiles.ts',
      'words.flatMap((word) => [word, ...ofModule(word)]',
      'words.flatMap((word) => [word]',
    ],
  ],
  'A folder where an approved server looks for programs, or a file behind an option, a variable or a pattern': [
    ['src/servers/trust/folderFiles.ts', "...word.split(':'),", ''],
  ],
  'A kept answer to an input, for a server that is defined otherwise now': [
    ['src/servers/inputAnswers.ts', "isShared(entry, input) ? '' : `${fingerprintOf(entry)} `", "''"],
  ],
  'An unapproved entry hides, disables or renames a server of the user’s': [
    ['src/servers/merge/serversOfOneName.ts', "return status.kind === 'ready';", 'return true;'],
    ['src/servers/merge/serversOfOneName.ts', 'return backed && (', 'return ('],
  ],
  'The rules for calls of an approved entry, or the command for its headers, change': [
    ['src/servers/trust/fingerprint.ts', '      permissionRules,\n      ...(isOwn', '      ...(isOwn'],
  ],
};
