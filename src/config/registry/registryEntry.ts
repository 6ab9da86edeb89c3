import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import { listOf, textOf, type Members } from './valueFiller.ts';

/** A version of a server in a registry. All of its texts are a stranger's. */
export interface RegistryEntry {
  /** In reverse-DNS form, e.g. `io.github.user/weather`. */
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description: string;
  readonly status: 'active' | 'deprecated';
  /** e.g. why it is deprecated. */
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly repository?: string;
  readonly websiteUrl?: string;
  /** The `server.json`. */
  readonly server: Members;
}

/** What a registry answers to a search. */
export interface RegistryPage {
  readonly entries: readonly RegistryEntry[];
  /** Of the next page. */
  readonly nextCursor?: string;
  /** Entries that can't be read, and are left out. */
  readonly unread: number;
}

/** Longest text of an entry that is kept, in UTF-16 units; the API allows 100 for most. */
const MAX_TEXT = 500;
const MAX_CURSOR = 4_000;
const OFFICIAL = 'io.modelcontextprotocol.registry/official';
/** As the API has it: a namespace, a slash, a name. */
const NAME = /^[A-Za-z0-9.-]{1,200}\/[A-Za-z0-9._-]{1,200}$/;

/** Reads `ServerList` of the registry's API (2025-12-01). A malformed entry costs itself alone. @throws Error where it is none */
export function readPage(value: unknown): RegistryPage {
  if (!isRecord(value) || !Array.isArray(value['servers']))
    throw new Error(say`It doesn’t answer as an MCP registry does.`);
  const all = value['servers'] as readonly unknown[];
  const read = all.map(readEntryOf);
  const entries = read.filter((each) => typeof each === 'object');
  const metadata = isRecord(value['metadata']) ? value['metadata'] : {};
  const cursor = textOf(metadata['nextCursor'] ?? metadata['next_cursor']);
  return {
    entries,
    unread: read.filter((each) => each === 'unread').length,
    ...(cursor === undefined || cursor.length > MAX_CURSOR ? {} : { nextCursor: cursor }),
  };
}

/** Reads `ServerResponse`. @throws Error where it is none, or was deleted */
export function readVersion(value: unknown): RegistryEntry {
  const read = readEntryOf(value);
  if (read === 'deleted') throw new Error(say`It was deleted from the registry.`);
  if (read === 'unread') throw new Error(say`The registry’s entry can’t be read.`);
  return read;
}

function readEntryOf(value: unknown): RegistryEntry | 'deleted' | 'unread' {
  if (!isRecord(value) || !isRecord(value['server'])) return 'unread';
  const { server } = value;
  const name = textOf(server['name']);
  const version = textOf(server['version']);
  if (name === undefined || !NAME.test(name) || version === undefined || version.length > 255) return 'unread';
  const meta = isRecord(value['_meta']) && isRecord(value['_meta'][OFFICIAL]) ? value['_meta'][OFFICIAL] : {};
  const status = textOf(meta['status']) ?? textOf(server['status']) ?? 'active';
  if (status === 'deleted') return 'deleted';
  const repository = isRecord(server['repository']) ? server['repository'] : {};
  return {
    name,
    version,
    description: textAt(server, 'description') ?? '',
    status: status === 'deprecated' ? 'deprecated' : 'active',
    server,
    ...optional('title', textAt(server, 'title')),
    ...optional('statusMessage', textAt(meta, 'statusMessage')),
    ...optional('publishedAt', dateAt(meta, 'publishedAt')),
    ...optional('updatedAt', dateAt(meta, 'updatedAt')),
    ...optional('repository', addressAt(repository, 'url')),
    ...optional('websiteUrl', addressAt(server, 'websiteUrl')),
  };
}

/** What runs or is reached at all: packages and addresses. */
export function hasOptions({ server }: RegistryEntry): boolean {
  return listOf(server['packages']).length + listOf(server['remotes']).length > 0;
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}

function textAt(value: Members, key: string): string | undefined {
  return textOf(value[key])?.slice(0, MAX_TEXT);
}

function dateAt(value: Members, key: string): string | undefined {
  const time = Date.parse(textOf(value[key]) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** An address to look at, never one that does something. */
function addressAt(value: Members, key: string): string | undefined {
  const text = textAt(value, key);
  return text !== undefined && URL.parse(text)?.protocol === 'https:' ? text : undefined;
}
