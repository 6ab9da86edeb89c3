import type { ConfigProblem, ProblemSeverity, Scope, ServerEntry, SourceResult } from '../config/configTypes.ts';
import { missingProgramRemedy } from '../connection/stdio/missingProgram.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';

/** What the doctor found. Lines and columns count from 1. */
export interface DoctorReport {
  readonly sources: readonly DoctorSource[];
  readonly servers: readonly DoctorServer[];
  readonly problems: readonly DoctorProblem[];
}

/** A place that was looked at. `off`: it has something, and isn't read. */
export interface DoctorSource {
  readonly scope: Scope;
  /** A path, or what a source without a file is called. */
  readonly file: string;
  readonly status: 'found' | 'absent' | 'broken' | 'off';
}

/** A server, and what would become of it. */
export interface DoctorServer {
  readonly name: string;
  readonly scope: Scope;
  readonly file: string;
  readonly line: number;
  readonly transport: string;
  readonly state: 'ready' | 'disabled' | 'shadowed' | 'duplicate' | 'blocked' | 'needs-approval' | 'problem';
  readonly reason?: string;
  /** Of a process: the PATH that it is searched in, and whether it is found. */
  readonly command?: CommandLookup;
  readonly connect?: ConnectOutcome;
}

/** Where a command was looked for. */
export interface CommandLookup {
  readonly path: string;
  readonly found: boolean;
  /** What a command with a folder stands for. */
  readonly file?: string;
  /** Why it isn't found; absent: there is no such file. */
  readonly fault?: 'not-executable' | 'folder';
}

/** What came of connecting; without `ms`, how the connection in this window is now. */
export interface ConnectOutcome {
  readonly state: string;
  /** Absent where it wasn't connected. */
  readonly protocol?: string;
  readonly tools: number;
  readonly ms?: number;
  readonly error?: string;
}

/** Something wrong, and what to do. */
export interface DoctorProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: ProblemSeverity;
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** Everything the report is made of. */
export interface Findings {
  readonly results: readonly SourceResult[];
  readonly definitions: readonly ServerDefinition[];
  /** Those of the sources, and of variables without a value. */
  readonly problems: readonly ConfigProblem[];
  /** Files that exist and aren't read, with what is in them. */
  readonly off: readonly OffFile[];
  /** By id of the server. */
  readonly commands: ReadonlyMap<string, CommandLookup>;
  /** By id of the server, for those that were to be connected. */
  readonly connects: ReadonlyMap<string, ConnectOutcome>;
}

/** A file of a client that isn't opted in. */
export interface OffFile {
  readonly scope: Scope;
  readonly file: string;
  /** As the setting `mcpSwitchboard.discovery` names it. */
  readonly client: string;
  readonly servers: number;
}

/** Puts together what was found. Pure. */
export function doctorReport(findings: Findings): DoctorReport {
  const { results, definitions, problems, off } = findings;
  const variables = problems.filter(({ code }) => code === 'unknown-variable');
  const servers = definitions.map((definition) => serverOf(definition, findings, variables));
  return {
    sources: [
      ...results.map(({ source, status }) => ({ scope: source.scope, file: source.file ?? source.label, status })),
      ...off.map(({ scope, file }) => ({ scope, file, status: 'off' as const })),
    ],
    servers,
    problems: [
      ...problems.map((problem) => ({
        ...placeOf(problem),
        severity: problem.severity,
        code: problem.code,
        message: problem.message,
        ...(problem.fix === undefined ? {} : { fix: problem.fix }),
      })),
      ...definitions.flatMap((definition, index) => [
        ...commandProblems(definition, servers[index]),
        ...connectProblems(definition, servers[index]),
      ]),
      ...off.filter(({ servers }) => servers > 0).map(offProblem),
    ],
  };
}

function serverOf(
  definition: ServerDefinition,
  { commands, connects }: Findings,
  variables: readonly ConfigProblem[],
): DoctorServer {
  const { id, name, entry, status } = definition;
  const state = stateOf(definition, variables);
  const command = commands.get(id);
  const connect = state.state === 'problem' ? undefined : connects.get(id);
  return {
    name,
    scope: entry.scope,
    file: fileOf(entry),
    line: entry.range.line,
    transport: status.kind === 'problem' ? 'unknown' : entry.transport.type,
    ...state,
    ...(command ? { command } : {}),
    ...(connect ? { connect } : {}),
  };
}

