import { isRecord } from '../../base/json/json.ts';

/** What happened in one step of a turn: what the model said, what it called, what it got. */
export interface Round {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  /** By call, in their order; texts only. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

/** A turn as it is kept with the chat, so that the next one can go on from it. */
export interface Transcript {
  readonly rounds: readonly Round[];
  /** What the model said last, after its calls. */
  readonly text: string;
  /** The turn ended at the limit of steps. */
  readonly stopped: boolean;
}

/** The editor keeps it with the session, so it stays small. In characters. */
const MAX_KEPT = 60_000;
const MAX_RESULT = 8_000;
const LEFT_OUT = '(left out; call the tool again where it is needed)';

/** What is kept of a turn: long results are cut, and the oldest go first. Pure. */
export function kept({ rounds, text, stopped }: Transcript): Transcript {
  let room = MAX_KEPT;
  const fitted = rounds.toReversed().map((round) => {
    const results = round.results.map((result) => {
      const cut = result.text.length > MAX_RESULT ? `${result.text.slice(0, MAX_RESULT)}… (cut)` : result.text;
      room -= cut.length;
      return { id: result.id, text: room < 0 ? LEFT_OUT : cut };
    });
    return { ...round, results };
  });
  return { rounds: fitted.reverse(), text, stopped };
}

/** What a chat's metadata holds of a turn; `undefined` where it is none of ours. */
export function transcriptOf(metadata: unknown): Transcript | undefined {
  const transcript = isRecord(metadata) ? metadata['transcript'] : undefined;
  if (!isRecord(transcript) || !Array.isArray(transcript['rounds'])) return undefined;
  return transcript['rounds'].every(isRound) ? (transcript as unknown as Transcript) : undefined;
}

function isRound(value: unknown): value is Round {
  if (!isRecord(value) || !Array.isArray(value['calls']) || !Array.isArray(value['results'])) return false;
  const hasId = (item: unknown): boolean => isRecord(item) && typeof item['id'] === 'string';
  return value['calls'].every(hasId) && value['results'].every(hasId);
}
