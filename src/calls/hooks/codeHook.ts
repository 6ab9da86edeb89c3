import { messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { HOOK_LIMIT_MS } from './hookSettings.ts';
import type { CodeHook, HookInput, HookOutcome, HookVerdict } from './hookTypes.ts';

/** Runs a hook that another extension registered, under the same limit as a command; what it gives is checked. */
export async function runCodeHook(hook: CodeHook, input: HookInput, signal: AbortSignal): Promise<HookOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<HookOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'failed', why: 'it took too long' }), HOOK_LIMIT_MS);
  });
  try {
    // A copy, so that an extension can't change what was decided about.
    const asked = hook.run(structuredClone(input), signal);
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
  if (!isRecord(answer)) return { kind: 'failed', why: 'its answer isn’t an object' };
  const { decision, reason, input, output, note } = answer;
  if (decision !== undefined && decision !== 'allow' && decision !== 'ask' && decision !== 'deny')
    return { kind: 'failed', why: '"decision" is allow, ask or deny' };
  if (input !== undefined && !isRecord(input)) return { kind: 'failed', why: '"input" is an object' };
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
