// Loaded with the first list of permissions.
import * as vscode from 'vscode';
import { oneLine } from '../../base/text/showInvisible.ts';
import { GrantPins } from '../../calls/policy/grantPins.ts';
import type { Grant, OpenWorldGrant } from '../../calls/policy/permissionGrants.ts';
import { underlyingOf } from '../../catalog/catalogTool.ts';
import type { Host } from '../../host/host.ts';
import type { SamplingConsent, SamplingConsents } from '../../bridge/sampling/samplingConsents.ts';
import type { EditorCallSettings } from '../../platform/settings/editorCallSettings.ts';
import { openDefinition } from '../config/openConfig.ts';
import type { PermissionRow } from './permissionRow.ts';

type Fact = readonly [label: string, value: string];

/** What the user allowed in questions about calls. */
export function grantRows(host: Host, settings: EditorCallSettings): PermissionRow[] {
  const { grants } = host;
  const mode = settings.read().approvalMode;
  return [
    ...grants.all.map((grant) => grantRow(host, grant, mode)),
    ...grants.openWorld.map((each) => openWorldRow(host, each)),
  ];
}

function grantRow(host: Host, grant: Grant, mode: string): PermissionRow {
  const { t } = vscode.l10n;
  const { tool, serverName, lasting, argsText, caller } = grant;
  const isAllowed = t('{0} on {1}', oneLine(tool), oneLine(serverName));
  const until = untilText(lasting);
  const args = argsText === undefined ? undefined : oneLine(argsText.replaceAll(/\s+/g, ' '));
  const why =
    voidText(host, grant) ?? (mode === 'askAlways' ? t('no effect: the approval mode asks for every call') : undefined);
  return {
    group: 'given',
    key: grant.id,
    label: isAllowed,
    description: [
      until,
      ...(args === undefined ? [] : [t('only with {0}', args)]),
      ...callerTexts(caller),
      ...texts(why),
    ].join(' · '),
    facts: [
      [t('Allowed'), isAllowed],
      ...(args === undefined ? [] : [[t('Only with these arguments'), args] as const]),
      [t('Holds'), until],
      ...callerTexts(caller).map((text): Fact => [t('Caller'), text]),
      [t('Why'), t('You answered a question on {0}', dateText(grant.at))],
      ...texts(why).map((text): Fact => [t('State'), text]),
    ],
    spoken: [
      t('Allowed: {0}', isAllowed),
      until,
      ...(args === undefined ? [] : [t('only with the arguments {0}', args)]),
      ...callerTexts(caller),
      ...texts(why),
    ].join(', '),
    ...(why === undefined
      ? { icon: lasting ? 'pass' : 'watch' }
      : { icon: 'warning', color: 'list.warningForeground' }),
    revoke: async () => {
      await host.grants.revoke(grant.id);
      return () => host.grants.restore(grant);
    },
    ...openOf(host, grant.serverId),
  };
}

function openWorldRow(host: Host, grant: OpenWorldGrant): PermissionRow {
  const { t } = vscode.l10n;
  const name = nameOf(host, grant.serverId);
  const label = t('Read-only tools of {0}', name);
  const until = untilText(grant.lasting);
  const isVoid = host.servers.get(grant.serverId)?.fingerprint !== grant.fingerprint;
  const state = isVoid ? [t('no longer valid: the server changed')] : [];
  const all = [until, t('can reach external systems'), ...callerTexts(grant.caller), ...state];
  return {
    group: 'given',
    key: `${grant.serverId} ${grant.fingerprint} ${grant.caller ?? ''}`,
    label,
    description: all.join(' · '),
    facts: [
      [t('Allowed'), label],
      [t('Holds'), until],
      ...callerTexts(grant.caller).map((text): Fact => [t('Caller'), text]),
      [t('Why'), t('You answered a question about a tool that can reach external systems')],
      ...state.map((text): Fact => [t('State'), text]),
    ],
    spoken: [t('Allowed: {0}', label), ...all].join(', '),
    icon: isVoid ? 'warning' : 'globe',
    revoke: async () => {
      await host.grants.revokeOpenWorld(grant);
      return () => host.grants.grantOpenWorld(grant, grant.lasting);
    },
    ...openOf(host, grant.serverId),
  };
}

