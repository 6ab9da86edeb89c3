import { clientOf } from '../config/clients/clientConventions.ts';
import { clientSourcesOf } from '../config/clients/importServers.ts';
import { readSourceFile } from '../config/sources/readSourceFile.ts';
import { parseAnySource } from '../config/read/parseSource.ts';
import type { SourceOptions } from '../config/configSources.ts';
import type { ConfigProblem, ConfigSnapshot } from '../config/configTypes.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import {
  doctorReport,
  type CommandLookup,
  type ConnectOutcome,
  type DoctorReport,
  type OffFile,
} from './doctorReport.ts';
import { nameProblems } from './nameProblems.ts';
import { findCommandOf, type DoctorContext } from './findCommand.ts';

/** The configuration and servers to report on; a `Host` is one. */
export interface DoctorInput {
  readonly config: { readonly snapshot: ConfigSnapshot };
  readonly servers: { readonly definitions: readonly ServerDefinition[] };
  readonly problems: readonly ConfigProblem[];
}

/** Reports on all servers, and on clients' files that aren't read. */
export async function examine(
  input: DoctorInput,
  context: DoctorContext,
  connects: ReadonlyMap<string, ConnectOutcome> = new Map(),
): Promise<DoctorReport> {
  const { definitions } = input.servers;
  const commands = new Map<string, CommandLookup>();
  for (const { id, entry, status } of definitions) {
    if (status.kind === 'problem' || entry.transport.type !== 'stdio') continue;
    const lookup = await findCommandOf(entry, context);
    if (lookup) commands.set(id, lookup);
  }
  const { results } = input.config.snapshot;
  const read = new Set(results.map(({ source }) => source.id));
  return doctorReport({
    results,
    definitions,
    problems: [...input.problems, ...nameProblems(definitions)],
    off: await offFiles(context.options, read),
    commands,
    connects,
  });
}

/** The files of clients that aren't opted in, as far as they exist. */
async function offFiles(options: SourceOptions, read: ReadonlySet<string>): Promise<OffFile[]> {
  const files: OffFile[] = [];
  for (const source of clientSourcesOf(options)) {
    const client = clientOf(source);
    if (read.has(source.id) || source.file === undefined || client === undefined) continue;
    const text = await readSourceFile(source, options.platform).catch(() => undefined);
    if (text === undefined) continue;
    const { entries } = await parseAnySource(source, text);
    files.push({ scope: source.scope, file: source.file, client, servers: entries.length });
  }
  return files;
}
