import path from 'node:path';
import { SwitchboardError } from '../base/errors.ts';
import type {
  ConfigProblem,
  ConfigSnapshot,
  ServerEntry,
  TransportSpec,
  WorkspaceFolder,
} from '../config/configTypes.ts';
import {
  missingVariableProblems,
  expandSpec,
  type MissingVariable,
  type VariableContext,
} from '../config/variables/expandVariables.ts';
import { variablesIn } from '../config/variables/variableSyntax.ts';
import { fieldsOf } from '../config/variables/variableUses.ts';
import type { ServerDefinition } from './serverTypes.ts';
import type { ServerValues } from './inputValues.ts';

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

/**
 * What to start or reach for a definition, with every variable replaced. Paths are relative to the definition's
 * workspace folder, in the user scope to the home folder. A process that is given no folder runs in its workspace folder,
 * or in the home folder where there is none. Nobody is asked for an input while another variable has no value.
 * @throws SwitchboardError `unresolved-variable`, naming each variable and the field that needs it, never a value
 */
export async function resolveTransport(definition: ServerDefinition, context: ResolveContext): Promise<TransportSpec> {
  const { entry } = definition;
  const folder = folderOf(entry, context);
  const missing = missingVariables(entry, context);
  if (missing.length > 0) throw unresolved(definition, missing);
  const values = await askedValues(entry, context);
  const expansion = expandSpec(entry.transport, {
    ...variableContext(entry, context),
    input: (id) => values.get(`input:${id}`),
    command: (id) => values.get(`command:${id}`),
  });
  if (expansion.ok) return withFolder(expansion.spec, folder?.path ?? context.homeDir);
  throw unresolved(definition, expansion.missing);
}

/** The problems of variables that certainly have no value: those that somebody can still be asked for aren't. */
export function variableProblems(entry: ServerEntry, context: ResolveContext): ConfigProblem[] {
  if (!entry.variables) return [];
  return missingVariableProblems(entry, missingVariables(entry, context));
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

function missingVariables(entry: ServerEntry, context: ResolveContext): readonly MissingVariable[] {
  const inputs = new Set(entry.inputs?.map(({ id }) => id));
  const expansion = expandSpec(entry.transport, {
    ...variableContext(entry, context),
    input: (id) => (inputs.has(id) ? UNASKED : undefined),
    command: () => UNASKED,
  });
  return expansion.ok ? [] : expansion.missing;
}

/** The values of all inputs and commands that the entry names, one question after the other; the first one closed ends it. */
async function askedValues(entry: ServerEntry, { values }: ResolveContext): Promise<ReadonlyMap<string, string>> {
  const given = new Map<string, string>();
  if (!values) return given;
  const names = new Set(
    fieldsOf(entry.transport).flatMap(([, text]) => (text.includes('${') ? variablesIn(text) : [])),
  );
  for (const name of names) {
    const value = await valueOf(name, entry, values);
    if (value === 'none') continue;
    if (value.text === undefined) break;
    given.set(name, value.text);
  }
  return given;
}

/** @returns `none` for a variable that is neither an input nor a command */
async function valueOf(
  name: string,
  entry: ServerEntry,
  values: ServerValues,
): Promise<{ readonly text: string | undefined } | 'none'> {
  if (name.startsWith('command:')) return { text: await values.command(name.slice('command:'.length)) };
  if (!name.startsWith('input:')) return 'none';
  const input = entry.inputs?.find(({ id }) => id === name.slice('input:'.length));
  return input ? { text: await values.input(entry, input) } : 'none';
}

function unresolved({ name }: ServerDefinition, missing: readonly MissingVariable[]): SwitchboardError {
  const list = missing.map(({ variable, field }) => `\${${variable}} (in ${field})`).join(', ');
  const isAsked = missing.every(({ variable }) => /^(?:input|command):/.test(variable));
  return isAsked
    ? new SwitchboardError('unresolved-variable', `${name} needs ${list}, which was not given.`, {
        remedy: 'Connect it to be asked again.',
      })
    : new SwitchboardError('unresolved-variable', `${name} needs ${list}, which has no value.`, {
        remedy: `Set it in the environment that the editor is started with, or write a default, like \${NAME:-value}.`,
      });
}

function folderOf(entry: ServerEntry, { workspaceFolders }: ResolveContext): WorkspaceFolder | undefined {
  return entry.source.folder ?? workspaceFolders[0];
}

function withFolder(spec: TransportSpec, folder: string): TransportSpec {
  return spec.type === 'stdio' && spec.cwd === undefined ? { ...spec, cwd: folder } : spec;
}

function variableContext(entry: ServerEntry, context: ResolveContext): VariableContext {
  const { platform, environment, homeDir, workspaceFolders } = context;
  const folder = folderOf(entry, context);
  const baseFolder = entry.scope === 'user' ? homeDir : folder?.path;
  return {
    env: environment,
    platform,
    userHome: homeDir,
    workspaceFolders,
    ...(folder ? { workspaceFolder: folder } : {}),
    ...(baseFolder === undefined ? {} : { baseFolder: path.normalize(baseFolder) }),
  };
}
