// Loaded before the first server is.
import { pages } from '../items/listServerItems.ts';
import type { PinnedKind } from '../items/pinnedItems.ts';
import { readSkill } from './skillEntry.ts';
import { nestedSkills, rootOf } from './skillPaths.ts';

/**
 * Skills (SEP-2640), which are identified by the addresses of their `SKILL.md`. All that the server states of one is pinned, each
 * file with its digest: another file is another skill.
 */
export const SKILLS: PinnedKind = {
  noun: 'skill',
  // Skills have no notification of their own: their files are resources.
  notification: 'notifications/resources/list_changed',
  list: async (session, signal) => {
    const all = await pages(session, 'skills/list', 'skills', signal);
    const leftOut: string[] = [];
    const items = all.items.filter((item, index) => {
      const read = readSkill(item);
      if ('problem' in read) leftOut.push(`Skill number ${index + 1}: ${read.problem}.`);
      return !('problem' in read);
    });
    return { ...all, items, leftOut: [...all.leftOut, ...leftOut] };
  },
  nameOf: ({ uri }) => (typeof uri === 'string' ? uri : undefined),
  // Two in one folder, by two spellings of its address, would be taken for one another.
  placeOf: ({ uri }) => (typeof uri === 'string' ? rootOf(uri)?.uri : undefined),
  asTool: (item) => {
    const skill = readSkill(item);
    if ('problem' in skill) return undefined;
    const { uri, name, description, frontmatter, files } = skill;
    const stated =
      files === 'dynamic' ? files : Object.fromEntries(files.map(({ path, digest }) => [path, digest] as const));
    return { name: uri, title: name, description, inputSchema: { files: stated, frontmatter }, annotations: {} };
  },
  // A skill within another is no part of what was approved with that one (SEP-2640: *Nested Skills*).
  ownConsent: (skills) => nestedSkills(skills.map(({ name }) => name)),
};
