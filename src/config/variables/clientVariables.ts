import type { ClientId } from '../configTypes.ts';

/** `$VAR` of Gemini CLI and GitHub Copilot. */
const DOLLAR = /\$(?!env:|input:)([A-Za-z_][A-Za-z0-9_]*)/g;
/** The name alone, as Copilot's cloud agent has its secrets. */
const COPILOT_NAME = /^(COPILOT_MCP_[A-Za-z0-9_]+)$/;
/** Whether `$VAR` is a variable in the client's files. */
export function hasPlainVariables(client: ClientId | undefined): boolean {
  return client === 'gemini' || client === 'copilot';
}

/** opencode's `{env:VAR}` and `{file:path}`. */
const BRACES = /(?<!\$)\{(env:[A-Za-z_][A-Za-z0-9_]*|file:[^{}]+)\}/g;
const POWERSHELL = /\$env:([A-Za-z_][A-Za-z0-9_]*)/g;
/** Nothing of a script: no blank, quote, bracket, separator or assignment. */
const PLAIN_ARGUMENT = /^[^\s;'"(){}|&$]*\$env:[A-Za-z_][A-Za-z0-9_]*[^\s;'"(){}|&=$]*$/;

/**
 * A text of a client's file with its spellings of variables in the common one, `${…}`. What Gemini CLI and GitHub
 * Copilot keep as it stands when it is unset has itself as its default.
 * @param isArgument a command or an argument: `$env:VAR` in a script's text is the script's own
 */
export function commonSpelling(text: string, client: ClientId | undefined, isArgument: boolean): string {
  let common = text;
  if (hasPlainVariables(client)) common = common.replaceAll(DOLLAR, '${env:$1:-$$$1}');
  if (client === 'copilot' && !isArgument) common = common.replace(COPILOT_NAME, '${env:$1}');
  if (client === 'opencode') common = common.replaceAll(BRACES, '${$1}');
  return isArgument && !PLAIN_ARGUMENT.test(text) ? common : common.replaceAll(POWERSHELL, '${env:$1}');
}

/**
 * How a variable is written in a file, e.g. `$TMP`.
 * @param variable as in `VariableUse`
 */
export function writtenVariable(
  written: string,
  variable: string,
): { readonly at: number; readonly text: string } | undefined {
  const name = variable.replace(/^env:/, '');
  const isFound = (text: string): boolean => {
    const at = written.indexOf(text);
    return at >= 0 && !(/\w$/.test(text) && /\w/.test(written.charAt(at + text.length)));
  };
  const text = [`\${${variable}}`, `\${${variable}:-`, `{${variable}}`, `$env:${name}`, `$${name}`, `"${name}"`].find(
    isFound,
  );
  if (text === undefined) return undefined;
  // Codex has a field for the name alone.
  const isName = text.startsWith('"');
  return { at: written.indexOf(text) + (isName ? 1 : 0), text: isName ? name : text.replace(/:-$/, '') };
}
