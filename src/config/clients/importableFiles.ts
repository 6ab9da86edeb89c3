import { DISCOVERABLE_CLIENTS } from './clientFiles.ts';
import { parseAnySource } from '../read/parseAny.ts';
import { sourcesFor, type SourceOptions } from '../configSources.ts';
import type { ConfigSource, ReadText, ServerEntry } from '../configTypes.ts';

/** A file of another client that has servers. */
export interface ImportableFile {
  readonly source: ConfigSource;
  readonly entries: readonly ServerEntry[];
}

/** The sources of other clients, whether they are opted in or not. */
export function clientSourcesOf(options: SourceOptions): ConfigSource[] {
  const clients = new Set<string>(DISCOVERABLE_CLIENTS);
  const own = new Set(sourcesFor({ ...options, discovery: [] }).map(({ id }) => id));
  return sourcesFor({ ...options, discovery: DISCOVERABLE_CLIENTS }).filter(
    ({ id, client }) => client !== undefined && clients.has(client) && !own.has(id),
  );
}

/** The files of other clients on this machine and in the workspace's folders that have servers in them. */
export async function findImportable(options: SourceOptions, read: ReadText): Promise<ImportableFile[]> {
  const files: ImportableFile[] = [];
  for (const source of clientSourcesOf(options)) {
    const text = await read(source).catch(() => undefined);
    if (text === undefined) continue;
    const { entries } = await parseAnySource(source, text);
    if (entries.length > 0) files.push({ source, entries });
  }
  return files;
}
