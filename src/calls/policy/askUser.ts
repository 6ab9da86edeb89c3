import { deferred, onAbort } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { LookAlikeCache } from '../../catalog/names/lookAlikeTools.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { Asker, Decision, Reply, ToolCall } from '../callTypes.ts';
import type { Reach } from './permissionScope.ts';

/** How long a question stays open, in milliseconds. */
export const QUESTION_LIMIT_MS = 10 * 60_000;

/** The answer to a question; `expired` and `cancelled`: it was closed without one. */
export type Asked = Reply | 'expired' | 'cancelled' | undefined;

/** What a question is about. */
export interface QuestionedCall {
  readonly tool: CatalogTool;
  /** As the server would get them. */
  readonly args: JsonObject;
  readonly call: ToolCall;
  /** How long an answer can hold. */
  readonly reach: Reach;
}

export interface AskUserPorts {
  readonly asker: Asker;
  readonly clock: Clock;
  readonly lookAlikes: Pick<LookAlikeCache, 'of' | 'ready'>;
  /** The arguments without the user's own secrets; absent: none are known. */
  readonly shown?: (args: JsonObject) => JsonObject;
  /** The name of the account that a server's calls use, where there is one. */
  readonly accountOf?: (serverId: string) => string | undefined;
}

/**
 * Asks the user about one call, or several identical ones. Closes the question after 10 minutes, or when `signal` aborts. A call
 * of a script waits without a limit: its question is shown with others (`ScriptQuestions`), and has its 10 minutes from then.
 */
export async function askUser(
  { asker, clock, lookAlikes, shown, accountOf }: AskUserPorts,
  { tool, args, call, reach }: QuestionedCall,
  decision: Decision,
  signal: AbortSignal,
): Promise<Asked> {
  const ending = new AbortController();
  const closed = deferred<'expired' | 'cancelled'>();
  const close = (why: 'expired' | 'cancelled'): void => {
    closed.resolve(why);
    ending.abort(why);
  };
  const abortion = onAbort(signal, () => close('cancelled'));
  const timer = call.script ? undefined : clock.schedule(QUESTION_LIMIT_MS, () => close('expired'));
  try {
    await lookAlikes.ready();
    if (ending.signal.aborted) return 'cancelled';
    const account = accountOf?.(tool.serverId);
    const asked = asker.ask({
      tool,
      args,
      shownArgs: shown?.(args) ?? args,
      reason: decision.reason,
      lasting: decision.lasting !== false && reach !== 'call',
      ...(reach === 'session' ? { sessionOnly: true } : {}),
      flagged: decision.flagged === true || decision.changed === true,
      ...(decision.openWorld === true ? { openWorld: true } : {}),
      signal: ending.signal,
      surface: call.surface,
      surfaceContext: call.surfaceContext,
      warnings: lookAlikes.of(tool),
      ...(call.caller === undefined ? {} : { caller: call.caller }),
      ...(account === undefined ? {} : { account }),
    });
    return await Promise.race([asked, closed.promise]);
  } finally {
    timer?.dispose();
    abortion.dispose();
  }
}

/** What the model is told when the user didn't allow the call. */
export function denialError({ name }: ToolCall, { reason }: Decision, reply: Asked): SwitchboardError {
  const why = `Permission was required because ${reason}. The tool did not run.`;
  if (typeof reply === 'object') {
    return new SwitchboardError('denied', `The user denied ${name}. ${why} The user says: ${reply.deny}`);
  }
  if (reply === 'cancelled') {
    return new SwitchboardError('denied', `${name} was cancelled before the user answered. ${why}`);
  }
  const denied =
    reply === 'expired'
      ? `The user did not answer within 10 minutes, so ${name} was denied.`
      : `The user denied ${name}.`;
  return new SwitchboardError('denied', `${denied} ${why}`, {
    remedy: "Don't try it again unless the user asks for it.",
  });
}
