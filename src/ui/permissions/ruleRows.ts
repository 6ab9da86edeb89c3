// Loaded with the first list of permissions.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { oneLine } from '../../base/text/showInvisible.ts';
import { hookText } from '../../calls/hooks/hookText.ts';
import { HOOK_EVENTS, type HookGroups } from '../../calls/hooks/hookTypes.ts';
import { managedFilePath } from '../../config/ownSources.ts';
import type { PermissionRule, RuleSource } from '../../config/rules/permissionRules.ts';
import type { Host } from '../../host/host.ts';
import type { EditorCallSettings } from '../../platform/settings/editorCallSettings.ts';
import { openDefinition } from '../config/openConfig.ts';
import type { PermissionRow } from './permissionRow.ts';

/** The rules of the settings, of the organization and of the servers' definitions. */
export function ruleRows(host: Host, settings: EditorCallSettings): PermissionRow[] {
  const { t } = vscode.l10n;
  const own = settings
    .read()
    .rules.map((rule, index) => ruleRow(rule, `${index}`, sourceText(rule.source), () => openSource(rule.source)));
  const ofEntries = host.views.flatMap(({ definition: { id, name, entry } }) =>
    (entry.permissionRules ?? []).map((rule, index) =>
      ruleRow(
        rule,
        `${id} ${index}`,
        t('definition of {0}, {1}', oneLine(name), oneLine(localized(entry.source.label))),
        () => openDefinition(entry),
      ),
    ),
  );
  return [...own, ...ofEntries];
}

function ruleRow(
  { action, tool, server, args, reason }: PermissionRule,
  key: string,
  source: string,
  open: () => Promise<void>,
): PermissionRow {
  const { t } = vscode.l10n;
  const verb = { allow: t('Allow'), ask: t('Ask for'), deny: t('Deny') }[action];
  const label = `${verb} ${oneLine(tool)}`;
  const where = server === undefined ? [] : [t('on {0}', oneLine(server))];
  const only = args === undefined ? [] : [t('only with {0}', oneLine(JSON.stringify(args)))];
  const because = reason === undefined ? [] : [oneLine(reason)];
  return {
    group: 'rules',
    key,
    label,
    description: [...where, ...only, source, ...because].join(' · '),
    facts: [
      [t('Rule'), [label, ...where].join(' ')],
      ...only.map((text) => [t('Arguments'), text] as const),
      [t('Source'), source],
      ...because.map((text) => [t('Why'), text] as const),
    ],
    spoken: [t('Rule: {0}', label), ...where, ...only, source, ...because].join(', '),
    icon: { allow: 'pass', ask: 'question', deny: 'circle-slash' }[action],
    open,
  };
}

/** Rules and hooks that don't do what they are for. */
export async function problemRows(host: Host, settings: EditorCallSettings): Promise<PermissionRow[]> {
  const { t } = vscode.l10n;
  const rules = settings.problems.map(({ source, index, message, fix }) =>
    problemRow(`${source} ${index}`, t('Rule {0}: {1}', index + 1, oneLine(message)), sourceText(source), fix, () =>
      openSource(source),
    ),
  );
  const hooks = (await host.calls.hooks.problems(host.namesInUse)).map(({ message, fix }, index) =>
    problemRow(`hook ${index}`, oneLine(message), t('hooks'), fix ?? '', openHooks),
  );
  return [...rules, ...hooks];
}

function problemRow(key: string, label: string, source: string, fix: string, open: () => Promise<void>): PermissionRow {
  const { t } = vscode.l10n;
  return {
    group: 'problems',
    key,
    label,
    description: source,
    facts: [
      [t('Problem'), label],
      [t('Fix'), oneLine(fix)],
      [t('Source'), source],
    ],
    spoken: [t('Problem: {0}', label), oneLine(fix), source].join(', '),
    icon: 'warning',
    color: 'list.warningForeground',
    open,
  };
}

/** The hooks that run, and whether those that others wrote were approved. */
export function hookRows(settings: EditorCallSettings): PermissionRow[] {
  const { t } = vscode.l10n;
  const waiting = settings.hooksToApprove;
  const approved = settings.approvedHooks;
  return [
    ...(waiting ? [foreignHooks(waiting, t('need approval'), { open: reviewHooks, icon: 'shield' })] : []),
    ...(approved ? [foreignHooks(approved, t('approved'), { icon: 'pass', ...revocation(settings, approved) })] : []),
    ...commandsOf(settings.read().hooks).map(({ text, source }, index): PermissionRow => ({
      group: 'hooks',
      key: `${index} ${text}`,
      label: text,
      description: source,
      facts: [
        [t('Hook'), text],
        [t('Source'), source],
      ],
      spoken: [t('Hook {0}', text), source].join(', '),
      icon: 'terminal',
      open: openHooks,
    })),
  ];
}

/** The hooks of the workspace and of other clients, which are approved together. */
function foreignHooks(
  hooks: HookGroups,
  state: string,
  rest: Pick<PermissionRow, 'icon' | 'open' | 'revoke'>,
): PermissionRow {
  const { t } = vscode.l10n;
  const label = t('Hooks of this workspace');
  const all = commandsOf(hooks).map(({ text }) => [t('Hook'), text] as const);
  const facts = [[t('State'), state] as const, ...all];
  return { group: 'hooks', key: 'workspace', label, description: state, facts, spoken: `${label}, ${state}`, ...rest };
}

function revocation(settings: EditorCallSettings, hooks: HookGroups): Pick<PermissionRow, 'revoke'> {
  return {
    revoke: async () => {
      await settings.approveHooks(undefined);
      return () => settings.approveHooks(hooks);
    },
  };
}

function commandsOf(groups: HookGroups): { readonly text: string; readonly source: string }[] {
  const { t } = vscode.l10n;
  return HOOK_EVENTS.flatMap((event) =>
    groups[event].flatMap(({ matcher, source, hooks }) =>
      hooks.map(({ command }) => ({
        text: hookText(event, matcher, command),
        source: source === 'user' ? t('your settings') : t('this workspace'),
      })),
    ),
  );
}

function sourceText(source: RuleSource): string {
  const { t } = vscode.l10n;
  switch (source) {
    case 'enterprise':
      return t('your organization, {0}', managedFilePath(process));
    case 'user':
      return t('your settings');
    case 'workspace':
      return t('settings of this workspace');
    case 'entry':
      return t('definition of a server');
  }
}

async function openSource(source: RuleSource): Promise<void> {
  if (source === 'enterprise')
    await vscode.window.showTextDocument(vscode.Uri.file(managedFilePath(process)), { preview: true });
  else if (source === 'workspace') await vscode.commands.executeCommand('workbench.action.openWorkspaceSettingsFile');
  else await openSetting('mcpSwitchboard.permissions.rules');
}

async function openHooks(): Promise<void> {
  await openSetting('mcpSwitchboard.hooks');
}

async function openSetting(key: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', key);
}

async function reviewHooks(): Promise<void> {
  await vscode.commands.executeCommand('mcpSwitchboard.reviewHooks');
}
