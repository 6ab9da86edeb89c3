import type { Client } from '@modelcontextprotocol/client';
import { deferred, onAbort, withTimeout } from '../../../base/async.ts';
import { LONGEST_DELAY_MS, type Clock } from '../../../base/clock.ts';
import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import type { TaskRef } from '../../connectionTypes.ts';
import { answerInput, AS_IT_CAME } from '../../protocol/protocolClient.ts';
import { LaterRoundError, wasNeverSent } from '../../protocol/neverSent.ts';
import { EndedTask } from './endedTask.ts';
import { pauseMs, statusOf, type TaskStatus } from './taskStatus.ts';

type Answer = { readonly _meta?: unknown; readonly [key: string]: unknown };

/** How a task is followed. */
export interface FollowTaskOptions {
  readonly signal: AbortSignal;
  /** Of each request; milliseconds. */
  readonly timeoutMs: number;
  /** Told with each answer that the task is at work. */
  readonly onStatus: (message: string | undefined, answers: number) => void;
}

const CANCEL_TIMEOUT_MS = 10_000;
/** How long a server is asked to keep a task and its result, in milliseconds; the result is fetched as soon as it is there. */
const KEEP_MS = 24 * 60 * 60_000;
/** How long a request for the result that is held may still answer, where one that was sent later is refused; in milliseconds. */
const LATE_MS = 2_000;
/** What one task may ask of the user and models, over its life. */
const MAX_INPUTS = 100;

/** What makes a task of a call to a server that wants to be told so (specification 2025-11-25). */
export const AS_TASK: { readonly task: JsonObject } = { task: { ttl: KEEP_MS } };

/**
 * Waits for the result of a task: asks for its status, no more often than the server wants, and answers what it needs. A task of
 * 2025-11-25 is asked for its result, too, which is answered when the task has ended, and on which its questions come. The task
 * goes on when `signal` aborts.
 * @returns the result of `tools/call`, as the guard has it
 * @throws EndedTask where there is none, and what the client throws
 */
export async function followTask(
  { taskId, form }: TaskRef,
  client: Client,
  options: FollowTaskOptions,
  clock: Clock,
): Promise<Answer> {
  const { signal, timeoutMs, onStatus } = options;
  const ending = new AbortController();
  const abortion = onAbort(signal, () => ending.abort(signal.reason));
  const send = (method: string, more: JsonObject = {}, timeout = timeoutMs): Promise<Answer> =>
    client.request({ method, params: { taskId, ...more } }, AS_IT_CAME, { signal: ending.signal, timeout });
  const result =
    form === 'core' ? new AwaitedResult(() => send('tasks/result', {}, LONGEST_DELAY_MS), clock) : undefined;
  const answered = new Set<string>();
  const began = clock.now();
  try {
    for (let answers = 1; ; answers += 1) {
      result?.begin();
      const answer = await Promise.race([send('tasks/get').then((got) => ({ got })), result?.given ?? NEVER]);
      if ('result' in answer) return answer.result;
      const status = statusOf(answer.got);
      if (status.taskId !== undefined && status.taskId !== taskId)
        throw new EndedTask('failed', 'the server answered for another task');
      const ended = isEnded(status) ? await endOf(status, answer.got, result) : undefined;
      if (ended) return ended;
      onStatus(status.message, answers);
      if (form === 'extension') {
        const inputResponses = await inputsFor(status, answered, client, ending.signal);
        if (inputResponses) await send('tasks/update', { inputResponses });
      } else if (status.state === 'input_required') result?.again();
      const early = await pause(pauseMs(status.pollMs, clock.now() - began), clock, ending.signal, result?.given);
      if (early) return early.result;
    }
  } catch (error) {
    // The call was sent, whatever came of a later request.
    throw wasNeverSent(error) ? new LaterRoundError('the task was not heard of again', { cause: error }) : error;
  } finally {
    abortion.dispose();
    ending.abort('the task is not followed any more');
  }
}

