import { SwitchboardError } from '../../base/errors.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';
import type { AskedItem } from '../../calls/brokerTypes.ts';
import type { CallPorts } from '../../calls/callServices.ts';
import { partOwnerOf } from '../../catalog/names/namePartStore.ts';
import { underlyingOf } from '../../catalog/catalogTool.ts';
import { appUriOf } from '../../catalog/toolApp.ts';
import { ListedResources } from '../../catalog/items/listedResources.ts';
import type { PinnedItems } from '../../catalog/items/pinnedItems.ts';
import { skillOfFile } from '../../catalog/skills/skillPaths.ts';
import { READY_WAIT_MS } from '../../calls/callSettings.ts';
import type { Session } from '../../connection/connectionTypes.ts';
import { absentOwnerOf, OTHER_PRESET } from '../unavailableServers.ts';
import { openFoldersOf } from './readyServers.ts';
import type { Host } from '../host.ts';
import type { HostPorts } from '../hostPorts.ts';
import { isOwn } from '../../servers/trust/serverStatus.ts';

/** Connects the broker to the rest of the core. */
export async function brokerPorts(parts: Host, ports: HostPorts): Promise<CallPorts> {
  const { catalog, feed, servers } = parts;
  const { asker, clock, platform } = ports;
  const listed = new ListedResources(clock);
  const { recorder, tracing } = await parts.recording();
  return {
    find: (name) => catalog.find(name) ?? refuseHidden(parts, name) ?? catalog.meant(name),
    absentOwner: (name) => absentOwnerOf(name, parts.views, catalog),
    closestNames: (name) => catalog.closestNames(name, 3),
    fingerprintOf: (serverId) => servers.get(serverId)?.fingerprint,
    serverOf: (serverId) => {
      const definition = servers.get(serverId);
      const name = definition?.name ?? serverId;
      const part = (definition && catalog.parts?.partOf(partOwnerOf(definition))) ?? catalog.partOf(serverId);
      return { name, configuredName: definition?.entry.name ?? name, part };
    },
    listsResource: async (serverId, uri, signal) =>
      catalog.toolsOf(serverId).some(({ tool }) => appUriOf(tool) === uri) ||
      listed.has(await sessionOf(parts, serverId, READY_WAIT_MS, signal), uri),
    listsSkill: (serverId, uri) => typeof uri === 'string' && feed.skills.pinnedOf(serverId).includes(uri),
    itemVerdict: async ({ signal, ...asked }) => {
      const pinned = pinnedItemOf(asked, feed);
      if (!pinned) return 'ok';
      const { list, name } = pinned;
      const { serverId } = asked;
      const session = await sessionOf(parts, serverId, READY_WAIT_MS, signal);
      const verdict = await list.verdictOf(serverId, session, name, signal);
      // What a skill states of itself is in the list, too, unless that is held back.
      if (asked.method === 'skills/get') return verdict === 'block' ? verdict : 'ok';
      return verdict === 'ok' && list === feed.skills && list.isNew(serverId, name) ? 'new' : verdict;
    },
    acknowledgeItem: (asked) => {
      const pinned = pinnedItemOf(asked, feed);
      pinned?.list.acknowledge(asked.serverId, pinned.name);
    },
    names: parts.namesInUse,
    isChanged: (tool) => feed.changesOf(tool.serverId).has(underlyingOf(tool).name),
    isNew: (tool) => feed.isNew(tool.serverId, underlyingOf(tool).name),
    acknowledge: (tool) => feed.acknowledge(tool.serverId, underlyingOf(tool).name),
    isNameOfOther: (name, serverId) => isNameOfOther(name, serverId, parts),
    entryRulesOf: (serverId) => servers.get(serverId)?.entry.permissionRules,
    session: (serverId, waitMs, signal) => sessionOf(parts, serverId, waitMs, signal),
    liveSession: (serverId, waitMs, signal) => parts.pool.ready(serverId, waitMs, signal),
    folders: () => openFoldersOf(ports).paths,
    callTimeoutMs: (serverId) => servers.get(serverId)?.entry.callTimeoutMs ?? ports.settings().callTimeoutMs,
    validate: (schema, args) => parts.validate(schema, args),
    shown: (args) => maskedWithin(args, parts.mask),
    accountOf: (serverId) => parts.signIns.view(serverId)?.account?.label,
    decided: ({ serverId, callId, tool, outcome, why }) => {
      const { name } = underlyingOf(tool);
      // No callable name has a slash: then it is a request as `asTool` shows it.
      const about = tool.name.includes('/') ? { method: name, tool: '' } : { method: 'tools/call', tool: name };
      recorder.note(serverId, { kind: 'decision', callId, ...about, outcome, why });
    },
    asker,
    clock,
    platform,
    sending: (args, call) => recorder.sending(args, call),
    tracer: () => tracing.tracer(),
  };
}