/** What the user said of servers that use the editor's models. */
export function modelRows(host: Host, consents: SamplingConsents): PermissionRow[] {
  return consents.all.map((consent) => modelRow(host, consents, consent));
}

function modelRow(host: Host, consents: SamplingConsents, consent: SamplingConsent): PermissionRow {
  const { t } = vscode.l10n;
  const { answer, at, serverId, modelId } = consent;
  const label = t('{0} uses {1}', oneLine(consent.serverName), oneLine(consent.modelName));
  const scope = { session: t('in this session'), always: t('always'), never: t('never') }[answer];
  const isVoid = host.servers.get(serverId)?.fingerprint !== consent.fingerprint;
  const state = isVoid ? [t('no longer valid: the server changed')] : [];
  return {
    group: 'models',
    key: `${serverId} ${consent.fingerprint} ${modelId}`,
    label,
    description: [scope, ...state].join(' · '),
    facts: [
      [t('Server'), oneLine(consent.serverName)],
      [t('Model'), oneLine(consent.modelName)],
      [t('Allowed'), scope],
      [t('Why'), at === undefined ? t('You answered a question') : t('You answered a question on {0}', dateText(at))],
      ...state.map((text): Fact => [t('State'), text]),
    ],
    spoken: [label, scope, ...state].join(', '),
    icon: isVoid ? 'warning' : answer === 'never' ? 'circle-slash' : 'chat-sparkle',
    revoke: async () => {
      await consents.revoke(consent);
      return () => consents.set(consent);
    },
    ...openOf(host, serverId),
  };
}

/** Why a grant is void, if it is; the tools of a server that isn't connected count as unchanged. */
function voidText(host: Host, grant: Grant): string | undefined {
  const { t } = vscode.l10n;
  const definition = host.servers.get(grant.serverId);
  if (!definition) return t('no longer valid: the server is gone');
  if (definition.fingerprint !== grant.fingerprint) return t('no longer valid: the server changed');
  const tools = host.catalog.toolsOf(grant.serverId);
  const pins = new GrantPins();
  const isThere = tools.some((tool) => underlyingOf(tool).name === grant.tool && pins.pinOf(tool) === grant.pin);
  return tools.length === 0 || isThere ? undefined : t('no longer valid: the tool changed');
}

function callerTexts(caller: string | undefined): string[] {
  if (caller === undefined) return [];
  const extension = /^extension:(.*)$/s.exec(caller)?.[1];
  const { t } = vscode.l10n;
  if (caller === 'app') return [t('for apps of servers')];
  return [
    extension === undefined ? t('for agents outside the editor') : t('for the extension {0}', oneLine(extension)),
  ];
}

function untilText(lasting: boolean): string {
  return lasting ? vscode.l10n.t('always, in this workspace') : vscode.l10n.t('in this session');
}

function texts(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

/** Day and time. */
export function dateText(at: number): string {
  return new Date(at).toLocaleString();
}

/** The name of a server that may be gone. */
export function nameOf(host: Host, serverId: string): string {
  const end = serverId
    .slice(serverId.lastIndexOf('#') + 1)
    .replaceAll('%23', '#')
    .replaceAll('%25', '%');
  return oneLine(host.servers.get(serverId)?.name ?? end);
}

/** Opens the definition of a server that is there. */
export function openOf(host: Host, serverId: string): Pick<PermissionRow, 'open'> {
  const entry = host.servers.get(serverId)?.entry;
  return entry ? { open: () => openDefinition(entry) } : {};
}