/** Tells the server that nobody wants a task any more; what comes of it matters to nobody. */
export function cancelTask({ taskId }: TaskRef, client: Client): Promise<void> {
  const request = { method: 'tasks/cancel', params: { taskId } };
  return client.request(request, AS_IT_CAME, { timeout: CANCEL_TIMEOUT_MS }).then(
    () => undefined,
    () => undefined,
  );
}

const NEVER = new Promise<never>(() => undefined);

function isEnded({ state }: TaskStatus): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled';
}

async function endOf(
  { state, message, error }: TaskStatus,
  got: Answer,
  result: AwaitedResult | undefined,
): Promise<Answer> {
  if (state === 'cancelled') throw new EndedTask('cancelled', message);
  if (!result) {
    if (state === 'completed' && isRecord(got['result'])) return got['result'];
    throw new EndedTask('failed', message ?? error ?? 'it gave no result');
  }
  try {
    return await result.now();
  } catch (thrown) {
    throw state === 'failed' && message ? new EndedTask('failed', message) : thrown;
  }
}

/** The result of a task of 2025-11-25. Where a server doesn't hold its answer until the task has ended, it is asked anew then. */
class AwaitedResult {
  readonly #ask: () => Promise<Answer>;
  readonly #clock: Clock;
  /** `undefined`: refused. */
  #asked: Promise<{ readonly result: Answer } | undefined> = Promise.resolve(undefined);
  #given: Promise<{ readonly result: Answer }> | undefined;
  #state: 'none' | 'asked' | 'refused' = 'none';

  constructor(ask: () => Promise<Answer>, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** Only settles with a result. */
  get given(): Promise<{ readonly result: Answer }> | undefined {
    return this.#given;
  }

  begin(): void {
    if (this.#state !== 'none') return;
    this.#state = 'asked';
    this.#asked = this.#ask().then(
      (result) => ({ result }),
      () => {
        this.#state = 'refused';
        return undefined;
      },
    );
    this.#given = this.#asked.then((given) => given ?? NEVER);
  }

  /** Asks once more, where it was refused: now the task needs something, which comes on this request. */
  again(): void {
    if (this.#state !== 'refused') return;
    this.#state = 'none';
    this.begin();
  }

  /**
   * The task has ended: whichever request gives the result. A server may give it once, to the one that it holds, and answer the
   * later one first, with an error.
   */
  async now(): Promise<Answer> {
    const anew = this.#ask().then((result) => ({ result }));
    try {
      return (await Promise.race([anew, this.#given ?? NEVER])).result;
    } catch (error) {
      const held = await withTimeout(this.#asked, LATE_MS, this.#clock, () => undefined);
      if (held) return held.result;
      throw error;
    }
  }
}

/**
 * The answers to what a task newly needs; `undefined`: nothing new.
 * @param answered keys of what was answered before
 * @throws what refuses a question
 */
async function inputsFor(
  { inputRequests }: TaskStatus,
  answered: Set<string>,
  client: Client,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const fresh = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
  if (fresh.length === 0) return undefined;
  if (answered.size + fresh.length > MAX_INPUTS) throw new EndedTask('failed', 'it asks too much');
  for (const [key] of fresh) answered.add(key);
  const responses = await Promise.all(
    fresh.map(async ([key, request]) => [key, await answerInput(client, key, request, signal)] as const),
  );
  return Object.fromEntries(responses);
}

/** Ends early with the signal, where the next request then says so, and with a result. */
async function pause(
  ms: number,
  clock: Clock,
  signal: AbortSignal,
  given: Promise<{ readonly result: Answer }> | undefined,
): Promise<{ readonly result: Answer } | undefined> {
  const over = deferred<undefined>();
  const timer = clock.schedule(ms, () => over.resolve(undefined));
  const listening = onAbort(signal, () => over.resolve(undefined));
  try {
    return await Promise.race([over.promise, given ?? NEVER]);
  } finally {
    timer.dispose();
    listening.dispose();
  }
}
