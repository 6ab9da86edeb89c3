import * as vscode from 'vscode';
import type { Preset } from '../../../catalog/presets/readPresets.ts';
import type { Host } from '../../../host/host.ts';
import { escaped } from '../../text/safeText.ts';
import { commandLink, table } from '../markdown.ts';
import type { Answer, CommandContext, FollowUp } from './answer.ts';

const { t } = vscode.l10n;
/** What stands for no preset, where none has this name. */
const ALL = 'all';
const MAX_DETAIL = 200;
const MAX_FOLLOW_UPS = 4;

/** `/preset [NAME|all]`: the presets, or another one made active. */
export async function presetAnswer({ host, argument }: CommandContext): Promise<Answer> {
  const presets = (await host.preset.choices()).all;
  if (argument === '') return { markdown: overview(host, presets), followUps: followUps(host, presets) };
  const wanted = argument.toLowerCase();
  const found =
    presets.find(({ name }) => name === argument) ?? presets.find(({ name }) => name.toLowerCase() === wanted);
  if (!found && wanted !== ALL) {
    const text = t('There is no preset “{0}”. Presets: {1}', argument, presets.map(({ name }) => name).join(', '));
    return { markdown: escaped(text), followUps: followUps(host, presets) };
  }
  await (await host.preset.choices()).choose(found);
  return { markdown: stateText(host), followUps: followUps(host, presets) };
}

function stateText(host: Pick<Host, 'preset' | 'servers'>): string {
  const { active } = host.preset;
  if (!active) return t('No preset is active: all servers are used.');
  const ready = host.servers.definitions.filter(({ status }) => status.kind === 'ready').map(({ name }) => name);
  return escaped(
    ready.length === 0
      ? t('The preset “{0}” is active. It has no server that can run.', active.name)
      : t('The preset “{0}” is active. Servers: {1}', active.name, ready.join(', ')),
  );
}

function overview(host: Pick<Host, 'preset' | 'servers'>, presets: readonly Preset[]): string {
  const select = commandLink(t('Select Preset…'), 'mcpSwitchboard.selectPreset').markdown;
  const head = `${stateText(host)} ${select}`;
  if (presets.length === 0) return `${head}\n\n${t('No presets are defined.')}`;
  const rows = presets.map(({ name, scope, entries, description }) => [
    name,
    (description ?? entries.join(', ')).slice(0, MAX_DETAIL),
    scope === 'workspace' ? t('workspace') : t('your settings'),
    host.preset.active?.name === name ? t('active') : '',
  ]);
  return `${head}\n\n${table([t('Preset'), t('What It Has'), t('Defined In'), ''], rows)}`;
}

function followUps({ preset: { active } }: Pick<Host, 'preset'>, presets: readonly Preset[]): readonly FollowUp[] {
  const others = presets.filter(({ name }) => name !== active?.name).slice(0, MAX_FOLLOW_UPS);
  return [
    ...others.map(({ name }) => ({ prompt: name, command: 'preset' })),
    ...(active ? [{ prompt: ALL, command: 'preset' }] : []),
  ];
}
