import { isRecord } from '../../base/json/json.ts';
import type { ClientId } from '../configTypes.ts';
import { LAUNCH_KEYS } from '../read/serverMaps.ts';
import { isRegistryServer, serversOfRegistry } from './registryServer.ts';

/** One server of a pasted text, before its fields are read. */
export interface RawServer {
  /** Absent where the text gives none. */
  readonly name?: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Whose spelling it is, where the text tells. */
  readonly client?: ClientId;
}

/** The servers of a text, with the inputs that it brings along. */
export interface RawServers {
  readonly servers: readonly RawServer[];
  readonly inputs: readonly unknown[];
}

/** Keys that servers stand under, at any depth of a settings file. `amp.mcpServers` and the like end so, too. */
const SECTION = /(?:^|[._-])(?:mcp[._-]?servers|mcp[._-]?server|context_servers)$/i;
const CLIENT_OF_SECTION: Readonly<Record<string, ClientId>> = {
  servers: 'vscode',
  'mcp.servers': 'vscode',
  mcp_servers: 'codex',
  context_servers: 'zed',
};
/** How deep a section is looked for: `projects`, a folder, `mcpServers`. */
const MAX_DEPTH = 5;

/** Every server in a value of JSON or TOML, in whatever form a client keeps it: sections, lists, a map, a single entry. */
export function rawServersIn(value: unknown): RawServers {
  if (isRegistryServer(value)) return serversOfRegistry(value);
  const inputs: unknown[] = [];
  return { servers: inAny(value, 0, inputs), inputs };
}

function inAny(value: unknown, depth: number, inputs: unknown[]): RawServer[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => (isEntry(item) ? [named(item)] : []));
  if (!isRecord(value)) return [];
  if (isEntry(value)) return [named(value)];
  if (Array.isArray(value['inputs'])) inputs.push(...(value['inputs'] as unknown[]));
  const sections = Object.entries(value).flatMap(([key, inner]) => inSection(key, inner, depth, inputs));
  if (sections.length > 0) return sections;
  const members = Object.entries(value).filter(([, inner]) => isEntry(inner));
  if (members.length > 0) return members.map(([name, inner]) => ({ name, value: inner as RawServer['value'] }));
  return Object.values(value).flatMap((inner) => (isRecord(inner) ? inAny(inner, depth + 1, inputs) : []));
}

function inSection(key: string, inner: unknown, depth: number, inputs: unknown[]): RawServer[] {
  if (key === 'mcp' && isRecord(inner) && !isEntry(inner)) {
    const nested = Object.hasOwn(inner, 'servers') || Object.keys(inner).some((each) => SECTION.test(each));
    return nested ? inAny(inner, depth + 1, inputs) : mapOf(inner, 'opencode');
  }
  if (key !== 'servers' && !SECTION.test(key)) return [];
  // A single server called `servers`.
  if (isEntry(inner)) return key === 'servers' ? [{ name: key, value: inner }] : [named(inner)];
  if (Array.isArray(inner)) return inAny(inner, depth + 1, inputs);
  return isRecord(inner) ? mapOf(inner, CLIENT_OF_SECTION[key]) : [];
}

/** All members: one that is no server is said to be none by the reader of entries. */
function mapOf(map: Readonly<Record<string, unknown>>, client: ClientId | undefined): RawServer[] {
  return Object.entries(map)
    .filter(([name]) => !/^(?:\$|_|\/\/|#)/.test(name))
    .map(([name, value]) => ({
      name,
      value: isRecord(value) ? value : { command: value },
      ...(client ? { client } : {}),
    }));
}

/** Whether a value says by itself how to start or reach a server. */
function isEntry(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const launch = LAUNCH_KEYS.map((key) => value[key]).find((each) => each !== undefined && each !== null);
  return (
    typeof launch === 'string' || Array.isArray(launch) || (isRecord(launch) && typeof launch['path'] === 'string')
  );
}

/** An entry of its own, whose name is one of its fields. */
function named(value: Record<string, unknown>): RawServer {
  const { name, id, ...rest } = value;
  const given = [name, id].find((each) => typeof each === 'string' && each.trim() !== '');
  return { ...(typeof given === 'string' ? { name: given } : {}), value: rest };
}
