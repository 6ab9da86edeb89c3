import * as vscode from 'vscode';
import { listAllSkills, loadSkill, type OfferedSkill } from '../../../bridge/resources/skills.ts';
import { textOf } from '../../../catalog/skills/checkSkillFile.ts';
import type { Host } from '../../../host/host.ts';
import { skillStateText } from '../../items/skillState.ts';
import type { Block } from '../pageContent.ts';
import { BY_USER } from './inspectorRun.ts';
import type { InspectedItem, ItemsOptions } from './itemsTab.ts';
import { codeBlock, dataBlock } from './resultBlocks.ts';

/** *Skills*: what a server states of each, what of it is approved, and its files as text. */
export function skillsOptions(): ItemsOptions {
  const { t } = vscode.l10n;
  return {
    id: 'skill',
    label: t('Skill'),
    none: t('No connected server has skills.'),
    button: t('Read'),
    list: async (host, server, signal) => {
      const { items, failures } = await listAllSkills(host, signal, server);
      return { items: items.map((item) => itemOf(host, item)), failures };
    },
  };
}

function itemOf(host: Host, { server, skill, state }: OfferedSkill): InspectedItem {
  const { t } = vscode.l10n;
  const files = skill.files === 'dynamic' ? [] : skill.files;
  const stated: readonly Block[] = [
    { kind: 'text', text: t('State: {0}', skillStateText(state)) },
    { kind: 'code', title: t('Frontmatter'), text: JSON.stringify(skill.frontmatter, undefined, 2) },
    ...(files.length === 0 ? [] : [{ kind: 'code', title: t('Files'), text: files.map(lineOf).join('\n') } as const]),
  ];
  return {
    key: JSON.stringify(['skill', server, skill.uri]),
    label: [server, skill.name, skill.uri].join(' · '),
    detail: skill.description,
    about: stated,
    fields: [{ name: 'file', description: t('Its path from the skill’s folder; SKILL.md if not given') }],
    fetch: async ({ file = '' }, signal) => {
      const asked = { ...BY_USER, server, skill: skill.uri, signal };
      const loaded = await loadSkill(host, file === '' ? asked : { ...asked, file });
      const { bytes, mimeType = 'application/octet-stream' } = loaded;
      const text = textOf(bytes);
      const title = t('{0}: its size and digest are as stated', loaded.file.path);
      return [text === '' && bytes.byteLength > 0 ? dataBlock(mimeType, bytes) : codeBlock(text, title)];
    },
  };
}

function lineOf({ path, size, digest }: { path: string; size: number; digest: string }): string {
  return `${path}  ${size}  ${digest}`;
}
