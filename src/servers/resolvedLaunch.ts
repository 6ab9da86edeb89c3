import { oneLine } from '../base/text/invisible.ts';
import type { Mask } from '../base/text/secrets.ts';
import type { ServerEntry, TransportSpec } from '../config/configTypes.ts';
import { expandSpec, type MissingVariable, type VariableContext } from '../config/variables/expandVariables.ts';
import { writtenSecrets } from '../config/variables/namedValues.ts';
import { quoted } from './trust/summary/quotedText.ts';
import { variableContext, type ResolveContext } from './resolveEntry.ts';

/** What would run or be reached now. */
export interface ResolvedLaunch {
  /** The command or address, then where it runs and what it is given: a line each, with secrets masked. */
  readonly lines: readonly string[];
  /** What of it has no value: the field stays as written. */
  readonly missing: readonly MissingVariable[];
}

/**
 * An entry with its variables replaced, for the user's own eyes: secrets are masked, and what somebody would be asked for, or a
 * command would give, stays as it is written. Nothing is run or asked.
 */
export function resolvedLaunch(entry: ServerEntry, context: ResolveContext): ResolvedLaunch {
  const { spec, mask, missing } = resolved(entry, context);
  return { lines: linesOf(spec, mask), missing };
}

/** Of the same lines, those in which a variable is replaced by its value, and what has none. */
export function replacedLines(entry: ServerEntry, context: ResolveContext): ResolvedLaunch {
  const { spec, mask, missing } = resolved(entry, context);
  const written = linesOf(entry.transport, mask);
  return { lines: linesOf(spec, mask).filter((line, index) => line !== written[index]), missing };
}

interface Resolved extends Pick<ResolvedLaunch, 'missing'> {
  readonly spec: TransportSpec;
  readonly mask: Mask;
}

function resolved(entry: ServerEntry, context: ResolveContext): Resolved {
  const values: [name: string, value: string][] = [];
  const variables: VariableContext = {
    ...variableContext(entry, context),
    input: (id) => `\${input:${id}}`,
    command: (id) => `\${command:${id}}`,
    onValue: (variable, field, value) => {
      if (!/^(?:input|command):/.test(variable)) values.push([variable, value], [field, value]);
    },
  };
  const whole = expandSpec(entry.transport, variables);
  const missing = whole.ok ? [] : whole.missing;
  const spec = whole.ok ? whole.spec : partlyExpanded(entry.transport, missing, variables);
  const secrets = writtenSecrets(spec);
  for (const [name, value] of values) secrets.add(name, value);
  return { spec, mask: secrets.mask, missing };
}

/** The spec with its variables replaced, but in the fields that lack one. */
function partlyExpanded(
  spec: TransportSpec,
  missing: readonly MissingVariable[],
  variables: VariableContext,
): TransportSpec {
  const lacking = new Set(missing.map(({ field }) => field));
  const rest = withFields(spec, spec, (field, text) => (lacking.has(field) ? '' : text));
  const expansion = expandSpec(rest, variables);
  return expansion.ok
    ? withFields(expansion.spec, spec, (field, text, written) => (lacking.has(field) ? written : text))
    : spec;
}

/** A spec whose shown texts are each put through `replace`, with that of the same field of another of its form. */
function withFields(
  spec: TransportSpec,
  written: TransportSpec,
  replace: (field: string, text: string, written: string) => string,
): TransportSpec {
  const all = (field: string, texts: Texts, others: Texts): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, replace(`${field}.${name}`, text, others[name] ?? '')]),
    );
  if (spec.type === 'sdk' || written.type === 'sdk') return spec;
  if (spec.type === 'stdio' && written.type === 'stdio')
    return {
      ...spec,
      command: replace('command', spec.command, written.command),
      args: spec.args.map((arg, index) => replace(`args[${index}]`, arg, written.args[index] ?? '')),
      env: all('env', spec.env, written.env),
      ...(spec.cwd === undefined ? {} : { cwd: replace('cwd', spec.cwd, written.cwd ?? '') }),
      ...(spec.envFile === undefined ? {} : { envFile: replace('envFile', spec.envFile, written.envFile ?? '') }),
    };
  if (spec.type === 'stdio' || written.type === 'stdio') return spec;
  const { headersHelper: _headersHelper, oauth: _oauth, ...shown } = spec;
  return {
    ...shown,
    url: replace('url', spec.url, written.url),
    headers: all('headers', spec.headers, written.headers),
  };
}

type Texts = Readonly<Record<string, string>>;

/** What a variable stands for in an entry, masked if it is secret; `undefined` where it isn't set. Nothing is run or asked. */
export function resolvedVariable(entry: ServerEntry, variable: string, context: ResolveContext): string | undefined {
  const spec = { type: 'stdio', command: `\${${variable}}`, args: [], env: {} } as const;
  const { lines, missing } = resolvedLaunch({ ...entry, transport: spec }, context);
  return missing.length > 0 ? undefined : lines[0];
}

function linesOf(spec: TransportSpec, mask: Mask): string[] {
  const texts = (map: Readonly<Record<string, string>>, between: string): string[] =>
    Object.entries(map).map(([name, value]) => `${name}${between}${value}`);
  const lines = ((): string[] => {
    if (spec.type === 'sdk') return [`${spec.extension}: ${spec.server}`];
    if (spec.type !== 'stdio') return [spec.url, ...texts(spec.headers, ': ')];
    return [
      [spec.command, ...spec.args].map(quoted).join(' '),
      ...(spec.cwd === undefined ? [] : [`cwd: ${spec.cwd}`]),
      ...(spec.envFile === undefined ? [] : [`envFile: ${spec.envFile}`]),
      ...texts(spec.env, '='),
    ];
  })();
  return lines.map((line) => oneLine(mask(line)));
}
