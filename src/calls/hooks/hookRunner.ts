// A bundle of its own, loaded when there are hooks: it holds nothing that another bundle compares by identity.
import { spawn } from 'node:child_process';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { CommandHook, HookInput, HookOutcome, HookVerdict } from './hookTypes.ts';

export { runCodeHook } from './codeHook.ts';

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** How a hook's process ended. */
export interface HookExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one hook in the project's folder, which existing hooks find in `CLAUDE_PROJECT_DIR`: JSON on stdin; an exit code
 * (0 go on, 2 block with stderr as the reason) or JSON on stdout as the answer.
 */
export async function runHook(hook: CommandHook, input: HookInput, signal: AbortSignal): Promise<HookOutcome> {
  const exit = await run(hook, input, signal);
  return typeof exit === 'string' ? { kind: 'failed', why: exit } : readExit(exit, input.hook_event_name);
}

/** What an ended hook means. Pure. */
export function readExit({ code, stdout, stderr }: HookExit, event: HookInput['hook_event_name']): HookOutcome {
  if (code === 2) return { kind: 'said', verdict: { decision: 'deny', reason: stderr.trim() || 'a hook blocked it' } };
  if (code !== 0)
    return { kind: 'failed', why: `it ended with code ${code ?? 'none'}: ${stderr.trim().slice(0, 500)}` };
  const text = stdout.trim();
  if (!text.startsWith('{')) return { kind: 'said', verdict: {} };
  try {
    const answer: unknown = JSON.parse(text);
    return { kind: 'said', verdict: isRecord(answer) ? readAnswer(answer, event) : {} };
  } catch {
    return { kind: 'failed', why: 'its answer isn’t JSON' };
  }
}

function readAnswer(answer: Record<string, unknown>, event: HookInput['hook_event_name']): HookVerdict {
  const specific = isRecord(answer['hookSpecificOutput']) ? answer['hookSpecificOutput'] : {};
  const reason = word(specific['permissionDecisionReason']) ?? word(answer['reason']) ?? word(answer['stopReason']);
  const updated = specific['updatedInput'];
  const output = specific['updatedMCPToolOutput'] ?? specific['updatedToolOutput'];
  const note = word(specific['additionalContext']);
  const decision = decisionOf(answer, specific);
  return {
    ...(decision ? { decision } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(event === 'PreToolUse' && isRecord(updated) ? { input: updated as JsonObject } : {}),
    ...(event === 'PostToolUse' && output !== undefined
      ? { output: typeof output === 'string' ? output : JSON.stringify(output) }
      : {}),
    ...(note === undefined ? {} : { note }),
  };
}

function decisionOf(answer: Record<string, unknown>, specific: Record<string, unknown>): HookVerdict['decision'] {
  if (answer['continue'] === false || answer['decision'] === 'block') return 'deny';
  const said = specific['permissionDecision'];
  if (said === 'allow' || said === 'ask' || said === 'deny') return said;
  return answer['decision'] === 'approve' ? 'allow' : undefined;
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A sentence where it didn't come to an end by itself. The process and what it started are ended with it. */
function run(hook: CommandHook, input: HookInput, signal: AbortSignal): Promise<HookExit | string> {
  return new Promise((resolve) => {
    const group = process.platform !== 'win32';
    const { cwd } = input;
    const env = { ...process.env, CLAUDE_PROJECT_DIR: cwd };
    const child = spawn(hook.command, { shell: true, stdio: 'pipe', detached: group, windowsHide: true, cwd, env });
    const out = { stdout: '', stderr: '' };
    const end = (outcome: HookExit | string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      if (typeof outcome === 'string') kill();
      resolve(outcome);
    };
    const kill = (): void => {
      try {
        if (child.pid !== undefined && group) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It is gone already.
      }
    };
    const cancel = (): void => end('the call was cancelled');
    const timer = setTimeout(() => end(`it took longer than ${hook.timeoutMs / 1000} s`), hook.timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        out[name] += text;
        if (out[name].length > MAX_OUTPUT_BYTES) end('it wrote too much');
      });
    }
    child.once('error', (error) => end(`it could not be started: ${error.message}`));
    child.once('close', (code) => end({ code, ...out }));
    // A hook that doesn't read what it is told is none the worse for it.
    child.stdin.on('error', () => undefined).end(JSON.stringify(input));
  });
}
