import { listAllPrompts, listAllResources, listAllTemplates } from '../../../bridge/resources/listOffered.ts';
import { listAllSkills } from '../../../bridge/resources/skills.ts';
import { hasSkills } from '../../../catalog/skills/skillEntry.ts';
import type { ConfigProblem, ConfigSnapshot, SourceResult } from '../../../config/configTypes.ts';
import type { Host } from '../../../host/host.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import { CATEGORIES, type Category, type ItemNode, type Node } from './treeNodes.ts';

/** More than anybody looks through; the commands search all of them. */
const MAX_ITEMS = 500;

/** Whether a server may have anything below it; cheap, since it is asked for every row. */
export function hasChildren(host: Host, { definition: { id, status }, state }: ServerView): boolean {
  return (
    status.kind === 'problem' ||
    (state.kind === 'connected' &&
      ('resources' in state.info.capabilities ||
        'prompts' in state.info.capabilities ||
        hasSkills(state.info.capabilities))) ||
    host.catalog.toolsOf(id).length + host.catalog.disabledToolsOf(id).length > 0 ||
    host.catalog.problemsOf(id).length + (host.pool.get(id)?.leftOut ?? []).length > 0
  );
}

/** What there is of a server. */
export function categoriesOf(host: Host, view: ServerView): readonly Category[] {
  const { definition, state } = view;
  const { catalog } = host;
  const offers = state.kind === 'connected' ? state.info.capabilities : {};
  const isThere: Readonly<Record<Category, () => boolean>> = {
    tools: () => catalog.toolsOf(definition.id).length + catalog.disabledToolsOf(definition.id).length > 0,
    resources: () => 'resources' in offers,
    prompts: () => 'prompts' in offers,
    skills: () => hasSkills(offers),
    problems: () => problemsOfServer(host, view).length > 0,
  };
  return CATEGORIES.filter((what) => isThere[what]());
}

/** What is wrong with a server's definition, and with its rules about tools. */
export function problemsOfServer(host: Host, { definition: { entry } }: ServerView): readonly ConfigProblem[] {
  return host.problems.filter(
    ({ serverName, range }) => serverName === entry.name && range.sourceId === entry.source.id,
  );
}

/** Sources that can't be read as they are now. */
export function brokenSources({ results }: ConfigSnapshot): readonly SourceResult[] {
  return results.filter(({ status, stale }) => status === 'broken' || stale);
}

/** A server's skills, likewise, with what of them is approved. */
export async function skillNodesOf(
  host: Host,
  { definition: { id, name } }: ServerView,
  signal: AbortSignal,
): Promise<Node[]> {
  const { items, failures } = await listAllSkills(host, signal, name);
  const more = items.length > MAX_ITEMS ? [`${items.length - MAX_ITEMS} more`] : [];
  const notes = [...failures, ...more].map((text): Node => ({ kind: 'note', serverId: id, text }));
  return [...items.slice(0, MAX_ITEMS).map((item): Node => ({ kind: 'skill', serverId: id, item })), ...notes];
}

/** A server's resources, templates and prompts, asked of it now; what can't be listed is a sentence. */
export async function itemNodesOf(
  host: Host,
  { definition: { id, name } }: ServerView,
  what: 'resources' | 'prompts',
  signal: AbortSignal,
): Promise<Node[]> {
  const listings =
    what === 'prompts'
      ? [await listAllPrompts(host, signal, name)]
      : await Promise.all([listAllTemplates(host, signal, name), listAllResources(host, signal, name)]);
  const items = listings.flatMap((listing) => [...listing.items]);
  const nodes = items.slice(0, MAX_ITEMS).map((item): ItemNode => {
    const kind = 'uriTemplate' in item ? 'template' : 'uri' in item ? 'resource' : 'prompt';
    return { kind, serverId: id, item };
  });
  const notes = listings.flatMap(({ failures }) => failures);
  const more = items.length - nodes.length;
  if (more > 0) notes.push(`${more} more`);
  return [...nodes, ...notes.map((text): Node => ({ kind: 'note', serverId: id, text }))];
}
