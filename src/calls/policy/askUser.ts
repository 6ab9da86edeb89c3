import { deferred, onAbort } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { LookAlikeCache } from '../../catalog/names/lookAlikeTools.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { Asker, Decision, Reply, ToolCall } from '../callTypes.ts';

/** How long a question waits for its answer, in milliseconds. */
export const QUESTION_LIMIT_MS = 10 * 60_000;

/** What came of a question; `expired` and `cancelled`: it was closed without an answer. */
export type Asked = Reply | 'expired' | 'cancelled' | undefined;

/** What a question is about. */
export interface QuestionedCall {
  readonly tool: CatalogTool;
  /** As the server would get them. */
  readonly args: JsonObject;
  readonly call: ToolCall;
}

export interface AskUserPorts {
  readonly asker: Asker;
  readonly clock: Clock;
  readonly lookAlikes: Pick<LookAlikeCache, 'of'>;
}

/** Asks the person, once; closes the question when the call is cancelled or after ten minutes. */
export async function ask(
  { asker, clock, lookAlikes }: AskUserPorts,
  { tool, args, call }: QuestionedCall,
  decision: Decision,
): Promise<Asked> {
  const ending = new AbortController();
  const closed = deferred<'expired' | 'cancelled'>();
  const close = (why: 'expired' | 'cancelled'): void => {
    closed.resolve(why);
    ending.abort(why);
  };
  const abortion = onAbort(call.signal, () => close('cancelled'));
  const timer = clock.schedule(QUESTION_LIMIT_MS, () => close('expired'));
  try {
    if (ending.signal.aborted) return 'cancelled';
    const asked = asker.ask({
      tool,
      args,
      reason: decision.reason,
      lasting: decision.lasting !== false,
      flagged: decision.flagged === true || decision.changed === true,
      signal: ending.signal,
      surface: call.surface,
      surfaceContext: call.surfaceContext,
      warnings: lookAlikes.of(tool),
      ...(call.caller === undefined ? {} : { caller: call.caller }),
    });
    return await Promise.race([asked, closed.promise]);
  } finally {
    timer.dispose();
    abortion.dispose();
  }
}

/** What the model is told of a question that wasn't answered with a yes. */
export function denial(call: ToolCall, decision: Decision, reply: Asked): SwitchboardError {
  const asked = `No, denied. The person was asked about ${call.name} because ${decision.reason}`;
  if (typeof reply === 'object') {
    return new SwitchboardError(
      'denied',
      `${asked}, and didn't allow it. Nothing was run. The person says: ${reply.deny}`,
    );
  }
  const remedy = "Don't try it again unless the person asks for it.";
  if (reply === 'expired') {
    return new SwitchboardError('denied', `${asked}, and gave no answer within 10 minutes. Nothing was run.`, {
      remedy,
    });
  }
  if (reply === 'cancelled') {
    return new SwitchboardError('denied', `${asked}, and the call was cancelled meanwhile. Nothing was run.`);
  }
  return new SwitchboardError('denied', `${asked}, and didn't allow it. Nothing was run.`, { remedy });
}
