// Loaded when servers are first dropped, or moved by a command.
import { localized } from '../../../bridge/text/localized.ts';
import { say } from '../../../base/say.ts';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors.ts';
import { plainText } from '../../../bridge/text/safeText.ts';
import type { SourceOptions } from '../../../config/configSources.ts';
import type { Scope, ServerEntry } from '../../../config/configTypes.ts';
import { reorderServer } from '../../../config/edit/reorderServer.ts';
import type { Host } from '../../../host/host.ts';
import { canBeMoved, canBeRemoved } from '../canBeRemoved.ts';
import { copyServers, sharedNote } from '../../config/edit/copyServer.ts';
import { editWithUndo, offerUndo, type Undo } from '../../config/edit/fileUndo.ts';
import { editServersSetting } from '../../config/edit/ownSetting.ts';
import { savePlaceOf } from '../../config/savePlace.ts';
import { isShared } from '../../config/saveServers.ts';
import type { Target } from '../../config/writeConfig.ts';
import { notify } from '../../../bridge/dialogs/showNotification.ts';
import { scopeLabel } from './otherRows.ts';
import type { ServersTreeData } from './serversTreeData.ts';
import type { Node } from './treeNodes.ts';

const TARGETS: Readonly<Record<Scope, Target | undefined>> = {
  local: 'local',
  project: 'project',
  workspace: 'workspace',
  user: 'user',
  dynamic: 'session',
  enterprise: undefined,
  cloud: undefined,
};

/** What dropping needs. */
export interface DropPorts {
  readonly host: Host;
  readonly options: SourceOptions;
  readonly data: ServersTreeData;
}

/**
 * Servers were dropped on a row: within their source they change places, in another scope they are copied or moved, as
 * the user says.
 * @param node a server or a scope; anything else does nothing
 */
export async function dropServers(ports: DropPorts, ids: readonly string[], node: Node | undefined): Promise<void> {
  const { host } = ports;
  const entries = ids.flatMap((id) => host.servers.get(id)?.entry ?? []);
  const onto = node?.kind === 'server' ? host.servers.get(node.serverId)?.entry : undefined;
  const scope = node?.kind === 'scope' ? node.scope : onto?.scope;
  if (scope === undefined || (onto && entries.includes(onto))) return;
  const within = entries.filter((entry) => onto?.source.id === entry.source.id);
  if (within.length > 0) await reorder(ports, within, onto?.name);
  const others = entries.filter((entry) => entry.scope !== scope);
  if (others.length > 0) await moveToScope(ports, others, scope);
}

/** *Move Up*, *Move Down*: in the file or setting where the server is defined. */
export async function moveServer(ports: DropPorts, id: string, by: -1 | 1): Promise<void> {
  const { host } = ports;
  const definition = host.servers.get(id);
  if (!definition) return;
  const { entry } = definition;
  const siblings = host.servers.definitions.filter((each) => each.entry.source.id === entry.source.id);
  const at = siblings.indexOf(definition);
  const to = at + by;
  if (to < 0 || to >= siblings.length) return;
  await reorder(ports, [entry], siblings[by < 0 ? to : to + 1]?.entry.name);
}

async function reorder(
  { host, data }: DropPorts,
  entries: readonly ServerEntry[],
  before: string | undefined,
): Promise<void> {
  const { t } = vscode.l10n;
  const fixed = entries.find((entry) => !canBeMoved({ definition: { entry } }));
  if (fixed)
    throw new SwitchboardError('unsupported', say`The order of servers of ${fixed.source.label} can’t be changed.`);
  if (data.arrangement.sort !== 'defined') {
    const label = t('Sort by Place in File');
    const text = t('Servers change places while they are sorted by their place in the file.');
    if ((await notify('information', text, label)) === label) await data.arrange({ sort: 'defined' });
    return;
  }
  const undos: Undo[] = [];
  for (const entry of entries) undos.push(await reorderEntry(entry, before));
  await host.config.reload();
  const [first] = entries;
  if (first) offerUndo(host, t('Reordered servers in {0}.', localized(first.source.label)), undos);
}

async function reorderEntry({ source, name }: ServerEntry, before: string | undefined): Promise<Undo> {
  if (source.file !== undefined)
    return editWithUndo(
      vscode.Uri.file(source.file),
      (text) => reorderServer(text, source, name, before),
      () => undefined,
    );
  return editServersSetting(
    (servers) => {
      const rest = Object.entries(servers).filter(([key]) => key !== name);
      const at = before === undefined ? -1 : rest.findIndex(([key]) => key === before);
      const moved: [string, unknown] = [name, servers[name]];
      return Object.fromEntries(at < 0 ? [...rest, moved] : rest.toSpliced(at, 0, moved));
    },
    (now) => now,
  );
}

async function moveToScope({ host, options }: DropPorts, entries: readonly ServerEntry[], scope: Scope): Promise<void> {
  const { t } = vscode.l10n;
  const target = TARGETS[scope];
  if (target === undefined)
    throw new SwitchboardError(
      'unsupported',
      say`${scopeLabel(scope)} servers are not defined here. Nothing was changed.`,
    );
  const views = host.views.filter(({ definition }) => entries.includes(definition.entry));
  const canMove = views.every(canBeRemoved);
  const [move, copy] = [t('Move'), t('Copy')];
  const names = plainText(entries.map(({ name }) => name).join(', '));
  const detail = isShared(target) ? sharedNote(entries) : undefined;
  const answer = await vscode.window.showInformationMessage(
    t('Move or copy {0} to {1}?', names, scopeLabel(scope)),
    { modal: true, ...(detail === undefined ? {} : { detail }) },
    ...(canMove ? [move, copy] : [copy]),
  );
  const place = answer === undefined ? undefined : await savePlaceOf(target, options);
  if (place) await copyServers(host, entries, place, { isMove: answer === move, isAsked: true });
}
