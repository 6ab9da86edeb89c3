import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { SwitchboardError, type ErrorCode } from '../../base/errors.ts';
import type { TaskRef } from '../../connection/connectionTypes.ts';
import type { ProcessIdentity } from '../../connection/process/processIdentity.ts';
import type { CallOutcome, Surface, ToolCall } from '../callTypes.ts';
import type { ResultPart } from '../results/resultParts.ts';

/** A call that goes on as a task of its server, as it is kept. Times are milliseconds since the epoch. */
export interface KeptTask {
  /** Names it to whoever called. Can't be guessed. */
  readonly handle: string;
  /** Who alone may ask for it; see `ownerOf`. */
  readonly owner: string;
  readonly surface: Surface;
  readonly caller?: string;
  readonly serverId: string;
  readonly serverName: string;
  /** The definition that the server had when it was called. */
  readonly fingerprint: string;
  /** Callable name. */
  readonly tool: string;
  /** With secrets masked. */
  readonly args: JsonObject;
  readonly task: TaskRef;
  /** Whose window follows it: two windows may have one workspace. Absent: unknown. */
  readonly window?: ProcessIdentity;
  readonly at: number;
  /** Its end; absent: it runs. */
  readonly end?: TaskEnd;
  /** When its result was given to the caller. */
  readonly deliveredAt?: number;
}

/** What came of a task. */
export interface TaskEnd {
  readonly at: number;
  readonly outcome: KeptOutcome;
}

export type KeptOutcome =
  | { readonly parts: readonly KeptPart[] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly remedy?: string } };

export type KeptPart =
  { readonly text: string; readonly origin?: JsonObject } | { readonly mimeType: string; readonly base64: string };

/** What is kept of one result, in bytes of its images and sounds, and in characters of what is for programs. */
const MAX_DATA_BYTES = 4 * 1024 * 1024;
const MAX_ORIGIN_CHARS = 256 * 1024;

/**
 * Who a call is from, as far as its task is concerned: the editor's own agent, an extension that invokes a language model tool
 * outside of a chat (they have no names there), or an agent outside by the name that it gives itself.
 * `undefined`: the caller waits for the result, however long it takes. Pure.
 */
export function ownerOf({
  surface,
  caller,
  surfaceContext,
}: Pick<ToolCall, 'surface' | 'caller' | 'surfaceContext'>): string | undefined {
  if (surface === 'lm-tool') return surfaceContext === undefined ? 'extension' : 'editor';
  if (surface === 'gateway') return 'editor';
  return surface === 'outside' ? `outside\n${caller ?? ''}` : undefined;
}

/** An outcome in the form that is kept. What is too large is said in its place. Pure. */
export function keptOutcome(outcome: CallOutcome | { readonly error: unknown }): KeptOutcome {
  if ('error' in outcome) {
    const { error } = outcome;
    if (!(error instanceof SwitchboardError)) return { error: { code: 'internal', message: String(error) } };
    const { code, message, remedy } = error;
    return { error: { code, message, ...(remedy === undefined ? {} : { remedy }) } };
  }
  let room = MAX_DATA_BYTES;
  let programs = MAX_ORIGIN_CHARS;
  return {
    parts: outcome.parts.map((part): KeptPart => {
      if (part.kind === 'data') {
        room -= part.data.length;
        if (room < 0) return { text: `(${part.mimeType}, too large to be kept with the result of a task)` };
        return { mimeType: part.mimeType, base64: Buffer.from(part.data).toString('base64') };
      }
      const { text, origin } = part;
      const length = origin === undefined ? 0 : JSON.stringify(origin).length;
      programs -= length;
      return origin === undefined || programs < 0 ? { text } : { text, origin: origin as unknown as JsonObject };
    }),
  };
}

/** @throws SwitchboardError where the task failed */
export function outcomeOf(kept: KeptOutcome): CallOutcome {
  if ('error' in kept) {
    const { code, message, remedy } = kept.error;
    throw new SwitchboardError(code, message, remedy === undefined ? {} : { remedy });
  }
  return {
    parts: kept.parts.map((part): ResultPart => {
      if ('base64' in part) return { kind: 'data', mimeType: part.mimeType, data: Buffer.from(part.base64, 'base64') };
      return { kind: 'text', text: part.text, ...(part.origin ? { origin: part.origin as never } : {}) };
    }),
  };
}

/** Whether a value of the store is a task; whoever may write there is trusted, a file may be damaged. */
export function isKeptTask(value: unknown): value is KeptTask {
  if (!isRecord(value) || !isRecord(value['task']) || !isRecord(value['args'])) return false;
  const texts = ['handle', 'owner', 'surface', 'serverId', 'serverName', 'fingerprint', 'tool'];
  const { task, end, window } = value;
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    Number.isFinite(value['at']) &&
    (window === undefined || (isRecord(window) && Number.isInteger(window['pid']))) &&
    typeof task['taskId'] === 'string' &&
    (task['form'] === 'core' || task['form'] === 'extension') &&
    (end === undefined || (isRecord(end) && Number.isFinite(end['at']) && isRecord(end['outcome'])))
  );
}
