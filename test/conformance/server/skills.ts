import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';

const FILES = {
  'code-review/SKILL.md':
    '---\nname: code-review\ndescription: Reviews a change by the rules of the team.\nlicense: MIT\n---\n\n# Code review\n\nSee references/RULES.md.\n',
  'code-review/references/RULES.md': '# Rules\n\n1. Read the tests first.\n',
  'release-notes/SKILL.md':
    '---\nname: release-notes\ndescription: Writes release notes from a list of changes.\n---\n\n# Release notes\n',
};

/** Skills as the SDK serves them (SEP-2640), folders of them, too. */
export const skills = await SkillsExtension.load(memorySkillFiles(FILES), { strict: true });
