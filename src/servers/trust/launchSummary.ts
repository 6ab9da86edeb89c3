import type { PermissionRule } from '../../config/rules/permissionRules.ts';
import { fieldsOf } from '../../config/variables/variableUses.ts';
import { variablesIn } from '../../config/variables/variableSyntax.ts';
import type { InputDefinition, ServerEntry, TransportSpec } from '../../config/configTypes.ts';
import { quoted, SECRET_NAME, shown } from './shownText.ts';
import { toolLines } from './toolLines.ts';

/**
 * What would run or be reached, and which variable goes where: the lines that a person reads before approving. Texts are
 * shown as written, so no variable's value gets into them; a literal that looks like a secret by its name is covered.
 */
export function describeLaunch({
  transport,
  inputs = [],
  permissionRules = [],
  ...tools
}: Pick<ServerEntry, 'transport' | 'inputs' | 'permissionRules' | 'toolOverrides' | 'customTools'>): string[] {
  return [
    ...whatRuns(transport),
    ...variableLines(transport, inputs),
    ...permissionRules.map(ruleLine),
    ...toolLines(tools),
  ];
}

/** A rule of the entry as a line. */
function ruleLine({ action, tool, args, reason }: PermissionRule): string {
  const what = { allow: 'runs without a question', ask: 'is asked about', deny: 'is denied' }[action];
  const where = args === undefined ? '' : ` with ${JSON.stringify(args)}`;
  return `Rule: ${quoted(tool)}${where} ${what}${reason === undefined ? '' : ` (${reason})`}`;
}

/** One line of a comparison. */
export interface LaunchDifference {
  readonly kind: 'same' | 'removed' | 'added';
  readonly line: string;
}

/** Compares two descriptions line by line, in the order of the new one; what is gone stands where it was. */
export function diffLaunch(before: readonly string[], after: readonly string[]): LaunchDifference[] {
  const lengths = commonLengths(before, after);
  const result: LaunchDifference[] = [];
  let old = 0;
  let next = 0;
  while (old < before.length || next < after.length) {
    const removed = before[old];
    const added = after[next];
    if (removed !== undefined && removed === added) {
      result.push({ kind: 'same', line: removed });
      old += 1;
      next += 1;
    } else if (removed !== undefined && (lengths[old + 1]?.[next] ?? 0) >= (lengths[old]?.[next + 1] ?? 0)) {
      result.push({ kind: 'removed', line: removed });
      old += 1;
    } else if (added !== undefined) {
      result.push({ kind: 'added', line: added });
      next += 1;
    }
  }
  return result;
}

/** Longest common subsequence of the rests that begin at each pair of places. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0));
  for (let old = before.length - 1; old >= 0; old -= 1)
    for (let next = after.length - 1; next >= 0; next -= 1) {
      const row = lengths[old] ?? [];
      const below = lengths[old + 1] ?? [];
      row[next] =
        before[old] === after[next] ? (below[next + 1] ?? 0) + 1 : Math.max(below[next] ?? 0, row[next + 1] ?? 0);
    }
  return lengths;
}

function whatRuns(spec: TransportSpec): string[] {
  const texts = (label: string, map: Readonly<Record<string, string>>): string[] =>
    Object.entries(map)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${label} ${name}=${shown(name, value)}`);
  if (spec.type === 'stdio')
    return [
      `Runs: ${[spec.command, ...spec.args].map(quoted).join(' ')}`,
      ...(spec.cwd === undefined ? [] : [`In the folder: ${spec.cwd}`]),
      ...(spec.envFile === undefined ? [] : [`Environment from the file: ${spec.envFile}`]),
      ...texts('Environment:', spec.env),
    ];
  if (spec.type === 'sdk') return [`Runs inside the extension ${spec.extension}, as ${quoted(spec.server)}`];
  const protocol = { http: 'Streamable HTTP', sse: 'SSE', url: 'Streamable HTTP or SSE', ws: 'WebSocket' }[spec.type];
  return [
    `Connects to: ${withoutPassword(spec.url)} (${protocol})`,
    ...texts('Header:', spec.headers),
    ...(spec.headersHelper === undefined ? [] : [`Runs for its headers: ${spec.headersHelper}`]),
  ];
}

function variableLines(spec: TransportSpec, inputs: readonly InputDefinition[]): string[] {
  if (spec.type === 'sdk') return [];
  const receiver = spec.type === 'stdio' ? spec.command : hostOf(spec.url);
  return fieldsOf(spec).flatMap(([field, text]) =>
    variablesIn(text).map((variable) => {
      const target = field === 'headersHelper' ? 'the command for its headers' : receiver;
      return `\${${variable}} goes to ${target} (${field})${origin(variable, inputs)}`;
    }),
  );
}

/** Where the value of a variable that is no environment variable comes from. */
function origin(variable: string, inputs: readonly InputDefinition[]): string {
  if (variable.startsWith('command:')) return `, from the editor's command ${variable.slice('command:'.length)}`;
  if (!variable.startsWith('input:')) return '';
  const input = inputs.find(({ id }) => id === variable.slice('input:'.length));
  if (!input) return '';
  return input.type === 'command' ? `, from the editor's command ${input.command}` : ', which you are asked for';
}

function hostOf(url: string): string {
  return /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(url)?.[1] ?? withoutPassword(url);
}

function withoutPassword(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/[^/?#:@]*):[^/?#@]*@/i, '$1:…@')
    .replaceAll(/([?&]([^=&#]*)=)([^&#]+)/g, (whole, start: string, name: string, value: string) =>
      SECRET_NAME.test(name) ? start + shown(name, value) : whole,
    );
}
