import { programName } from '../../../base/files/programName.ts';

/** What only a shell understands: operators, substitutions, a leading assignment. */
const OPERATORS = /(?:^|\s)(?:&&|\|\|?|;|>>?|<|2>&1)(?=\s|$)|&&|\|\||\$\(|`|;(?=\s)|^\s*[A-Za-z_]\w*=\S*\s/;
/** Commands that shells have in themselves. */
const BUILT_IN = new Set(['cd', 'source', '.', 'export', 'set', 'alias', 'eval', 'exec', 'pushd', 'call', 'start']);
const SHELLS = /^(?:sh|bash|zsh|fish|dash|ash|ksh|cmd|powershell|pwsh|nu|wsl|ssh)$/;
const WINDOWS_LINE = /^"?[A-Za-z]:\\|%\w+%|^(?:cd \/d|call|start|set) |\.(?:exe|bat|cmd)\b/i;

/** Whether a command line needs a shell to be understood. */
export function needsShell(line: string): boolean {
  return OPERATORS.test(line) || BUILT_IN.has(line.trim().split(/\s/)[0] ?? '');
}

/** Program and arguments that run a line in a shell. */
export function inShell(line: string): readonly [program: string, ...args: string[]] {
  return WINDOWS_LINE.test(line) ? ['cmd', '/d', '/s', '/c', line] : ['sh', '-c', line];
}

/** Whether one of the words is a shell, as in `sudo bash -c` or `docker run image sh`. */
export function startsShell(words: readonly string[]): boolean {
  return words.some((word) => SHELLS.test(programName(word)));
}

/** An argument that only a shell would act on, e.g. `&&`. */
export function isShellOperator(word: string): boolean {
  return /^(?:&&|\|\|?|;|>>?|<|2>&1)$/.test(word);
}

/** The first command substitution in a text, as it is written. */
export function substitutionIn(text: string): string | undefined {
  return /\$\([^)]*\)?|`[^`]+`/.exec(text)?.[0];
}
