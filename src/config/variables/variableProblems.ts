import type { ConfigProblem, ServerEntry, SourceRange } from '../configTypes.ts';
import type { MissingVariable } from './expandVariables.ts';

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
      message: `\`\${${variable}}\` in \`${field}\` has no value here, so ${entry.name} can't start.`,
      fix: fixFor(variable),
      range,
      serverName: entry.name,
      ...(edit && isEnvironment(variable) ? { edit } : {}),
    };
  });
}

function fixFor(variable: string): string {
  if (variable.startsWith('input:')) return 'Answer when you are asked for it, or add it to `inputs` in this file.';
  if (variable.startsWith('command:')) return 'Check that the command exists and gives a text.';
  if (variable.startsWith('workspaceFolder')) return 'Open a folder, or name one that is open.';
  return isEnvironment(variable)
    ? `Set it in the environment that the editor is started with, or write a default: \`\${${variable}:-value}\`.`
    : 'Write a variable that exists, e.g. `${env:NAME}`, `${workspaceFolder}` or `${userHome}`.';
}

function isEnvironment(variable: string): boolean {
  return /^(?:env:)?[A-Za-z_][A-Za-z0-9_]*$/.test(variable) && !variable.startsWith('workspaceFolder');
}

/** The range is `${variable}` and nothing else. */
function isClosed(range: SourceRange, variable: string): boolean {
  return range.length === variable.length + 3;
}
