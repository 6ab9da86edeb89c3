// Loaded when there are hooks.
import { homedir } from 'node:os';
import { parseExact, unlessSafeInteger } from '../../base/json/exactJson.ts';
import { jsonCopySteps, jsonPieces } from '../../base/json/jsonPieces.ts';
import { inSlices } from '../../base/timeSlices.ts';
import { missingScript } from './missingScript.ts';
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { buildEnvironment } from '../../connection/start/serverEnvironment.ts';
import { NeutralFolders } from '../../connection/start/neutralFolders.ts';
import { outsideFolders } from '../../servers/trust/outsideFolders.ts';
import { runCommand } from '../../connection/process/runCommand.ts';
import { HOOK_LIMIT_MS } from './hookSettings.ts';
import type { CodeHook, CommandHook, HookGroup, HookInput, HookOutcome, HookVerdict } from './hookTypes.ts';
import { say } from '../../base/say.ts';

/** Where a hook runs. */
export interface HookPlace {
  readonly source: HookGroup['source'];
  /** In a folder that isn't trusted, no hook is told where to find scripts of it. */
  readonly isTrusted: boolean;
  /** The extension's storage; without it, a temporary folder is used. */
  readonly stateDir: string | undefined;
  /** Why the allow and deny lists don't let a command run. */
  denialOf(command: string): Promise<string | undefined>;
}

/** How a hook's process ended. */
export interface HookExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one hook: JSON on stdin; an exit code (0 go on, 2 block with stderr as the reason) or JSON on stdout as the answer.
 * A hook of the workspace runs in the project's folder, one of the user in a folder that has nothing of the project; both
 * find the project in `CLAUDE_PROJECT_DIR`, and get the environment that a server of their scope gets.
 */
export async function runHook(
  hook: CommandHook,
  input: HookInput,
  signal: AbortSignal,
  place: HookPlace,
): Promise<HookOutcome> {
  const { command, timeoutMs } = hook;
  const { source, stateDir, isTrusted } = place;
  const denial = await place.denialOf(command);
  if (denial !== undefined) return { kind: 'denied', why: denial };
  const folders = new NeutralFolders(stateDir);
  const cwd = source === 'workspace' ? input.cwd : await folders.for('hooks');
  const env = buildEnvironment({
    scope: source,
    platform: process.platform,
    host: isTrusted
      ? process.env
      : outsideFolders(process.env, { paths: [input.cwd], homeDir: homedir() }, process.platform),
    entry: isTrusted ? { CLAUDE_PROJECT_DIR: input.cwd } : {},
  });
  const exit = await runCommand({
    command,
    cwd,
    env,
    input: jsonPieces(input),
    readsStderr: true,
    keepsBackground: true,
    timeoutMs,
    signal,
    clock: systemClock,
    platform: process.platform,
  }).finally(() => folders.dispose());
  switch (exit.kind) {
    case 'exited': {
      const outcome = readExit(exit, input.hook_event_name);
      const missing = outcome.kind === 'failed' ? missingScript(command, { cwd, env }) : undefined;
      return missing === undefined ? outcome : { kind: 'missing', why: `${missing} isn’t there` };
    }
    case 'timeout':
      return { kind: 'failed', why: `it took longer than ${timeoutMs / 1000} s` };
    case 'too-much-output':
      return { kind: 'failed', why: 'it wrote too much' };
    case 'cancelled':
      return { kind: 'failed', why: 'the call was cancelled' };
    case 'not-started':
      return { kind: 'missing', why: `it could not be started: ${exit.message}` };
  }
}

/** What shells say of a command that isn't there or can't be run (POSIX: 2.8.2 *Exit Status for Commands*; `cmd`). */
const NOT_FOUND: ReadonlySet<number> = new Set([126, 127, 9009]);

/** What an ended hook means. Pure. */
export function readExit({ code, stdout, stderr }: HookExit, event: HookInput['hook_event_name']): HookOutcome {
  if (code === 2) return { kind: 'said', verdict: { decision: 'deny', reason: stderr.trim() || 'a hook blocked it' } };
  const said = readOutput(stdout, event);
  if (code === 0) return said;
  // A hook that says no and then fails has said no.
  if (said.kind === 'said' && said.verdict.decision === 'deny') return said;
  const why = say`it exited with code ${code ?? 'none'}: ${stderr.trim().slice(0, 500)}`;
  return { kind: code !== null && NOT_FOUND.has(code) ? 'missing' : 'failed', why };
}

/** What stands in an answer, however it is written. */
const ANSWER = /"(?:hookSpecificOutput|permissionDecision|decision|continue)"/;

/** What a hook wrote: text beside the one JSON object is left out; what looks like an answer and can't be read is a failure. */
function readOutput(stdout: string, event: HookInput['hook_event_name']): HookOutcome {
  const text = stdout.trim();
  const answer = parsed(text) ?? parsed(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  if (isRecord(answer)) return readAnswer(answer, event);
  return text.startsWith('{') || ANSWER.test(text)
    ? { kind: 'failed', why: 'its output isn’t one JSON object' }
    : { kind: 'said', verdict: {} };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text, { keeps: unlessSafeInteger });
  } catch {
    return undefined;
  }
}