/** Whether there is an error or a warning; hints don't count. */
export function hasProblems({ problems }: DoctorReport): boolean {
  return problems.some(({ severity }) => severity !== 'hint');
}

function placeOf({ range }: ConfigProblem): Pick<DoctorProblem, 'file' | 'line' | 'column'> {
  return { file: range.file ?? range.sourceId, line: range.line, column: range.column };
}

function fileOf({ source }: ServerEntry): string {
  return source.file ?? source.label;
}

function stateOf(
  { status, entry }: ServerDefinition,
  variables: readonly ConfigProblem[],
): Pick<DoctorServer, 'state' | 'reason'> {
  switch (status.kind) {
    case 'ready':
    case 'needs-approval': {
      const problem = variables.find(
        ({ range, serverName }) => range.sourceId === entry.source.id && serverName === entry.name,
      );
      if (problem) return { state: 'problem', reason: problem.message };
      if (status.kind === 'ready') return { state: 'ready' };
      if (status.change === 'new') return { state: 'needs-approval' };
      return { state: 'needs-approval', reason: 'changed since you approved it' };
    }
    case 'disabled':
      return { state: 'disabled', reason: status.reason };
    case 'blocked': {
      const where = status.file === undefined ? '' : `, in ${status.file}`;
      return { state: 'blocked', reason: status.reason + where };
    }
    case 'problem':
      return { state: 'problem', reason: status.problem.message };
    case 'shadowed': {
      const { scope, label, name } = status.by;
      return name === undefined
        ? { state: 'shadowed', reason: `the ${scope} scope (${label}) defines the same name` }
        : { state: 'duplicate', reason: `it is the same server as ${name} in the ${scope} scope (${label})` };
    }
  }
}

/** Only of a server that somebody wants to run. */
function commandProblems({ entry, name }: ServerDefinition, server: DoctorServer | undefined): DoctorProblem[] {
  const wanted = ['ready', 'needs-approval', 'problem'].includes(server?.state ?? '');
  if (!wanted || !server?.command || server.command.found || entry.transport.type !== 'stdio') return [];
  const { command } = entry.transport;
  return [
    {
      ...placeOfEntry(entry),
      severity: 'warning',
      code: 'command-not-found',
      ...lookupTexts(name, command, server.command),
    },
  ];
}

function lookupTexts(
  name: string,
  command: string,
  { file, fault }: CommandLookup,
): Pick<DoctorProblem, 'message' | 'fix'> {
  if (fault === 'folder')
    return { message: `The command \`${command}\` of ${name} is a folder.`, fix: 'Name a program in it.' };
  if (fault === 'not-executable')
    return {
      message: `The command \`${command}\` of ${name} is not executable.`,
      fix: 'Make the file executable (`chmod +x`), or start it through its interpreter.',
    };
  return file === undefined
    ? {
        message: `The command \`${command}\` of ${name} is not on the PATH that it is searched in.`,
        fix: missingProgramRemedy(command),
      }
    : {
        message: `The command \`${command}\` of ${name} does not exist${file === command ? '' : ` (${file})`}.`,
        fix: 'Install it, or correct `command`.',
      };
}

function connectProblems({ entry, name }: ServerDefinition, server: DoctorServer | undefined): DoctorProblem[] {
  const connect = server?.connect;
  // Those of a window have texts of their own.
  if (connect?.ms === undefined || connect.state === 'connected') return [];
  return [
    {
      ...placeOfEntry(entry),
      severity: 'error',
      code: `connect-${connect.state}`,
      message: `${name} can't be connected: ${connect.error ?? connect.state}`,
    },
  ];
}

function offProblem({ file, client, servers }: OffFile): DoctorProblem {
  return {
    file,
    line: 1,
    column: 1,
    severity: 'hint',
    code: 'file-not-read',
    message: `${servers === 1 ? 'The server' : `The ${servers} servers`} in this file ${servers === 1 ? "isn't" : "aren't"} read.`,
    fix: `Add \`${client}\` to the setting \`mcpSwitchboard.discovery\`, or use *Import Servers…*.`,
  };
}

function placeOfEntry(entry: ServerEntry): Pick<DoctorProblem, 'file' | 'line' | 'column'> {
  return { file: fileOf(entry), line: entry.range.line, column: entry.range.column };
}
