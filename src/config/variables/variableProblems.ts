import { say } from '../../base/say.ts';
import type { ConfigProblem, ServerEntry, SourceRange } from '../configTypes.ts';
import { environmentValue, type MissingVariable, type VariableContext } from './expandVariables.ts';
import { fieldsOf } from './specFields.ts';

/**
 * The problems of an entry whose variables have no value: one per variable and field, at its place in the file. The edit
 * gives an environment variable an empty default.
 */
export function missingVariableProblems(entry: ServerEntry, missing: readonly MissingVariable[]): ConfigProblem[] {
  return missing.map(({ variable, field }) => {
    const use = entry.variables?.find((item) => item.variable === variable && item.field === field);
    const range = use?.range ?? entry.range;
    const edit =
      use && isClosed(range, variable) ? { offset: range.offset + range.length - 1, length: 0, text: ':-' } : undefined;
    return {
      code: 'unknown-variable',
      severity: 'error',
      message: say`\`${use?.written ?? `\${${variable}}`}\` in \`${field}\` has no value, so ${entry.name} can't start.`,
      fix: fixFor(variable),
      range,
      serverName: entry.name,
      ...(edit && isEnvironment(variable) ? { edit } : {}),
    };
  });
}

function fixFor(variable: string): string {
  if (variable.startsWith('input:'))
    return say`Answer when you are asked for it, or add it to \`inputs\` in this file.`;
  if (variable.startsWith('command:')) return say`Check that the command exists and returns a string.`;
  if (variable.startsWith('file:')) return say`Files aren’t read for a value: use \`envFile\`, or an input.`;
  if (variable.startsWith('workspaceFolder')) return say`Open a folder, or name one that is open.`;
  return isEnvironment(variable)
    ? say`Set it in the environment that the editor is started with, or write a default: \`${`\${${variable}:-value}`}\`.`
    : say`Write a variable that exists, e.g. \`\${env:NAME}\`, \`\${workspaceFolder}\` or \`\${userHome}\`.`;
}

function isEnvironment(variable: string): boolean {
  return /^(?:env:)?[A-Za-z_][A-Za-z0-9_]*$/.test(variable) && !variable.startsWith('workspaceFolder');
}

/** The range is `${variable}` and nothing else. */
function isClosed(range: SourceRange, variable: string): boolean {
  return range.length === variable.length + 3;
}

/**
 * What is said of variables that are unset and, as in the client whose file it is, stay as they stand (Gemini's `$NAME`): a
 * warning where nothing else is in the value.
 */
export function keptVariableProblems(entry: ServerEntry, context: VariableContext): ConfigProblem[] {
  return (entry.variables ?? []).flatMap(({ variable, field, range, written }): ConfigProblem[] => {
    if (!written?.startsWith('$') || written.startsWith('$env:')) return [];
    const name = variable.replace(/^env:/, '');
    if (environmentValue(name, context)) return [];
    const text = fieldsOf(entry.transport).find(([each]) => each === field)?.[1] ?? '';
    const isWhole = text.replace(/^[A-Za-z]+ /, '') === `\${${variable}:-${written}}`;
    return [
      {
        code: 'kept-variable',
        severity: isWhole ? 'warning' : 'hint',
        message: say`\`${written}\` in \`${field}\` isn't set, so ${entry.name} gets this text, as from Gemini CLI.`,
        fix: say`Set \`${name}\` in the environment that the editor is started with.`,
        range,
        serverName: entry.name,
      },
    ];
  });
}
