// Loaded when there are hooks.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|sh|bash|ps1|cmd|bat|exe|pl|php|lua)$/i;

/**
 * The first script that a command line names and that isn't there: an interpreter that doesn't find its script ends like any
 * that fails. A word with a variable that isn't set can't be told.
 */
export function missingScript(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<NodeJS.ProcessEnv> },
): string | undefined {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words
    .map((word) => expanded(word.replaceAll(/["']/g, ''), env))
    .find((word) => !/^-|:\/\/|[$%*?]/.test(word) && SCRIPT.test(word) && !existsSync(path.resolve(cwd, word)));
}

function expanded(word: string, env: Readonly<NodeJS.ProcessEnv>): string {
  return word
    .replace(/^~(?=[/\\])/, () => homedir())
    .replaceAll(/\$\{(\w+)\}|\$(\w+)|%(\w+)%/g, (whole, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 3).find((each) => each !== undefined) ?? '';
      return env[name] ?? whole;
    });
}
