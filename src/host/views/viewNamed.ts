import type { Catalog } from '../../catalog/catalog.ts';
import { meant, serverSpellings } from '../../catalog/names/serverNames.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import type { ServerView } from './serverView.ts';

/** The server that a name means; one that another hides only where no other does. */
export function viewNamed(views: readonly ServerView[], name: string, catalog: Catalog): ServerView | undefined {
  const spellings = ({ definition }: ServerView): readonly string[] => spellingsOf(definition, catalog);
  return meant(name, views.filter(isSeen), spellings) ?? meant(name, views, spellings);
}

/** Whether a name in a setting is for this server: its configured one, or another that means no other server. */
export function isNameFor(
  name: string,
  server: ServerDefinition,
  {
    servers,
    catalog,
  }: { readonly servers: { readonly definitions: readonly ServerDefinition[] }; readonly catalog: Catalog },
): boolean {
  if (server.entry.name === name) return true;
  const seen = servers.definitions.filter((definition) => isSeen({ definition }));
  return meant(name, seen, (definition) => spellingsOf(definition, catalog))?.id === server.id;
}

function isSeen({ definition }: Pick<ServerView, 'definition'>): boolean {
  return definition.status.kind !== 'shadowed';
}

function spellingsOf({ id, entry, name }: ServerDefinition, { parts }: Catalog): readonly string[] {
  return serverSpellings({ configuredName: entry.name, name, part: parts?.known(id) ?? entry.name });
}
