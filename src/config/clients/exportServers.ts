// Loaded when servers are exported.
import { say } from '../../base/say.ts';
import { stringify } from 'smol-toml';
import type { ClientId, InputDefinition, ServerEntry, TransportSpec } from '../configTypes.ts';
import { replaceVariables } from '../variables/variableSyntax.ts';
import { conventionsFor } from './clientConventions.ts';
import { CLIENT_FORMS, type ClientForm } from './clientForms.ts';
import { inputAsJson } from './importServers.ts';
import { mapTexts, shareableEntry } from './shareableEntry.ts';

/** Servers in a client's form. */
export interface ExportedServers {
  readonly text: string;
  readonly language: 'json' | 'toml';
  /** What is another than in the definitions, and what its reader has to do, a sentence each. */
  readonly notes: readonly string[];
}

/** One server as a client writes it. */
export interface ExportedEntry {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Those that it names, where the client has `inputs`. */
  readonly inputs: readonly InputDefinition[];
  readonly notes: readonly string[];
}

/** Servers as a file of a client has them, without their secrets. */
export function exportServers(entries: readonly ServerEntry[], client: ClientId): ExportedServers {
  const { section } = conventionsFor(client);
  const exported = exportEntries(entries, client);
  const servers = Object.fromEntries(exported.map(({ name, value }) => [name, value]));
  const inputs = exported.flatMap((each) => each.inputs);
  const value = { ...(inputs.length > 0 ? { inputs: inputs.map(inputAsJson) } : {}), [section]: servers };
  const notes = [...new Set(exported.flatMap((each) => each.notes))];
  return section === 'mcp_servers'
    ? { text: `${stringify(value)}\n`, language: 'toml', notes }
    : { text: `${JSON.stringify(value, undefined, 2)}\n`, language: 'json', notes };
}

/** See {@link exportServers}; one by one. */
export function exportEntries(entries: readonly ServerEntry[], client: ClientId): readonly ExportedEntry[] {
  const taken = new Set<string>();
  return entries.flatMap((entry) => {
    // Only an extension has these, and no file.
    if (entry.transport.type === 'sdk') return [];
    const shared = shareableEntry(entry, taken);
    for (const { id } of shared.entry.inputs ?? []) taken.add(id);
    const exported = exportEntry(shared.entry, client);
    return [{ ...exported, notes: [...shared.notes, ...exported.notes] }];
  });
}

function exportEntry(entry: ServerEntry, client: ClientId): ExportedEntry {
  const form = CLIENT_FORMS[client];
  const { name: product, timeoutUnit } = conventionsFor(client);
  const { name, disabled, callTimeoutMs, tools } = entry;
  const notes: string[] = [];
  const spelled = spelledFor(entry, form, product, notes);
  const value: Record<string, unknown> =
    spelled.type === 'stdio' ? form.local(spelled) : spelled.type === 'sdk' ? {} : form.remote(spelled);
  if (disabled && form.off) Object.assign(value, form.off);
  else if (disabled) notes.push(say`${product} can’t keep a server turned off in its file: “${name}” is on there.`);
  if (callTimeoutMs !== undefined)
    value[form.timeout ?? 'timeout'] = timeoutUnit === 'seconds' ? callTimeoutMs / 1000 : callTimeoutMs;
  for (const [index, list] of [tools?.enabled, tools?.disabled].entries()) {
    const key = form.tools?.[index];
    if (list && key !== undefined) value[key] = list;
    else if (list) notes.push(say`${product} offers all tools of “${name}”: it has no such list of tools.`);
  }
  const left = leftOutOf(entry, value);
  if (left.length > 0)
    notes.push(
      say`Left out of “${name}”, since ${product} doesn’t know it: ${left.map((key) => `\`${key}\``).join(', ')}.`,
    );
  return { name, value, inputs: form.hasInputs ? (entry.inputs ?? []) : [], notes };
}

/** What only stands in definitions of this extension. */
function leftOutOf(entry: ServerEntry, value: Readonly<Record<string, unknown>>): string[] {
  const { transport } = entry;
  const ours = ['toolOverrides', 'customTools', 'permissionRules', 'startMode', 'reconnect', 'timings'] as const;
  return [
    ...ours.filter((key) => entry[key] !== undefined).map((key) => (key === 'permissionRules' ? 'permissions' : key)),
    ...(['headersHelper', 'oauth', 'tls'] as const).filter(
      (key) =>
        key in transport && (transport as Readonly<Record<string, unknown>>)[key] !== undefined && !(key in value),
    ),
    ...(transport.type === 'stdio' && transport.envFile !== undefined && !('envFile' in value) ? ['envFile'] : []),
  ];
}

/** The variables in the client's spelling. What it has none for is said. */
function spelledFor(entry: ServerEntry, form: ClientForm, product: string, notes: string[]): TransportSpec {
  const { name, transport, inputs = [] } = entry;
  return mapTexts(transport, (text) =>
    replaceVariables(text, (written) => {
      const inner = written.slice(2, -1);
      if (inner.startsWith('input:')) return inputFor(inner.slice('input:'.length), inputs, form, { product, notes });
      const [, variable = inner, fallback] = /^(.*?):-(.*)$/s.exec(inner) ?? [];
      const isOfEnvironment = /^(?:env:)?[A-Za-z_]\w*$/.test(variable) && !PREDEFINED.test(variable);
      if (isOfEnvironment && form.variable && fallback === undefined)
        return form.variable(variable.replace(/^env:/, ''));
      const isKnown = isOfEnvironment
        ? form.hasDefaults && form.variable
        : form.known?.includes(variable.replace(/:.*/, ''));
      if (!isKnown && !isHeaderOfCodex(text, written, form))
        notes.push(say`${product} doesn’t replace \`${written}\` of “${name}”: write the value in its place.`);
      return isOfEnvironment && isKnown ? `\${${variable.replace(/^env:/, '')}:-${fallback}}` : written;
    }),
  );
}

const PREDEFINED =
  /^(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|cwd|workspaceRoot|workspacePath)$/;

/** A variable that fills a header: Codex has a field for its name. */
function isHeaderOfCodex(text: string, written: string, form: ClientForm): boolean {
  return form.timeout === 'tool_timeout_sec' && (text === written || text === `Bearer ${written}`);
}

/** What stands for an input where there are none: a variable of the environment, else a placeholder. */
function inputFor(
  id: string,
  inputs: readonly InputDefinition[],
  form: ClientForm,
  { product, notes }: { readonly product: string; readonly notes: string[] },
): string {
  if (form.hasInputs) return `\${input:${id}}`;
  const about = inputs.find((input) => input.id === id)?.description;
  const meaning = about === undefined || about === id ? '' : ` (${about})`;
  if (form.variable) {
    const variable = id
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replace(/^(?=\d)/, '_')
      .toUpperCase();
    notes.push(say`Set the environment variable \`${variable}\`${meaning} for ${product}.`);
    return form.variable(variable);
  }
  notes.push(say`Replace \`<${id}>\`${meaning}: ${product} asks for no values.`);
  return `<${id}>`;
}