function readAnswer(answer: Record<string, unknown>, event: HookInput['hook_event_name']): HookOutcome {
  const specific = isRecord(answer['hookSpecificOutput']) ? answer['hookSpecificOutput'] : {};
  const reason = word(specific['permissionDecisionReason']) ?? word(answer['reason']) ?? word(answer['stopReason']);
  const updated = specific['updatedInput'];
  const output = specific['updatedMCPToolOutput'] ?? specific['updatedToolOutput'];
  const note = word(specific['additionalContext']);
  const unread = [...Object.keys(answer), ...Object.keys(specific)].find(isUnreadDecision);
  const said = [specific, answer]
    .flatMap((each) => DECISION_NAMES.map((name) => each[name]))
    .filter((each) => each !== undefined && each !== null)
    .map((each) => DECISIONS.get(each));
  const { continue: goesOn = true } = answer;
  const decision = goesOn === false ? 'deny' : STRICTEST_FIRST.find((each) => said.includes(each));
  if (decision !== 'deny' && said.includes(undefined))
    return { kind: 'failed', why: 'its decision must be allow, ask, deny or defer' };
  if (decision !== 'deny' && (unread !== undefined || goesOn !== true))
    return { kind: 'failed', why: `its output has “${unread ?? 'continue'}” in a form that isn’t read` };
  const verdict: HookVerdict = {
    ...(decision === undefined || decision === 'defer' ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...(event === 'PreToolUse' && isRecord(updated) ? { input: updated as JsonObject } : {}),
    ...(event === 'PostToolUse' && output !== undefined
      ? { output: typeof output === 'string' ? output : JSON.stringify(output) }
      : {}),
    ...(note === undefined ? {} : { note }),
  };
  return { kind: 'said', verdict };
}

/** Where an answer has its decision: in Claude Code's hooks, in those of earlier versions, and in Cursor's. */
const DECISION_NAMES = ['permissionDecision', 'decision', 'permission'] as const;
/** What is read, or only told, of names that sound like decisions. */
const READ_NAMES: ReadonlySet<string> = new Set([...DECISION_NAMES, 'permissionDecisionReason', 'continue']);
const LIKE_DECISION =
  /permission|decision|verdict|^(?:ok|continue|(?:is)?(?:allow|approv|block|den[iy]|reject|forbid)\w*)$/i;

/** Whether a member sounds like a decision and is none here: its author means a no that nobody would hear. */
function isUnreadDecision(name: string): boolean {
  return LIKE_DECISION.test(name.replaceAll(/[-_]/g, '')) && !READ_NAMES.has(name);
}

/** What an answer with several decisions means. `defer`: nothing, so what would be asked without the hook is asked. */
const STRICTEST_FIRST = ['deny', 'ask', 'defer', 'allow'] as const;
/** What hooks decide, in the words of Claude Code and of other hosts. */
const DECISIONS: ReadonlyMap<unknown, (typeof STRICTEST_FIRST)[number]> = new Map([
  ['allow', 'allow'],
  ['approve', 'allow'],
  ['ask', 'ask'],
  ['deny', 'deny'],
  ['block', 'deny'],
  ['defer', 'defer'],
] as const);

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Runs a hook that another extension registered, under the same limit as a command; what it gives is checked. */
export async function runCodeHook(hook: CodeHook, input: HookInput, signal: AbortSignal): Promise<HookOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<HookOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'failed', why: 'it timed out' }), HOOK_LIMIT_MS);
  });
  try {
    // A copy, so that an extension can't change what was decided about.
    const asked = hook.run(await inSlices(jsonCopySteps(input)), signal);
    return await Promise.race([Promise.resolve(asked).then((answer) => readVerdict(answer, hook)), limit]);
  } catch (error) {
    return { kind: 'failed', why: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** What an extension answered; of another shape than the type says, it is a failure. Pure. */
function readVerdict(answer: unknown, { owner, event }: CodeHook): HookOutcome {
  if (answer === undefined || answer === null) return { kind: 'said', verdict: {} };
  if (!isRecord(answer)) return { kind: 'failed', why: 'its result isn’t an object' };
  const { decision, reason, input, output, note } = answer;
  if (decision !== undefined && decision !== 'allow' && decision !== 'ask' && decision !== 'deny')
    return { kind: 'failed', why: '"decision" must be allow, ask or deny' };
  if (input !== undefined && !isRecord(input)) return { kind: 'failed', why: '"input" must be an object' };
  const words = [reason, owner === undefined ? undefined : `extension ${owner}`].filter(isText);
  const verdict: HookVerdict = {
    ...(decision === undefined ? {} : { decision, ...(words.length > 0 ? { reason: words.join(', ') } : {}) }),
    ...(input !== undefined && event === 'PreToolUse' ? { input: structuredClone(input) as JsonObject } : {}),
    ...(isText(output) && event === 'PostToolUse' ? { output } : {}),
    ...(isText(note) ? { note } : {}),
  };
  return { kind: 'said', verdict };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
