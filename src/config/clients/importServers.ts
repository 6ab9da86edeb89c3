import { isRecord } from '../../base/json/json.ts';
import { stringOf, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import { placeForServers, type ServerSection } from '../edit/serverPlace.ts';
import { editConfigFile, type Addition, type EditedConfig } from '../edit/editConfigFile.ts';
import type { ReadText } from '../configLoaderPorts.ts';
import type { InputDefinition, ServerEntry, ConfigSource } from '../configTypes.ts';
import { DISCOVERABLE_CLIENTS } from '../configTypes.ts';
import { parseAnySource } from '../read/parseSource.ts';
import { sourcesFor, type SourceOptions } from '../configSources.ts';

/** What came of an import. */
export interface ImportResult {
  /** The target with the servers in it, or why it stays as it is. */
  readonly edited: EditedConfig;
  readonly added: readonly string[];
  /** Names that the target has already; they stay as they are. */
  readonly skipped: readonly string[];
}

/**
 * Copies servers into a file of servers, with the inputs that they name; see `editConfigFile`.
 * @param text the target, maybe empty
 * @param section the key that the servers go under where the file has none yet
 */
export function importServers(text: string, section: ServerSection, entries: readonly ServerEntry[]): ImportResult {
  let added: readonly string[] = [];
  const edited = editConfigFile(text, (root) => {
    const { path, names } = placeForServers(root, section);
    const fresh = freshEntries(entries, names);
    added = fresh.map(({ name }) => name);
    return [
      ...fresh.map((entry) => ({ path: [...path, entry.name], value: entryAsJson(entry, section) })),
      ...inputsToAdd(root, fresh),
    ];
  });
  const isDone = 'text' in edited;
  return {
    edited,
    added: isDone ? added : [],
    skipped: isDone ? entries.map(({ name }) => name).filter((name) => !added.includes(name)) : [],
  };
}

/** The entries that can be added: of several of a name, the first, and none of a name that is taken. */
export function freshEntries(entries: readonly ServerEntry[], taken: readonly string[]): readonly ServerEntry[] {
  return [...Map.groupBy(entries, ({ name }) => name).values()].flatMap(([first]) =>
    first && !taken.includes(first.name) ? [first] : [],
  );
}

/** The inputs that the entries name and the file lacks: as a new list, or as items of the one that is there. */
function inputsToAdd(root: ConfigNode, entries: readonly ServerEntry[]): Addition[] {
  const list = valueAt(root, 'inputs');
  const known = new Set((list?.children ?? []).map((item) => stringOf(valueAt(item, 'id'))));
  const wanted = new Map(entries.flatMap(({ inputs = [] }) => inputs.map((input) => [input.id, input])));
  const values = [...wanted.values()].filter(({ id }) => !known.has(id)).map(inputAsJson);
  if (values.length === 0) return [];
  return list ? values.map((value) => ({ path: ['inputs'], value })) : [{ path: ['inputs'], value: values }];
}

/**
 * An entry as a file of servers has it, whatever file it came from: variables as written, times in milliseconds. Calls that
 * it lets run without a question (`autoApprove`) stay behind: an import must not carry them to where they count.
 */
export function entryAsJson(entry: ServerEntry, section: ServerSection): Record<string, unknown> {
  const { transport, disabled, callTimeoutMs, tools, sandboxed, toolOverrides, customTools, permissionRules } = entry;
  const { handshakeTimeoutMs, discoveryTimeoutMs, timings, reconnect, startMode, logLevel, alwaysLoad } = entry;
  const common = {
    ...(disabled ? { disabled } : {}),
    ...(callTimeoutMs === undefined ? {} : { timeout: callTimeoutMs }),
    ...(handshakeTimeoutMs === undefined ? {} : { handshakeTimeoutMs }),
    ...(discoveryTimeoutMs === undefined ? {} : { discoveryTimeoutMs }),
    ...timings,
    ...(reconnect ? { reconnect } : {}),
    ...(startMode === undefined ? {} : { startMode }),
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(alwaysLoad ? { alwaysLoad } : {}),
    ...(entry.registry ? { registry: entry.registry } : {}),
    ...(tools?.enabled ? { enabledTools: tools.enabled } : {}),
    ...(tools?.disabled ? { disabledTools: tools.disabled } : {}),
    ...(sandboxed ? { sandboxEnabled: sandboxed } : {}),
    ...(toolOverrides ? { toolOverrides: Object.fromEntries(toolOverrides) } : {}),
    ...(customTools ? { customTools: Object.fromEntries(customTools.map(({ name, ...tool }) => [name, tool])) } : {}),
    ...(permissionRules ? { permissions: { rules: permissionRules.map(({ source: _source, ...rule }) => rule) } } : {}),
  };
  if (transport.type === 'stdio') {
    const { type, args, env, ...rest } = transport;
    return {
      ...(section === 'servers' ? { type } : {}),
      ...rest,
      ...(args.length > 0 ? { args } : {}),
      ...withEntries('env', env),
      ...common,
    };
  }
  // Only an extension has these, and no file.
  if (transport.type === 'sdk') return common;
  const { type, headers, ...rest } = transport;
  return { ...(type === 'url' ? {} : { type }), ...rest, ...withEntries('headers', headers), ...common };
}

/** An entry for a place that has no list of inputs beside its servers, as the user's setting: with its inputs in itself. */
export function entryWithInputs(entry: ServerEntry): Record<string, unknown> {
  const { inputs = [] } = entry;
  return { ...entryAsJson(entry, 'mcpServers'), ...(inputs.length > 0 ? { inputs: inputs.map(inputAsJson) } : {}) };
}

/** An input as a file has it. */
export function inputAsJson(input: InputDefinition): unknown {
  return input.type === 'promptString' && !input.password ? { ...input, password: undefined } : input;
}

function withEntries(key: string, map: Readonly<Record<string, string>>): Record<string, unknown> {
  return isRecord(map) && Object.keys(map).length > 0 ? { [key]: map } : {};
}

/** A file of another client that has servers. */
export interface ImportableFile {
  readonly source: ConfigSource;
  readonly entries: readonly ServerEntry[];
  /** Names of those that can't be read. */
  readonly broken: readonly string[];
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
    const { entries, broken } = await parseAnySource(source, text);
    if (entries.length + broken.length > 0) files.push({ source, entries, broken: broken.map(({ name }) => name) });
  }
  return files;
}
