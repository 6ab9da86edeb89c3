import { SwitchboardError } from '../base/errors.ts';
import type { SecretValues } from '../base/text/secrets.ts';
import type { ServerEntry, TransportSpec } from '../config/configTypes.ts';
import { expandSpec, type MissingVariable, type VariableContext } from '../config/variables/expandVariables.ts';
import { variablesIn } from '../config/variables/variableSyntax.ts';
import { fieldsOf } from '../config/variables/specFields.ts';
import { folderOf, missingVariables, variableContext, type ResolveContext } from './resolveEntry.ts';
import { addVariable, addWritten } from './personalSecrets.ts';
import type { ServerRegistry } from './serverRegistry.ts';
import type { OpenFolders } from './trust/folderDependence.ts';
import { isOfFolder } from './trust/serverStatus.ts';
import type { ServerDefinition } from './serverTypes.ts';
import type { ServerValues } from './inputAnswers.ts';
import { say } from '../base/say.ts';

/** What a server is judged by once it is known what it runs. */
export interface ResolveOptions {
  readonly servers: Pick<ServerRegistry, 'denialOf'>;
  /** Receives the user's own secrets among the values. */
  readonly secrets: SecretValues;
  /** The folders that must not be used; `undefined` where the workspace is trusted. */
  readonly untrustedFolders: () => OpenFolders | undefined;
  /** The definition may have changed unseen: then it waits for approval. */
  readonly onStale: () => void;
}

type Unresolved = Extract<TransportSpec, { readonly type: 'stdio' }>;
/** With every variable and the `envFile` in it. */
export type ResolvedTransport = Exclude<TransportSpec, Unresolved> | (Unresolved & { readonly envFile?: never });

/**
 * What to start or reach for a definition: its variables replaced, its `envFile` read. The deny lists and the folder's trust are checked
 * again, since a variable or a link can stand for something that is denied.
 * @throws SwitchboardError `denied`, and as `replaceVariables`
 */
export async function resolveTransport(
  definition: ServerDefinition,
  context: ResolveContext,
  options: ResolveOptions,
): Promise<ResolvedTransport> {
  const { secrets } = options;
  const { entry } = definition;
  const spec = await replaceVariables(definition, context, (...value) => addVariable(secrets, entry, value));
  await checkTrust(definition, spec, options);
  await checkLists(definition, spec, options);
  const complete = spec.type === 'stdio' ? await readEnvFile(definition, spec, context, options) : spec;
  if (complete.type !== 'sdk') addWritten(secrets, entry, complete);
  // What the `envFile` sets counts, too.
  if (complete.type === 'stdio') await checkLists(definition, complete, options);
  return complete;
}

async function checkTrust(
  { name, entry }: ServerDefinition,
  spec: TransportSpec,
  { untrustedFolders }: ResolveOptions,
): Promise<void> {
  const folders = untrustedFolders();
  if (folders === undefined || isOfFolder(entry)) return;
  const { refuseWhatLeadsInto } = await import('./trust/pathsIntoFolder.ts');
  await refuseWhatLeadsInto(name, spec, folders);
}

async function checkLists(
  { id, name }: ServerDefinition,
  spec: TransportSpec,
  { servers }: ResolveOptions,
): Promise<void> {
  const denial = await servers.denialOf(id, spec);
  if (!denial) return;
  const where = denial.file === undefined ? '' : `, in ${denial.file}`;
  throw new SwitchboardError('denied', say`${name} is not allowed to run: ${denial.reason}${where}.`);
}

async function readEnvFile(
  { entry }: ServerDefinition,
  { envFile, ...rest }: Unresolved,
  { workspaceFolders, platform }: ResolveContext,
  { onStale }: ResolveOptions,
): Promise<ResolvedTransport> {
  if (envFile === undefined) return rest;
  const { withEnvFile } = await import('./applyEnvFile.ts');
  return withEnvFile(entry, { ...rest, envFile }, workspaceFolders, platform).catch((error: unknown) => {
    onStale();
    throw error;
  });
}

/**
 * What to start or reach for a definition, with every variable replaced. Paths are relative to the definition's
 * workspace folder, or to the home folder where there is none. A process that is given no folder runs in its workspace
 * folder if its definition comes with that folder; another one gets none here. Nobody is asked for an input while another variable has no value.
 * @param onValue told of each value that replaces a variable
 * @throws SwitchboardError `unresolved-variable`, naming each variable and the field that needs it, never a value
 */
export async function replaceVariables(
  definition: ServerDefinition,
  context: ResolveContext,
  onValue?: VariableContext['onValue'],
): Promise<TransportSpec> {
  const { entry } = definition;
  const folder = folderOf(entry, context);
  const missing = missingVariables(entry, context);
  if (missing.length > 0) throw unresolved(definition, missing);
  const values = await askedValues(entry, context);
  const expansion = expandSpec(entry.transport, {
    ...variableContext(entry, context),
    ...(onValue ? { onValue } : {}),
    input: (id) => values.get(`input:${id}`),
    command: (id) => values.get(`command:${id}`),
  });
  if (expansion.ok) return isOfFolder(entry) && folder ? withFolder(expansion.spec, folder.path) : expansion.spec;
  throw unresolved(definition, expansion.missing);
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
    ? new SwitchboardError('unresolved-variable', say`${name} needs ${list}, which was not given.`, {
        remedy: say`Connect it to be asked again.`,
      })
    : new SwitchboardError('unresolved-variable', say`${name} needs ${list}, which has no value.`, {
        remedy: say`Set it in the environment that the editor is started with, or write a default, like \${NAME:-value}.`,
      });
}

function withFolder(spec: TransportSpec, folder: string): TransportSpec {
  return spec.type === 'stdio' && spec.cwd === undefined ? { ...spec, cwd: folder } : spec;
}
