import { oneLine } from '../../base/text/showInvisible.ts';

const MAX_CHARS = 300;

/** Lines that never say why a program failed: what runtimes and package managers write around the reason. */
const NOISE = [
  /^\s*at .+(?:[(:]\d+|<anonymous>|native|\[as )/,
  /^\s*at (?:async )?[\w.<>$[\] ]+(?:\(.*\))?$/,
  /^Node\.js v\d/,
  /^\s*\^+\s*$/,
  /^\s*[{}[\]()|]*[,;]?\s*$/,
  /^node:[\w/]+:\d+$/,
  /^(?:file:\/\/|\/|[A-Za-z]:\\)\S*:\d+(?::\d+)?$/,
  /^\s*(?:throw |\w+\.captureStackTrace|Error\.stackTraceLimit)/,
  /^npm (?:ERR!|error)?\s*(?:A complete log|.*_logs[\\/]|Log files|\s*$)/i,
  /^npm (?:ERR!|error)\s+(?:code|path|command|cwd|errno|syscall|signal|Found:|node_modules|Lifecycle|workspace|location|dest)\b/i,
  /^npm (?:ERR!|error)\s+(?:gyp |\S+ )?(?:info|verb|http|warn|WARN)\b/,
  /^(?:npm (?:ERR!|error)\s+)?gyp (?:info|verb|http|ERR! (?:build error|configure error|not ok|cwd|System|command|node|node-gyp)\b)/,
  /^npm (?:notice|info|http|verb|warn|WARN)\b/,
  /\(Use `[\w.-]+ --\S+ \.\.\.` to show where|^\s*\(node:\d+\)/,
  /^\s*(?:code|errno|syscall|path|requireStack|cause|dest|port|address|stack|type|generatedMessage|actual|expected|operator|url|status|hostname|spawnargs): /,
  /^Traceback \(most recent call last\)|^\s+File ".*", line \d+|^\s*\+?-*\s*(?:Exception Group )?Traceback|^(?:During handling|The above exception)/,
  /^\s+(?:[~^]+)\s*$/,
  /^note: run with `RUST_BACKTRACE|^stack backtrace:|^\s+\d+: (?:0x|[\w:<>]+)/,
  /^goroutine \d+ \[|^\s+\S+\.go:\d+|^created by |^exit status \d+/,
  /^Error code: Wsl\//,
  /^Caused by:$|^\s*\.\.\. \d+ more$/,
  /^(?:For more information|See |Run |To see|Try |hint:|help:|Usage:|Options:|more info)/i,
  /^\s*$|^[-=*_~#.\s]+$/,
  /^(?:\S*\d\d:\d\d:\d\d\S*\s+)?(?:\S+:\d+: \w*)?[[<(]?(?:warn(?:ing)?|debug|info|trace|notice|\w+Warning)\b/i,
  /^(?:Process exited|exited with code|error Command failed|ELIFECYCLE|Command failed with exit code)/i,
  /^Uninstalled \d|^Installed \d|^Resolved \d|^Prepared \d|^Audited \d|^\s*(?:Downloading|Downloaded|Building|Built) /,
];

/** Lines that say it, best first. */
const TELLING = [
  /^(?:Uncaught |Unhandled |Fatal |\[?FATAL\]?:? ?|panic: |thread '.*' panicked|fatal: |fatal error)/i,
  /^(?:[\w.]*(?:Error|Exception|Panic|Failure|Exit|Interrupt)\b(?: \[[\w-]+\])?(?::|$))/,
  /^(?:npm (?:ERR!|error)\s+)?gyp ERR! (?:stack \w*Error: |find \w+ (?:Could not|You need))/,
  /^npm (?:ERR!|error)\s+\S|^npm (?:ERR!|error) \d{3}/i,
  /\b(?:not found|cannot find|can't find|no such file|not recognized|command not found|is required|required but|must be set|not set|missing|undefined variable|invalid|unauthorized|forbidden|permission denied|access denied|refused|EADDRINUSE|already in use|out of memory|unsupported|requires|incompatible|cannot open|could not|unable to|failed to|denied|expired|mismatch)\b/i,
  /\berror\b|\bfail(?:ed|ure)?\b|^E[A-Z]{3,}\b/i,
  /\bexception\b|\bwrong\b|❌|✖|×/i,
];

/**
 * The line of what a program wrote on stderr that tells why it ended; `undefined` where nothing does. Of equally telling
 * lines the last of Python's, whose traces end with the reason, and the first of all others, whose reason comes before its echoes.
 * @param lines oldest first
 * @param isAboutErrors only a line that speaks of an error
 */
export function tellingLine(lines: readonly string[], isAboutErrors: boolean = false): string | undefined {
  const plain = lines.map(withoutAnsi);
  const isTrace = plain.some((line) => /Traceback \(most recent call last\)/.test(line));
  const said = plain.filter((line) => !NOISE.some((noise) => noise.test(line)));
  for (const telling of TELLING) {
    const found = said.filter((line) => telling.test(line.trim()));
    const line = isTrace ? found.at(-1) : found[0];
    if (line !== undefined) return shortened(withRest(line, plain));
  }
  const last = isAboutErrors ? undefined : said.at(-1);
  return last === undefined ? undefined : shortened(last);
}

/** A line that only announces what follows, with that. */
function withRest(line: string, all: readonly string[]): string {
  const after = all.slice(all.indexOf(line) + 1);
  const stack = after.findIndex((each) => /^\s*at |^note: /.test(each));
  const next = after.slice(0, stack < 0 ? undefined : stack);
  if (/[[{:]$/.test(line)) return [line, ...next.map((each) => each.trim())].join(' ');
  if (/validation errors? for /.test(line)) return [line, ...next.slice(0, 2).map((each) => each.trim())].join(' ');
  return line;
}

/** Colors and other sequences for a terminal. */
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001b\[[\d;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g;

/** A line without what is meant for a terminal. */
export function withoutAnsi(line: string): string {
  return line.replaceAll(ANSI, '').trimEnd();
}

function shortened(line: string): string {
  const text = oneLine(line.trim());
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
