import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import { MASK } from '../../../base/text/secrets.ts';
import { exchangesOf, isSame } from './recordedScript.ts';
import type { RecordedEvent } from '../recordedEvent.ts';
import type { RecordedLine } from '../recordingFormat.ts';

/** A call of a tool that was recorded. */
export interface RecordedCall {
  /** The server's own name for the tool. */
  readonly tool: string;
  readonly args: JsonObject;
  /** What the server answered: its result or its error, without `_meta`; `undefined`: nothing. */
  readonly answer: unknown;
  /** Secrets were taken out of the arguments: nobody can repeat it. */
  readonly isMasked: boolean;
}

const CALL = 'tools/call';

/** The calls of a server in a recording, in order. What goes on with a call after a question isn't one of its own. */
export function recordedCalls(lines: readonly RecordedLine[], server: string): readonly RecordedCall[] {
  return exchangesOf(lines, server).flatMap(({ method, params, follows }) => {
    if (method !== CALL || !isRecord(params) || typeof params['name'] !== 'string') return [];
    if (params['inputResponses'] !== undefined || params['requestState'] !== undefined) return [];
    const args = isRecord(params['arguments']) ? (params['arguments'] as JsonObject) : {};
    const answer = follows.findLast(({ message }) => message['method'] === undefined)?.message;
    const isMasked = JSON.stringify(args).includes(MASK);
    return [{ tool: params['name'], args, answer: answer && withoutMeta(answer), isMasked }];
  });
}

/** The last answer to such a call among events. */
export function answerAmong(events: readonly RecordedEvent[], { tool, args }: RecordedCall): unknown {
  const messages = events.flatMap(({ connection, what }) =>
    what.kind === 'message' ? [{ connection, message: what.message as Readonly<Record<string, unknown>> }] : [],
  );
  const sent = messages.findLast(({ message: { method, params } }) => {
    const isCall = method === CALL && isRecord(params) && params['name'] === tool;
    return isCall && isSame(args, params['arguments'] ?? {});
  });
  const answer = messages.findLast(
    ({ connection, message }) =>
      sent !== undefined &&
      connection === sent.connection &&
      message['id'] === sent.message['id'] &&
      !('method' in message),
  );
  return answer && withoutMeta(answer.message);
}

function withoutMeta({ result, error }: Readonly<Record<string, unknown>>): unknown {
  if (error !== undefined) return { error };
  if (!isRecord(result)) return { result };
  const { _meta: _, ...rest } = result;
  return { result: rest };
}
