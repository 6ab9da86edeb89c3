import { withCleanQuestions } from './cleanQuestion.ts';
import { withPlainNumbers } from '../../base/json/exactNumber.ts';
import { isRecord } from '../../base/json/json.ts';
import { readableWithin } from '../../base/text/modelText.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';
import type { Steps } from '../../base/timeSlices.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';
import { cleanCallResult } from './cleanBlocks.ts';
import { carryCallResult } from './cleanTools.ts';
import { errorWithEnd } from './errorResult.ts';

type Members = Readonly<Record<string, unknown>>;

/** A task in place of a call's result: the SDK gets an empty result with the task under this key of `_meta`. */
const CARRIED_TASK = 'mcp-switchboard/task';

/** `extension`: SEP-2663; `core`: specification 2025-11-25. */
export interface CarriedTask {
  readonly form: 'core' | 'extension';
  readonly task: Members;
}

/** The task that an answer to `tools/call` has in place of a result. */
export function taskOf(given: unknown): CarriedTask | undefined {
  if (!isRecord(given)) return undefined;
  if (given['resultType'] === 'task') return { form: 'extension', task: given };
  return isRecord(given['task']) ? { form: 'core', task: given['task'] } : undefined;
}

/** A result of `tools/call` that the SDK takes, with the task in it. */
export function carryTask({ form, task }: CarriedTask, mask: Mask): Members {
  return { content: [], _meta: { [CARRIED_TASK]: { form, task: said(task, mask) } } };
}

/** The task that came back from the SDK. */
export function carriedTask({ _meta }: { readonly _meta?: unknown }): CarriedTask | undefined {
  const carried = isRecord(_meta) ? _meta[CARRIED_TASK] : undefined;
  return carried as CarriedTask | undefined;
}

/**
 * What `tasks/get` gave, in steps: what is read is masked and readable, ids and requests stay as they came, and a result is
 * that of a tool.
 */
export function* cleanTaskStatus(given: Members, mask: Mask, tolerate: Tolerate): Steps<Members> {
  const { result, ...rest } = given;
  const status = said(rest, mask);
  if (!isRecord(result)) return status;
  const clean = yield* cleanCallResult(result, tolerate);
  return { ...status, result: carryCallResult(clean.isError ? maskedWithin(errorWithEnd(clean), mask) : clean) };
}

function said(members: Members, mask: Mask): Members {
  const { taskId, inputRequests, ...rest } = withPlainNumbers(members);
  return {
    ...readableWithin(maskedWithin(rest, mask)),
    taskId,
    ...(inputRequests === undefined ? {} : withCleanQuestions({ inputRequests })),
  };
}
