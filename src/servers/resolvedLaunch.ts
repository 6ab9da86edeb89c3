import { oneLine } from '../base/text/showInvisible.ts';
import type { Mask } from '../base/text/secrets.ts';
import type { ServerEntry, TransportSpec } from '../config/configTypes.ts';
import { expandSpec, type MissingVariable, type VariableContext } from '../config/variables/expandVariables.ts';
import { writtenSecrets } from '../config/variables/namedValues.ts';
import { variablesIn } from '../config/variables/variableSyntax.ts';
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

/** What the variables of an entry stand for now, and what else runs otherwise than it is written. */
export interface ReplacedParts {
  /** The value of a variable in a field, masked if it is secret; none of what somebody is asked for or a command gives. */
  readonly shownValue: (variable: string, field: string) => string | undefined;
  /** Lines that differ for another reason, whole: a folder that is written relative to another, a variable’s default. */
  readonly lines: readonly string[];
  readonly missing: readonly MissingVariable[];
}

/** The same, for a text that shows the entry as it is written, with its variables. */
export function replacedParts(entry: ServerEntry, context: ResolveContext): ReplacedParts {
  const { spec, mask, missing, values } = resolved(entry, context);
  const shownValue = (variable: string, field: string): string | undefined => {
    const value = values.find((each) => each.variable === variable && each.field === field)?.value;
    return value === undefined ? undefined : oneLine(mask(value));
  };
  const percent = context.platform === 'win32';
  const known = new Set(values.map(({ variable }) => variable));
  const isToldByValues = (line: string): boolean => {
    const variables = variablesIn(line, { percent });
    return variables.length > 0 && variables.every((variable) => known.has(variable));
  };
  const written = linesOf(entry.transport, mask);
  const lines = linesOf(spec, mask).filter((line, index) => {
    const before = written[index] ?? '';
    return line !== before && !isToldByValues(before);
  });
  return { shownValue, lines, missing };
}

interface VariableValue {
  readonly variable: string;
  readonly field: string;
  readonly value: string;
}

interface Resolved extends Pick<ResolvedLaunch, 'missing'> {
  readonly values: readonly VariableValue[];
  readonly spec: TransportSpec;
  readonly mask: Mask;
}

function resolved(entry: ServerEntry, context: ResolveContext): Resolved {
  const values: VariableValue[] = [];
  const variables: VariableContext = {
    ...variableContext(entry, context),
    input: (id) => `\${input:${id}}`,
    command: (id) => `\${command:${id}}`,
    onValue: (variable, field, value) => {
      if (!/^(?:input|command):/.test(variable)) values.push({ variable, field, value });
    },
  };
  const whole = expandSpec(entry.transport, variables);
  const missing = whole.ok ? [] : whole.missing;
  const spec = whole.ok ? whole.spec : partlyExpanded(entry.transport, missing, variables);
  const secrets = writtenSecrets(spec);
  for (const { variable, field, value } of values) for (const name of [variable, field]) secrets.add(name, value);
  return { spec, mask: secrets.mask, missing, values };
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
