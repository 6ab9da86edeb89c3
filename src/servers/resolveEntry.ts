import path from 'node:path';
import type { ConfigProblem, ConfigSnapshot, ServerEntry, WorkspaceFolder } from '../config/configTypes.ts';
import { expandSpec, type MissingVariable, type VariableContext } from '../config/variables/expandVariables.ts';
import { keptVariableProblems, missingVariableProblems } from '../config/variables/variableProblems.ts';
import type { ServerDefinition } from './serverTypes.ts';
import type { ServerValues } from './inputAnswers.ts';

/** The machine and the workspace that variables are looked up in. */
export interface ResolveContext {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly workspaceFolders: readonly WorkspaceFolder[];
  /** Where inputs and commands get their values; without it, they have none. */
  readonly values?: ServerValues;
}

/** Stands for the value of an input or a command while nobody has been asked for it. */
const UNASKED = '';

/** The problems of variables that certainly have no value: those that somebody can still be asked for aren't. */
export function variableProblems(entry: ServerEntry, context: ResolveContext): ConfigProblem[] {
  if (!entry.variables) return [];
  return [
    ...missingVariableProblems(entry, missingVariables(entry, context)),
    ...keptVariableProblems(entry, variableContext(entry, context)),
  ];
}

/** Everything that is wrong in the sources, and the variables without a value of all servers that somebody wants to run. */
export function allProblems(
  snapshot: ConfigSnapshot,
  definitions: readonly ServerDefinition[],
  context: ResolveContext,
): ConfigProblem[] {
  return [
    ...snapshot.results.flatMap(({ problems }) => problems),
    ...definitions.flatMap(({ entry, status }) =>
      status.kind === 'disabled' || status.kind === 'shadowed' ? [] : variableProblems(entry, context),
    ),
  ];
}

/** The variables of an entry that certainly have no value. */
export function missingVariables(entry: ServerEntry, context: ResolveContext): readonly MissingVariable[] {
  const inputs = new Set(entry.inputs?.map(({ id }) => id));
  const expansion = expandSpec(entry.transport, {
    ...variableContext(entry, context),
    input: (id) => (inputs.has(id) ? UNASKED : undefined),
    command: () => UNASKED,
  });
  return expansion.ok ? [] : expansion.missing;
}

/** The workspace folder that an entry is for. */
export function folderOf(entry: ServerEntry, { workspaceFolders }: ResolveContext): WorkspaceFolder | undefined {
  return entry.source.folder ?? workspaceFolders[0];
}

/** What an entry's variables are replaced by, except those that somebody is asked for. */
export function variableContext(entry: ServerEntry, context: ResolveContext): VariableContext {
  const { platform, environment, homeDir, workspaceFolders } = context;
  const folder = folderOf(entry, context);
  return {
    env: environment,
    platform,
    userHome: homeDir,
    workspaceFolders,
    ...(folder ? { workspaceFolder: folder } : {}),
    ...(entry.source.file === undefined ? {} : { definitionFolder: path.dirname(entry.source.file) }),
    baseFolder: path.normalize(folder?.path ?? homeDir),
  };
}
