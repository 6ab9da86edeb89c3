import type { Rows } from './edit.ts';

/** Adding, importing, and what other extensions set. */
export const writing: Rows = {
  'A file of the folder that is a link out of it, or to nothing, where a server is added': [
    [
      'src/base/files/regularFile.ts',
      'const real = await realPathOf(at, within);',
      'const real = await realPathOf(at, undefined);',
    ],
  ],
  'A command that somebody else hands to *Add Server…*': [
    ['src/config/paste/shellWords.ts', "if (rest.startsWith('$(') && !/^\\$\\(pwd\\)/i.test(rest)) return '$(';", ''],
  ],
  'A package of a registry whose name or version is a file, an address, a repository or another package’s name': [
    [
      'src/config/registry/packageRun.ts',
      'return /[:/\\\\]|^\\./.test(name) || /[:/\\\\]|^\\./.test(version);',
      'return false;',
    ],
  ],
  'A server of a repository that is imported into the user’s settings': [
    ['src/config/clients/importServers.ts', '...(permissionRules ? {', '...(false ? {'],
  ],
  'Two servers of one name are imported: one is read, the other written': [
    [
      'src/config/clients/importServers.ts',
      '.flatMap(([first]) =>',
      '.flatMap((all, _at, _all, first = all.at(-1)) =>',
    ],
  ],
  'An extension gives a list that has other arguments each time': [
    [
      'src/bridge/api/checkDefinition.ts',
      'Array.isArray(args) ? Array.from<unknown>(args) : undefined',
      'Array.isArray(args) ? args : undefined',
    ],
  ],
  'An extension changes anything of a server in the user’s own configuration': [
    [
      'src/config/edit/changedEntries.ts',
      '!isDeepStrictEqual(known.get(entry.name), withoutPlace(entry))',
      '!known.has(entry.name)',
    ],
  ],
  'An extension asks for the API in another’s name': [
    ['src/bridge/api/callingExtension.ts', 'if (calling === found.id) return calling;', 'return found.id;'],
  ],
  'A link that shows one server and adds another': [
    ['src/config/paste/ownLinks.ts', 'pasted.servers.length <= MAX_SERVERS', 'pasted.servers.length >= 0'],
  ],
};
