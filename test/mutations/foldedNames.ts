import type { Rows } from './edit.ts';

/** Names that fold together. */
export const foldedNames: Rows = {
  'A repository’s server whose name folds to that of one of the user’s own': [
    [
      'src/host/wiring/brokerPorts.ts',
      'isNameOfOther(name, serverId, parts),',
      'false && isNameOfOther(name, serverId, parts),',
    ],
  ],
  'A repository’s server that is named as the user’s own is called': [
    ['src/host/wiring/brokerPorts.ts', 'entry.name === name || parts?.known(id) === name', 'entry.name === name'],
  ],
  'A server answers to the name of one that is lost': [
    [
      'src/catalog/catalogToolMaker.ts',
      'return holder === undefined || holder === found.serverId || servers.has(holder) ? found : undefined;',
      'return holder === null ? undefined : found;',
    ],
  ],
  'A server takes a short name, so that a rule that denies misses another': [
    ['src/calls/policy/rules/ruleSet.ts', '[part, ...readableParts(configuredName)]', '[part]'],
  ],
  // Whoever has a name keeps it, and the user's own choose first.
  'A server that is added, so that the tools of another are renamed': [
    ['src/catalog/names/namePartStore.ts', 'void this.#store.set(STORE_KEY, this.#kept);', ''],
    ['src/catalog/names/namePartStore.ts', 'owner.isOwn === true ? 0 : 2', '0'],
  ],
  'A server that isn’t approved takes the name of one that comes later': [
    [
      'src/catalog/names/namePartStore.ts',
      'return definitions.filter(mayRun).map(partOwnerOf);',
      'return definitions.map(partOwnerOf);',
    ],
  ],
  'A name in letters that look alike, or with unseen ones, that folds to another': [
    ['src/servers/nameParts.ts', 'return UNSAYABLE.test(text) ? undefined : text;', 'return text;'],
  ],
  'A tool that is added takes the name of another that a rule denies': [
    ['src/catalog/names/serverNames.ts', 'return [real, tool.tool.name, readable];', 'return [real, tool.tool.name];'],
  ],
  'A rule that allows, and counts for a server only by what callable names call it': [
    [
      'src/host/approvalConsequences.ts',
      "names: [definition.entry.name, catalog.parts?.previewOf(partOwnerOf(definition)) ?? ''],",
      'names: [definition.entry.name],',
    ],
  ],
};
