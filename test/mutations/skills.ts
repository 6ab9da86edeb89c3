import type { Rows } from './edit.ts';

/** A skill is a stranger's text, and what was approved of it is what is loaded. */
export const skills: Rows = {
  'A skill whose file isn’t what its digest and its size say': [
    ['src/catalog/skills/checkSkillFile.ts', 'if (digest !== file.digest)', 'if (false)'],
  ],
  'A skill that has a file outside its folder': [
    [
      'src/catalog/skills/skillEntry.ts',
      "if (path === undefined) return { problem: 'one of its files is outside its folder' };",
      'if (path === undefined) continue;',
    ],
  ],
  'A skill that refers to files which it doesn’t state, or to those of others': [
    [
      'src/bridge/resources/skills.ts',
      'const file = skill.files.find((each) => each.path === path);',
      "const file = { path: path ?? reference, uri: reference, digest: '', size: 0 };",
    ],
  ],
  'A skill that changes after the approval': [
    [
      'src/host/wiring/brokerPorts.ts',
      'const skill = skillOfFile(skills.pinnedOf(serverId), uri);',
      'const skill = undefined;',
    ],
  ],
  'A skill that grants tools, commands or hooks to itself': [
    ['src/bridge/lmTools/loadSkill.ts', 'const text = body ?? textOf(bytes);', 'const text = textOf(bytes);'],
  ],
  'A skill whose frontmatter isn’t what was shown and approved': [
    ['src/catalog/skills/checkSkillFile.ts', 'if (other !== undefined) throw', 'if (false) throw'],
  ],
  'A skill that poses as the user': [
    ['src/bridge/lmTools/loadSkill.ts', 'const said = [...heading, ', 'const said = ['],
  ],
  'A skill within one that was approved, or one that comes later': [
    ['src/calls/policy/callPolicy.ts', 'if (input.unseen === true) return', 'if (false) return'],
  ],
  'A skill with the name of another': [
    ['src/bridge/resources/skills.ts', 'if (only && others.length === 0) return only;', 'if (only) return only;'],
  ],
  'A skill in the folder of one that was approved, by another spelling of its address': [
    ['src/catalog/items/pinnedItems.ts', 'this.#kind.placeOf?.(item) ?? ', ''],
  ],
  'A skill that nobody allowed moves to another address': [
    ['src/catalog/items/pinnedItems.ts', ', ...this.changesOf(serverId).keys()])', '])'],
  ],
  'Names of files that are sentences, or a book, where they stand in words of ours': [
    ['src/catalog/skills/fileNames.ts', 'JSON.stringify(file.path)', 'file.path'],
  ],
  'The address of a skill that carries what was read': [
    ['src/calls/itemCalls.ts', "if (method === 'skills/get') return", "if (method === 'skills/get') return false &&"],
  ],
  'A skill whose files are made as they are read': [
    [
      'src/bridge/resources/skills.ts',
      "if (skill.files === 'dynamic')\n    throw",
      "if (skill.files === 'dynamic')\n    return { path: 'SKILL.md', uri: skill.uri, digest: '', size: 0 };\n  if (false)\n    throw",
    ],
  ],
  'A frontmatter that is a bomb of anchors': [
    [
      'src/catalog/skills/checkSkillFile.ts',
      'return isSame(one[name], other[name]);',
      'return JSON.stringify(one[name]) === JSON.stringify(other[name]);',
    ],
  ],
};
