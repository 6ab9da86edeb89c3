import * as vscode from 'vscode';
import type { Hook, HookVerdict } from '../../api.d.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { onAbort } from '../../base/async.ts';
import { HOOK_EVENTS, type CodeHook } from '../../calls/hooks/hookTypes.ts';

/**
 * A hook of another extension as calls take it.
 * @throws SwitchboardError `invalid-arguments` for something that isn't a hook
 */
export function editorHook(hook: Hook, owner: string): CodeHook {
  const given: unknown = hook;
  const { event, matcher = '', run }: Record<string, unknown> = isRecord(given) ? given : {};
  const known = HOOK_EVENTS.find((each) => each === event);
  if (!known || typeof matcher !== 'string' || !isPattern(matcher) || typeof run !== 'function') {
    const message =
      'A hook has to have an `event` (PreToolUse or PostToolUse) and a function `run`. A `matcher` is a regular expression.';
    throw new SwitchboardError('invalid-arguments', message, { remedy: 'See docs/api.md.' });
  }
  return {
    owner,
    event: known,
    matcher,
    async run({ tool_name, tool_input, tool_response }, signal) {
      const cancellation = new vscode.CancellationTokenSource();
      const aborted = onAbort(signal, () => cancellation.cancel());
      try {
        const result = tool_response === undefined ? {} : { result: tool_response };
        const verdict = await hook.run(
          { event: known, tool: tool_name, args: { ...tool_input }, ...result },
          cancellation.token,
        );
        return isRecord(verdict) ? ownVerdict(verdict) : verdict;
      } finally {
        aborted.dispose();
        cancellation.dispose();
      }
    },
  };
}

function isPattern(matcher: string): boolean {
  if (matcher === '*') return true;
  try {
    return new RegExp(matcher) instanceof RegExp;
  } catch {
    return false;
  }
}

/** What it holds is checked where hooks are run. */
function ownVerdict({ args, ...rest }: HookVerdict): Awaited<ReturnType<CodeHook['run']>> {
  return { ...rest, ...(args === undefined ? {} : { input: args as JsonObject }) };
}
