import { say } from '../../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import { readRuleLists } from '../../config/rules/serverRules.ts';
import type { ConfigSnapshot, ServerRules } from '../../config/configTypes.ts';

/** Lists that bind, and whose they are. */
export interface ServerPolicy extends ServerRules {
  /** For users, e.g. `your organisation` or `the setting mcpSwitchboard.deniedServers`. */
  readonly label: string;
  /** Where the lists stand, if in a file. */
  readonly file?: string;
  /** An administrator's, or the editor's own, which one can set. Only such a list can let a server from the cloud start a process. */
  readonly isOrganisation: boolean;
  /** `none`: no server may run but those of the managed file. */
  readonly access?: 'none';
}

/** The lists of the managed file, and of other files that have some. While the managed one can't be read, nobody knows what it allows: nothing. */
export function filePolicies({ results }: ConfigSnapshot): ServerPolicy[] {
  return results.flatMap(({ source, status, rules, stale }): ServerPolicy[] => {
    if (status === 'absent') return [];
    if (source.scope !== 'enterprise') {
      const file = source.file === undefined ? {} : { file: source.file };
      return rules ? [{ label: source.label, isOrganisation: false, ...file, ...rules }] : [];
    }
    const base = { isOrganisation: true, ...(source.file === undefined ? {} : { file: source.file }) };
    if (status === 'broken' && !stale)
      return [{ ...base, label: say`${source.label} can't be read`, allowed: [], denied: [] }];
    return rules ? [{ ...base, label: source.label, ...rules }] : [];
  });
}

/** The lists of a settings file, as `allowedServers` and `deniedServers` hold them; none where both are empty. */
export function settingPolicy(label: string, allowed: unknown, denied: unknown): ServerPolicy[] {
  const rules = readRuleLists(allowed, denied, { emptyAllows: true });
  return rules.allowed || rules.denied.length > 0 ? [{ label, isOrganisation: false, ...rules }] : [];
}

/** A value of each of the editor's settings about which MCP servers may run. */
export interface EditorMcpLists {
  readonly access: unknown;
  readonly allowed: unknown;
  readonly denied: unknown;
}

/**
 * What the editor's own settings `chat.mcp.*` say, which an organisation can fix: they bind here, too. Under `registry`
 * only the editor can tell which servers are the registry's, so none runs here.
 * @param inForce what the editor goes by
 * @param levels what the settings of the user, and of the workspace and its folders, say: where the editor goes by a value
 *   of the workspace, the user's binds as well, and only they and an organisation count as such
 */
export function editorPolicies(
  inForce: EditorMcpLists,
  levels: { readonly user?: EditorMcpLists; readonly workspace?: readonly EditorMcpLists[] } = {},
): ServerPolicy[] {
  const { user, workspace = [] } = levels;
  const ofWorkspace = (name: keyof EditorMcpLists): boolean =>
    workspace.some((lists) => isDeepStrictEqual(lists[name], inForce[name]));
  const { access, allowed, denied } = inForce;
  const fixed = {
    access: ofWorkspace('access') ? undefined : access,
    allowed: ofWorkspace('allowed') ? undefined : allowed,
    denied: ofWorkspace('denied') ? undefined : denied,
  };
  return [
    ...[fixed, ...(user ? [user] : [])].flatMap((lists) => editorPolicy(lists, true)),
    ...workspace.flatMap((lists) => editorPolicy(lists, false)),
  ];
}

function editorPolicy({ access, allowed, denied }: EditorMcpLists, isOrganisation: boolean): ServerPolicy[] {
  const base = { isOrganisation, denied: [] };
  return [
    ...(access === 'none' ? [{ ...base, label: 'chat.mcp.access', access } as const] : []),
    ...(access === 'registry'
      ? [{ ...base, label: say`chat.mcp.access: only servers of the registry`, allowed: [] }]
      : []),
    ...settingPolicy('chat.mcp', allowed, denied).map((policy) => ({ ...policy, isOrganisation })),
  ];
}