/** Which pinned item a request is for: a prompt, or the skill that a resource is a file of. */
function pinnedItemOf(
  { serverId, method, params: { name, uri } }: Omit<AskedItem, 'signal'>,
  { prompts, skills }: Host['feed'],
): { readonly list: PinnedItems; readonly name: string } | undefined {
  if (method === 'prompts/get' && typeof name === 'string') return { list: prompts, name };
  if ((method !== 'resources/read' && method !== 'skills/get') || typeof uri !== 'string') return undefined;
  const skill = skillOfFile(skills.pinnedOf(serverId), uri);
  return skill === undefined ? undefined : { list: skills, name: skill };
}

/**
 * Whether another server has more right to a name than this one: one of the user's own that has it, configured or in callable
 * names, comes before others; and one that is configured by it before one that is only called so in callable names.
 */
export function isNameOfOther(
  name: string,
  serverId: string,
  { servers, catalog: { parts } }: Pick<Host, 'servers' | 'catalog'>,
): boolean {
  const own = servers.get(serverId)?.entry;
  if (!own) return false;
  const isConfigured = own.name === name;
  if (isConfigured && isOwn(own)) return false;
  return servers.definitions.some(
    ({ id, entry, status }) =>
      id !== serverId &&
      (isOwn(entry)
        ? entry.name === name || parts?.known(id) === name
        : entry.name === name && !isConfigured && status.kind === 'ready'),
  );
}

function refuseHidden({ catalog, preset }: Host, name: string): undefined {
  if (catalog.findOutsidePreset(name)) {
    const text = `${name} is not in the active preset “${preset.active?.name ?? ''}”. It did not run.`;
    throw new SwitchboardError('denied', text, { remedy: OTHER_PRESET });
  }
  if (!catalog.findKeptBack(name)) return undefined;
  throw new SwitchboardError('denied', `${name} changed since the user approved it. It did not run.`, {
    remedy: 'The user must review the change first (command: Review Changed Tools). Continue without this tool.',
  });
}

/** The session of a server; at once, where it is connected. */
function sessionOf(host: Host, serverId: string, waitMs: number, signal: AbortSignal): Session | Promise<Session> {
  const isRemembered = host.catalog.toolsOf(serverId)[0]?.cachedAt !== undefined;
  const live = isRemembered ? undefined : host.pool.get(serverId)?.session;
  return live ?? readySession(host, serverId, isRemembered, waitMs, signal);
}

/** A decision that was based on cached tools only counts if the server still lists the same tools. */
async function readySession(
  host: Host,
  serverId: string,
  isRemembered: boolean,
  waitMs: number,
  signal: AbortSignal,
): Promise<Session> {
  const { feed, pool, servers } = host;
  const before = isRemembered ? feed.listDigest(serverId) : undefined;
  const session = await pool.ready(serverId, waitMs, signal);
  if (before === undefined) return session;
  host.refreshTools(serverId);
  if (feed.listDigest(serverId) === before) return session;
  const name = servers.get(serverId)?.name ?? serverId;
  throw new SwitchboardError('denied', `The tools of ${name} differ from the remembered list. The tool did not run.`, {
    remedy: 'Find the tool again with mcp_tool_search, then call it again.',
  });
}
