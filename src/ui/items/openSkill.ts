// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { listAllSkills, loadSkill, type OfferedSkill } from '../../bridge/resources/skills.ts';
import { textOf } from '../../catalog/skills/checkSkillFile.ts';
import type { Host } from '../../host/host.ts';
import { unlessCancelled } from '../withCancel.ts';
import { pickItem } from './itemPick.ts';
import { skillStateText } from './skillState.ts';

/**
 * *Open Skill…*: shows a skill's `SKILL.md` as it is, to be read by a person. Nothing of it goes to a model, and it isn't approved by it.
 * @param server only the skills of this server
 * @param chosen the user has picked this one already
 */
export async function openSkill(host: Host, server?: string, chosen?: OfferedSkill): Promise<void> {
  const { t } = vscode.l10n;
  const picked =
    chosen ??
    (await pickItem<OfferedSkill>({
      title: t('Open Skill'),
      placeHolder: t('Skills of the connected servers'),
      nothing: t('No connected server has skills.'),
      load: (signal) => listAllSkills(host, signal, server),
      toPick: (item) => ({
        item,
        label: `$(mortar-board) ${plainText(item.skill.name)}`,
        description: plainText([item.skill.uri, skillStateText(item.state)].join(' · ')),
        detail: plainText(item.skill.description),
      }),
    }));
  if (!picked) return;
  const { skill } = picked;
  const asked = { server: picked.server, skill: skill.uri, surface: 'editor', isUsersAct: true } as const;
  const loaded = await unlessCancelled(t('Reading {0}', plainText(skill.uri)), (signal) =>
    loadSkill(host, { ...asked, signal }),
  );
  if (loaded) await showReadOnlyText(`${skill.name}.md`, textOf(loaded.bytes));
}
