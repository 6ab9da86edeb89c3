// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/safeText.ts';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import { GrantPins } from '../../calls/policy/permissionGrants.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import type { PermissionRule } from '../../config/rules/permissionRules.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import type { SamplingConsent, SamplingConsents } from '../../bridge/sampling/samplingConsents.ts';
import type { Host } from '../../host/host.ts';
import type { EditorCallSettings } from '../../platform/editorCallSettings.ts';
import { confirm } from '../askChoice.ts';
import { openDefinition } from '../config/openConfig.ts';
import { grantScope, isVoid } from './grantItem.ts';

/** *Manage Permissions…*: lists permissions and rules; picking a permission revokes it. */
export async function managePermissions(
  host: Host,
  settings: EditorCallSettings,
  consents: SamplingConsents,
): Promise<void> {
  const { t } = vscode.l10n;
  const { grants } = host;
  const separator = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  type Item = vscode.QuickPickItem & {
    readonly revoke?: () => Promise<void> | void;
    readonly openRules?: boolean;
    readonly openHooks?: boolean;
    readonly openEntry?: ServerEntry;
    readonly allow?: CatalogTool;
  };
  const given = grants.all.map((grant): Item => ({
    label: plainText(`${grant.serverName} · ${grant.tool}`),
    description: plainText(grantScope(grant, isVoid(host, grant))),
    ...(grant.argsText === undefined ? {} : { detail: plainText(grant.argsText.slice(0, 200)) }),
    revoke: () => grants.revoke(grant.id),
  }));
  const models = consents.all.map((consent): Item => ({
    label: `$(chat-sparkle) ${plainText(`${consent.serverName} · ${consent.modelName}`)}`,
    description: consentScope(consent, host.servers.get(consent.serverId)?.fingerprint),
    revoke: () => consents.revoke(consent),
  }));
  const proposed = proposals(host).map(({ tool, source }): Item => ({
    label: `$(add) ${plainText(`${tool.serverName} · ${tool.tool.name}`)}`,
    description: t('{0} proposes to always allow it', plainText(source)),
    allow: tool,
  }));
  const openWorld: Item[] =
    grants.openWorldCount > 0
      ? [
          {
            label: t('Read-only tools with open-world access'),
            description: t('{0} servers', grants.openWorldCount),
            revoke: () => grants.revokeOpenWorld(),
          },
        ]
      : [];
  const rules = settings.read().rules.map((rule): Item => ({ ...ruleItem(rule, rule.source), openRules: true }));
  const ofEntries = host.views.flatMap(({ definition: { name, entry } }) =>
    (entry.permissionRules ?? []).map((rule): Item => ({
      ...ruleItem(rule, t('definition of {0}', plainText(name))),
      openEntry: entry,
    })),
  );
  const problems = settings.problems.map(({ source, index, message, fix }): Item => ({
    label: `$(warning) ${t('Rule {0} ({1}) has a problem', index + 1, source)}`,
    detail: plainText(`${message} ${fix}`),
    openRules: true,
  }));
  const hooks = (await host.calls.hooks.problems(host.namesInUse)).map(({ message, fix }): Item => ({
    label: `$(warning) ${t('A hook has a problem')}`,
    detail: plainText(`${message} ${fix ?? ''}`),
    openHooks: true,
  }));
  const items: Item[] = [
    separator(t('Allowed by you: select to revoke')),
    ...given,
    ...openWorld,
    ...(models.length > 0 ? [separator(t('Servers that use models: select to revoke')), ...models] : []),
    ...(proposed.length > 0 ? [separator(t('Proposed by a server definition: select to allow')), ...proposed] : []),
    separator(t('Rules: select to open the setting')),
    ...problems,
    ...hooks,
    ...rules,
    ...ofEntries,
    { label: `$(gear) ${t('Edit Rules…')}`, openRules: true },
  ];
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, {
      title: t('Permissions'),
      placeHolder: given.length + models.length > 0 ? t('Select a permission to revoke it') : t('No saved permissions'),
      matchOnDescription: true,
      matchOnDetail: true,
    }),
  );
  if (picked?.openRules) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'mcpSwitchboard.permissions.rules');
  }
  if (picked?.openHooks) await vscode.commands.executeCommand('workbench.action.openSettings', 'mcpSwitchboard.hooks');
  if (picked?.openEntry) await openDefinition(picked.openEntry);
  await picked?.revoke?.();
  if (picked?.allow) await allowProposed(host, picked.allow);
}

function ruleItem({ action, tool, reason }: PermissionRule, where: string): vscode.QuickPickItem {
  return {
    label: `${action}: ${plainText(tool)}`,
    description: `${where}${reason === undefined ? '' : ` · ${plainText(reason)}`}`,
  };
}

/** Tools that definitions want to run without a question (`autoApprove` and the like), without those already allowed. */
function proposals(host: Host): readonly { readonly tool: CatalogTool; readonly source: string }[] {
  return host.views.flatMap(({ definition: { id, entry } }) =>
    host.catalog
      .toolsOf(id)
      .filter(({ tool }) => entry.autoApprove?.some((name) => name === tool.name))
      .filter(({ tool }) => !isAllowed(host, id, tool.name))
      .map((tool) => ({ tool, source: entry.source.label })),
  );
}

/** Whether the editor's own agents were allowed a tool. */
function isAllowed({ grants }: Host, serverId: string, tool: string): boolean {
  return grants.all.some((each) => each.serverId === serverId && each.tool === tool && each.caller === undefined);
}

async function allowProposed(host: Host, tool: CatalogTool): Promise<void> {
  const { t } = vscode.l10n;
  const question = t('Always allow “{0}” on {1}?', plainText(tool.tool.name), plainText(tool.serverName));
  const detail = showInvisible((tool.tool.description ?? '').slice(0, 500));
  if (!(await confirm(question, t('Always Allow This Tool'), detail))) return;
  const fingerprint = host.servers.get(tool.serverId)?.fingerprint;
  if (fingerprint === undefined) return;
  const key = { serverId: tool.serverId, fingerprint, tool: underlyingOf(tool).name, pin: new GrantPins().pinOf(tool) };
  await host.grants.grantAlways({ key, serverName: tool.serverName, at: Date.now() });
}

function consentScope({ answer, fingerprint }: SamplingConsent, current: string | undefined): string {
  const { t } = vscode.l10n;
  const scope = { session: t('in this session'), always: t('always'), never: t('never') }[answer];
  return fingerprint === current ? scope : `${scope}, ${t('no longer valid: the server changed')}`;
}
