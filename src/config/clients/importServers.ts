import { applyEdits, modify, parseTree } from 'jsonc-parser';
import { isRecord } from '../../base/json.ts';
import { membersOf, stringOf, valueAt } from '../syntax/configNode.ts';
import type { InputDefinition, ServerEntry, ConfigSource, ReadText } from '../configTypes.ts';
import { DISCOVERABLE_CLIENTS } from './clientFiles.ts';
import { parseAnySource } from '../read/parseAny.ts';
import { sourcesFor, type SourceOptions } from '../configSources.ts';

/** What came of an import. */
export interface ImportResult {
  /** The target with the servers in it; comments and everything else as before. */
  readonly text: string;
  readonly added: readonly string[];
  /** Names that the target had already; they stay as they are. */
  readonly skipped: readonly string[];
}

/**
 * Copies servers into a file of servers, with the inputs that they name.
 * @param text the target, maybe empty
 * @param section the key that the servers go under
 * @returns `undefined` where the target can't be read, so that nothing of it is lost
 */
export function importServers(
  text: string,
  section: 'servers' | 'mcpServers',
  entries: readonly ServerEntry[],
): ImportResult | undefined {
  let result = text.trim() === '' ? '{}\n' : text;
  const errors: Parameters<typeof parseTree>[1] = [];
  const root = parseTree(result, errors, { allowTrailingComma: true });
  if (root?.type !== 'object' || errors.length > 0) return undefined;
  const existing = new Set(membersOf(valueAt(root, section)).map(({ key }) => key));
  const knownInputs = new Set((valueAt(root, 'inputs')?.children ?? []).map((item) => stringOf(valueAt(item, 'id'))));
  const formattingOptions = formattingOf(result);
  const set = (path: (string | number)[], value: unknown): void => {
    result = applyEdits(
      result,
      modify(result, path, value, { formattingOptions, isArrayInsertion: path.at(-1) === -1 }),
    );
  };
  const added: string[] = [];
  for (const entry of entries) {
    if (existing.has(entry.name)) continue;
    existing.add(entry.name);
    added.push(entry.name);
    set([section, entry.name], entryAsJson(entry, section));
    for (const input of entry.inputs ?? []) {
      if (knownInputs.has(input.id)) continue;
      if (!valueAt(parseTree(result), 'inputs')) set(['inputs'], []);
      set(['inputs', -1], inputAsJson(input));
      knownInputs.add(input.id);
    }
  }
  return { text: result, added, skipped: entries.map(({ name }) => name).filter((name) => !added.includes(name)) };
}

/** An entry as a file of servers has it, whatever file it came from: variables as written, times in milliseconds. */
export function entryAsJson(entry: ServerEntry, section: 'servers' | 'mcpServers'): Record<string, unknown> {
  const { transport, disabled, callTimeoutMs, tools, sandboxed } = entry;
  const common = {
    ...(disabled ? { disabled } : {}),
    ...(callTimeoutMs === undefined ? {} : { timeout: callTimeoutMs }),
    ...(tools?.enabled ? { enabledTools: tools.enabled } : {}),
    ...(tools?.disabled ? { disabledTools: tools.disabled } : {}),
    ...(sandboxed ? { sandboxEnabled: sandboxed } : {}),
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

function inputAsJson(input: InputDefinition): unknown {
  return input.type === 'promptString' && !input.password ? { ...input, password: undefined } : input;
}

function withEntries(key: string, map: Readonly<Record<string, string>>): Record<string, unknown> {
  return isRecord(map) && Object.keys(map).length > 0 ? { [key]: map } : {};
}

/** The target's own indentation and line ends. */
function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

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
