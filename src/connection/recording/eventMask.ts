import { maskedLooks, namedSecrets, withoutSecretLooks } from '../../base/text/secretLooks.ts';
import { maskedWithinSteps } from '../../base/text/maskedWithin.ts';
import { MASK, SecretValues, type Mask } from '../../base/text/secrets.ts';
import type { Steps } from '../../base/timeSlices.ts';
import { READING, type RawMessage } from '../reading/readMessages.ts';
import type { RecordedEvent, RecordedWhat } from './recordedEvent.ts';

/** Members of the protocol whose names only sound like secrets: without them, a recording can't be replayed. */
const OF_PROTOCOL = ['progressToken', 'maxTokens', 'nextCursor', 'inputTokens', 'outputTokens', 'totalTokens'];
/** Where the next page of a list begins, as many services call it: each answer has another one. */
const OF_PAGES = [
  ...['pageToken', 'nextPageToken', 'prevPageToken', 'previousPageToken', 'nextToken'],
  ...['continuationToken', 'nextContinuationToken'],
  ...['page_token', 'next_page_token', 'prev_page_token', 'previous_page_token', 'next_token', 'continuation_token'],
];
const HARMLESS: ReadonlySet<string> = new Set([...OF_PROTOCOL, ...OF_PAGES]);
/** So many values are learned of what one server says, and as many of what it is told; of more, each is masked in its place. */
const MAX_LEARNED = 1_000;
/** And so much of them, in UTF-16 units: all their forms are kept. */
const MAX_LEARNED_CHARS = 128 * 1024;
/** Parameters of addresses that are named like secrets. */
const IN_ADDRESS =
  /([?&#][\w.~-]{0,40}(?:token|secret|key|passw|signature|sig|code|state|auth|session)[\w.~-]{0,40}=)[^&#\s"'<>]{1,8000}/gi;

/**
 * Takes secrets out of events, so that they can be shown or saved: those that servers were given or requests were authorized with
 * (`known`), what members that are named like secrets hold, also where it is repeated elsewhere, and what looks like a token.
 */
export class EventMask {
  readonly #known: Mask;
  // None is let go of: a server could send others until yours is forgotten.
  readonly #learned = new SecretValues(Infinity);
  /** What may still be learned, by the server and the direction. */
  readonly #room = new Map<string, { readonly values: number; readonly chars: number }>();
  readonly #seen = new Set<string>();

  constructor(known: Mask) {
    this.#known = known;
  }

  /** How many values it knows by the names of their members. */
  get learned(): number {
    return this.#seen.size;
  }

  /** Takes note of the secrets in an event, before others are masked that repeat them. */
  learn({ server, what }: RecordedEvent): void {
    if (what.kind !== 'message') return;
    const from = `${what.direction} ${server}`;
    let { values, chars } = this.#room.get(from) ?? { values: MAX_LEARNED, chars: MAX_LEARNED_CHARS };
    for (const secret of namedSecrets(what.message, HARMLESS)) {
      if (values <= 0 || secret.length > chars || this.#seen.has(secret) || secret === MASK) continue;
      const before = this.#learned.size;
      this.#seen.add(secret);
      this.#learned.add('password', secret);
      values -= Math.max(1, this.#learned.size - before);
      chars -= secret.length;
    }
    this.#room.set(from, { values, chars });
  }

  /** The event without secrets, to be written as JSON: numbers stand as the server wrote them. */
  *masked(event: RecordedEvent): Steps<RecordedEvent> {
    this.learn(event);
    const { what } = event;
    if (what.kind !== 'message') return { ...event, what: yield* maskedWithinSteps<RecordedWhat>(what, this.text) };
    const read = (what.message as RawMessage)[READING]?.exact;
    const message = withoutSecretLooks(read ? yield* read() : what.message, HARMLESS) as object;
    return { ...event, what: { ...what, message: yield* maskedWithinSteps(message, this.text) } };
  }

  readonly text: Mask = (text) =>
    maskedLooks(this.#learned.mask(this.#known(text))).replace(IN_ADDRESS, (_, name: string) => name + MASK);
}
