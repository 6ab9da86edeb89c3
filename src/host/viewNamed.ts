import type { Catalog } from '../catalog/catalog.ts';
import { meant, serverSpellings } from '../catalog/names/spellings.ts';
import type { ServerView } from './serverView.ts';

/** The server that a name means; one that another hides only where no other does. */
export function viewNamed(views: readonly ServerView[], name: string, { parts }: Catalog): ServerView | undefined {
  const spellings = ({ definition: { id, entry, name: shown } }: ServerView): readonly string[] =>
    serverSpellings({ configuredName: entry.name, name: shown, part: parts?.known(id) ?? entry.name });
  const isSeen = ({ definition }: ServerView): boolean => definition.status.kind !== 'shadowed';
  return meant(name, views.filter(isSeen), spellings) ?? meant(name, views, spellings);
}
