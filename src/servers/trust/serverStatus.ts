import { isPortable } from '../../config/clients/portableEntry.ts';
import { OWN_SCOPES, type ServerEntry } from '../../config/configTypes.ts';
import { folderUse } from './folderDependence.ts';
import type { ServerDecisions, ServerStatus } from '../serverTypes.ts';
import { say } from '../../base/say.ts';

/** Where a server of one entry stands, other entries of its name left aside (design: *Trust*, *Hand-over*). */
export function statusOf(
  entry: ServerEntry,
  id: string,
  fingerprint: string,
  decisions: ServerDecisions,
): ServerStatus {
  if (isPortable(entry))
    return { kind: 'disabled', by: 'portable', reason: say`MCP Switchboard’s own entry, for agents outside` };
  const disabled = disabledStatus(entry, id, decisions);
  if (disabled) return disabled;
  const denial = denialOf(entry, decisions);
  if (denial) return denial;
  if (entry.sandboxed) return { kind: 'blocked', by: 'sandboxed', reason: say`sandboxed: left to VS Code` };
  const distrust = decisions.workspaceTrusted ? undefined : distrustOf(entry, decisions);
  if (distrust !== undefined) return { kind: 'blocked', by: 'untrusted-workspace', reason: distrust };
  if (decisions.hosting !== 'switchboard' && decisions.editorHosts(entry))
    return {
      kind: 'disabled',
      by: 'editor',
      reason: decisions.hosting === 'editor' ? say`left to VS Code` : say`MCP host not chosen`,
    };
  if (isBacked(entry, id, fingerprint, decisions)) return { kind: 'ready' };
  const approval = decisions.approval(id, fingerprint);
  if (approval?.fingerprint !== fingerprint)
    return { kind: 'needs-approval', change: approval?.verdict === 'approved' ? 'changed' : 'new' };
  return { kind: 'blocked', by: 'rejected', reason: say`you rejected it` };
}

/** Comes with the folder that is open, so that whoever wrote the folder's files wrote it. */
export function isOfFolder({ scope }: Pick<ServerEntry, 'scope'>): boolean {
  return scope === 'project' || scope === 'workspace';
}

/** Why a server must not start while the workspace isn't trusted: it comes with it, or uses something of its folder. */
function distrustOf(entry: ServerEntry, { openFolders = { paths: [] } }: ServerDecisions): string | undefined {
  if (isOfFolder(entry)) return say`untrusted workspace`;
  const use = folderUse(entry, openFolders);
  return use && say`untrusted workspace: ${use}`;
}

/** See `OWN_SCOPES`. */
export function isOwn({ scope }: Pick<ServerEntry, 'scope'>): boolean {
  return OWN_SCOPES.has(scope);
}

/** Whether the user stands behind an entry as it is: it is theirs, or they approved it. */
export function isBacked(entry: ServerEntry, id: string, fingerprint: string, decisions: ServerDecisions): boolean {
  if (isOwn(entry)) return true;
  const approval = decisions.approval(id, fingerprint);
  return approval?.verdict === 'approved' && approval.fingerprint === fingerprint;
}

/** The status of a server that its file or the user has disabled. */
export function disabledStatus(entry: ServerEntry, id: string, decisions: ServerDecisions): ServerStatus | undefined {
  if (entry.disabled)
    return { kind: 'disabled', by: 'entry', reason: say`disabled in ${entry.disabledIn ?? entry.source.label}` };
  if (decisions.isDisabled(id)) return { kind: 'disabled', by: 'user', reason: say`disabled by you` };
  return undefined;
}

/** What the lists say. The managed file's own servers are the administrator's word already. */
function denialOf(entry: ServerEntry, { policies = [], judge, names = [] }: ServerDecisions): ServerStatus | undefined {
  if (entry.scope === 'enterprise') return undefined;
  if (policies.length > 0 && !judge)
    return { kind: 'blocked', by: 'policy', reason: say`the lists of allowed and denied servers are being read` };
  const subject = { name: entry.name, transport: entry.transport, names };
  const verdict = judge?.policyVerdict(subject, policies);
  if (verdict) return { kind: 'blocked', by: 'policy', ...verdict };
  if (entry.scope !== 'cloud' || entry.transport.type !== 'stdio' || judge?.isAllowedByOrganisation(subject, policies))
    return undefined;
  const reason = say`it comes from the cloud and starts a process, which only an organisation can allow`;
  return { kind: 'blocked', by: 'policy', reason };
}
