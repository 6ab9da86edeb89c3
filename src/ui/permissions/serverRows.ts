// Loaded with the first list of permissions.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { oneLine } from '../../base/text/showInvisible.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { GrantPins } from '../../calls/policy/grantPins.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import type { Host } from '../../host/host.ts';
import { confirm } from '../askChoice.ts';
import { dateText, nameOf, openOf } from './grantRows.ts';
import type { PermissionRow } from './permissionRow.ts';

/** The servers that the user approved or rejected in this workspace. */
export function approvalRows(host: Host): PermissionRow[] {
  const { t } = vscode.l10n;
  return host.servers.approvals.map((approval): PermissionRow => {
    const { id, definition, ...decision } = approval;
    const { verdict, fingerprint, launch, at } = decision;
    const name = nameOf(host, id);
    const isApproved = verdict === 'approved';
    const said = isApproved ? t('approved') : t('rejected');
    const source = definition
      ? oneLine(`${definition.entry.scope}, ${localized(definition.entry.source.label)}`)
      : t('no longer defined');
    const changed = definition && definition.fingerprint !== fingerprint ? [t('changed since; needs approval')] : [];
    return {
      group: 'servers',
      key: id,
      label: name,
      description: [said, source, ...changed].join(' · '),
      facts: [
        [t('Server'), name],
        [t('Source'), source],
        [t('Why'), at === undefined ? t('You reviewed it') : t('You reviewed it on {0}', dateText(at))],
        ...(launch ?? []).map((line) => [t('Runs'), oneLine(line)] as const),
        ...changed.map((text) => [t('State'), text] as const),
      ],
      spoken: [t('Server {0}', name), said, source, ...changed].join(', '),
      ...(changed.length > 0
        ? { icon: 'warning', color: 'list.warningForeground' }
        : { icon: isApproved ? 'pass' : 'circle-slash' }),
      revoke: async () => {
        await host.servers.revokeApproval(id);
        return () => host.servers.restoreApproval(id, decision);
      },
      ...openOf(host, id),
    };
  });
}

/** What was approved of each server's tools, prompts and skills, which later lists are held against. */
export function pinRows(host: Host): PermissionRow[] {
  const { t } = vscode.l10n;
  return host.views.flatMap(({ definition: { id, name } }): PermissionRow[] => {
    const { tools, prompts, skills } = host.feed.pinnedOf(id);
    if (tools.length + prompts.length + skills.length === 0) return [];
    const changes = host.feed.openChangesOf(id).length;
    const counts = [
      tools.length === 1 ? t('1 tool') : t('{0} tools', tools.length),
      ...(prompts.length === 0 ? [] : [prompts.length === 1 ? t('1 prompt') : t('{0} prompts', prompts.length)]),
      ...(skills.length === 0 ? [] : [skills.length === 1 ? t('1 skill') : t('{0} skills', skills.length)]),
    ];
    const state =
      changes === 0 ? [] : [changes === 1 ? t('1 change needs review') : t('{0} changes need review', changes)];
    const label = oneLine(name);
    const all = [...tools, ...prompts, ...skills].map(oneLine);
    return [
      {
        group: 'pins',
        key: id,
        label,
        description: [...counts, ...state].join(' · '),
        facts: [
          [t('Server'), label],
          [t('Approved'), counts.join(', ')],
          [
            t('Why'),
            t('They are what the server listed when you approved it, and the changes that you accepted since'),
          ],
          ...state.map((text) => [t('State'), text] as const),
        ],
        spoken: [t('Approved definitions of {0}', label), ...counts, ...state].join(', '),
        ...(changes === 0 ? { icon: 'pinned' } : { icon: 'warning', color: 'list.warningForeground' }),
        open: async () => {
          if (changes === 0) await showReadOnlyText(`${label}.txt`, all.join('\n'));
          else await vscode.commands.executeCommand('mcpSwitchboard.reviewTools');
        },
      },
    ];
  });
}

/** Tools that definitions want to run without a question (`autoApprove` and the like), without those already allowed. */
export function proposedRows(host: Host): PermissionRow[] {
  const { t } = vscode.l10n;
  return host.views.flatMap(({ definition: { id, entry } }) =>
    host.catalog
      .toolsOf(id)
      .filter(({ tool }) => entry.autoApprove?.some((name) => name === tool.name))
      .filter(({ tool }) => !isAllowed(host, id, tool.name))
      .map((tool): PermissionRow => {
        const label = t('{0} on {1}', oneLine(tool.tool.name), oneLine(tool.serverName));
        const source = oneLine(localized(entry.source.label));
        const description = t('{0} proposes to always allow it', source);
        return {
          group: 'proposed',
          key: `${id} ${tool.name}`,
          label,
          description,
          facts: [
            [t('Tool'), label],
            [t('Source'), source],
          ],
          spoken: `${label}, ${description}`,
          icon: 'add',
          open: () => allowProposed(host, tool),
        };
      }),
  );
}

/** Whether the editor's own agents were allowed a tool. */
function isAllowed({ grants }: Host, serverId: string, tool: string): boolean {
  return grants.all.some((each) => each.serverId === serverId && each.tool === tool && each.caller === undefined);
}

async function allowProposed(host: Host, tool: CatalogTool): Promise<void> {
  const { t } = vscode.l10n;
  const question = t('Always allow “{0}” on {1}?', oneLine(tool.tool.name), oneLine(tool.serverName));
  const detail = oneLine((tool.tool.description ?? '').slice(0, 500));
  if (!(await confirm(question, t('Always Allow This Tool'), detail))) return;
  const fingerprint = host.servers.get(tool.serverId)?.fingerprint;
  if (fingerprint === undefined) return;
  const key = { serverId: tool.serverId, fingerprint, tool: underlyingOf(tool).name, pin: new GrantPins().pinOf(tool) };
  await host.grants.grantAlways({ key, serverName: tool.serverName, at: Date.now() });
}
