import type { ServerEntry } from '../../config/configTypes.ts';
import { isAllowedByOrganisation, policyVerdict } from './serverPolicy.ts';
import { folderUse } from './folderUse.ts';
import type { ServerDecisions, ServerStatus } from '../serverTypes.ts';

/** Where a server of one entry stands, other entries of its name left aside (design: *Trust*, *Hand-over*). */
export function statusOf(
  entry: ServerEntry,
  id: string,
  fingerprint: string,
  decisions: ServerDecisions,
): ServerStatus {
  const disabled = disabledStatus(entry, id, decisions);
  if (disabled) return disabled;
  const denial = denialOf(entry, decisions);
  if (denial) return denial;
  if (entry.sandboxed) return { kind: 'blocked', by: 'sandboxed', reason: 'sandboxed: run by VS Code' };
  const distrust = decisions.workspaceTrusted ? undefined : distrustOf(entry, decisions);
  if (distrust !== undefined) return { kind: 'blocked', by: 'untrusted-workspace', reason: distrust };
  if (decisions.hosting !== 'switchboard' && decisions.editorHosts(entry))
    return { kind: 'disabled', by: 'editor', reason: 'run by VS Code' };
  if (!needsApproval(entry)) return { kind: 'ready' };
  const approval = decisions.approval(id);
  if (approval?.fingerprint !== fingerprint)
    return { kind: 'needs-approval', change: approval?.verdict === 'approved' ? 'changed' : 'new' };
  return approval.verdict === 'approved'
    ? { kind: 'ready' }
    : { kind: 'blocked', by: 'rejected', reason: 'you rejected it' };
}

/** Comes with the folder that is open, so that whoever wrote the folder's files wrote it. */
export function isOfFolder({ scope }: Pick<ServerEntry, 'scope'>): boolean {
  return scope === 'project' || scope === 'workspace';
}

/** Why a server must not start while the folder isn't trusted: it comes with the folder, or uses something of it. */
function distrustOf(entry: ServerEntry, { openFolders = { paths: [] } }: ServerDecisions): string | undefined {
  if (isOfFolder(entry)) return 'the workspace is not trusted';
  const use = folderUse(entry, openFolders);
  return use && `it uses the open folder, which is not trusted: ${use}`;
}

/** All but what the user, or the machine's administrator, wrote. */
function needsApproval({ scope }: ServerEntry): boolean {
  return scope !== 'enterprise' && scope !== 'local' && scope !== 'user';
}

/** The status of a server that its file or the user has disabled. */
export function disabledStatus(entry: ServerEntry, id: string, decisions: ServerDecisions): ServerStatus | undefined {
  if (entry.disabled) return { kind: 'disabled', by: 'entry', reason: `disabled in ${entry.source.label}` };
  if (decisions.isDisabled(id)) return { kind: 'disabled', by: 'user', reason: 'disabled by you' };
  return undefined;
}

/** What the lists say. The managed file's own servers are the administrator's word already. */
function denialOf(entry: ServerEntry, { policies = [] }: ServerDecisions): ServerStatus | undefined {
  if (entry.scope === 'enterprise') return undefined;
  const verdict = policyVerdict(entry, policies);
  if (verdict) return { kind: 'blocked', by: 'policy', ...verdict };
  if (entry.scope !== 'cloud' || entry.transport.type !== 'stdio' || isAllowedByOrganisation(entry, policies))
    return undefined;
  const reason = 'it comes from the cloud and starts a process, which only an organisation can allow';
  return { kind: 'blocked', by: 'policy', reason };
}
