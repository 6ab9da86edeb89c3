import { programName } from '../../base/files/programName.ts';
import { say } from '../../base/say.ts';

/** How a process ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * How a process ended, e.g. `exited with code 3`, `exited with code 127 (a command was not found)` or `was ended by SIGKILL
 * (often for want of memory)`.
 * @param command what was started: what a code means depends on it
 */
export function describeExit({ code, signal }: ExitStatus, command: string = ''): string {
  if (signal !== null) return say`was ended by ${withWords(signal, SIGNALS[signal])}`;
  const number = code ?? 0;
  // Windows gives the status of a process that the system ended as a code, some programs as a negative one.
  const status = number < 0 ? number + 2 ** 32 : number;
  if (status >= 0x8000_0000) return say`exited with code ${withWords(hex(status), WINDOWS[status])}`;
  return say`exited with code ${withWords(String(number), wordsFor(number, programName(command)))}`;
}

/** Whether the system or somebody ended a process, so that nothing it wrote need tell why. */
export function isEndedBySignal({ code, signal }: ExitStatus): boolean {
  return signal !== null || (code !== null && code > 128 && SIGNAL_NUMBERS[code - 128] !== undefined);
}

function wordsFor(code: number, program: string): string | undefined {
  const own = PROGRAMS.find(([pattern]) => pattern.test(program))?.[1][code];
  if (own !== undefined || CODES[code] !== undefined) return own ?? CODES[code];
  // A shell, and what runs containers, add the signal's number to 128.
  const name = code > 128 ? SIGNAL_NUMBERS[code - 128] : undefined;
  return name === undefined ? undefined : [name, SIGNALS[name]].filter(Boolean).join(', ');
}

function withWords(what: string, words: string | undefined): string {
  return words === undefined ? what : `${what} (${words})`;
}

function hex(status: number): string {
  return `0x${status.toString(16).toUpperCase().padStart(8, '0')}`;
}

const CODES: Readonly<Record<number, string>> = {
  126: say`a command was found, but could not be executed`,
  127: say`a command was not found`,
  193: say`not a program for this system or processor`,
  216: say`not a program for this version of Windows or this processor`,
  9009: say`a command was not found`,
};

const NODE: Readonly<Record<number, string>> = {
  9: say`Node.js: an option is unknown, or lacks its value`,
  12: say`Node.js: the debugger’s option is invalid`,
  13: say`Node.js: a top-level await never settled`,
};
const CONTAINER: Readonly<Record<number, string>> = { 125: say`the container could not be run` };
const PROGRAMS: readonly (readonly [RegExp, Readonly<Record<number, string>>])[] = [
  [/^(?:node|npx|npm|pnpm|yarn|tsx|ts-node)$/, NODE],
  [/^(?:docker|podman|nerdctl)$/, CONTAINER],
];

const SIGNALS: Readonly<Partial<Record<string, string>>> = {
  SIGKILL: say`often for want of memory`,
  SIGABRT: say`it aborted, often for want of memory`,
  SIGSEGV: say`it crashed`,
  SIGBUS: say`it crashed`,
  SIGILL: say`it needs another processor`,
  SIGSYS: say`a sandbox forbade it something`,
};

const SIGNAL_NUMBERS: Readonly<Partial<Record<number, string>>> = {
  ...{ 1: 'SIGHUP', 2: 'SIGINT', 3: 'SIGQUIT', 4: 'SIGILL', 5: 'SIGTRAP', 6: 'SIGABRT', 7: 'SIGBUS', 8: 'SIGFPE' },
  ...{ 9: 'SIGKILL', 11: 'SIGSEGV', 13: 'SIGPIPE', 15: 'SIGTERM', 31: 'SIGSYS' },
};

/** Status values of Windows (ntstatus.h), and codes of runtimes. */
const WINDOWS: Readonly<Record<number, string>> = {
  0xc0000005: say`it crashed: access violation`,
  0xc0000017: say`not enough memory`,
  0xc000001d: say`it needs another processor`,
  0xc0000022: say`access denied`,
  0xc000007b: say`a program or DLL is for another processor`,
  0xc00000fd: say`stack overflow`,
  0xc0000135: say`a DLL that it needs was not found`,
  0xc0000138: say`a DLL that it needs is of another version`,
  0xc0000139: say`a DLL that it needs is of another version`,
  0xc000013a: say`interrupted by Ctrl+C`,
  0xc0000142: say`a DLL could not be initialized`,
  0xc0000374: say`it crashed: heap corruption`,
  0xc0000409: say`it aborted`,
  0xc06d007e: say`a DLL that it needs was not found`,
  0xe0434352: say`an unhandled .NET exception`,
};
