import { maskedLooks, namedSecrets, withoutSecretLooks } from '../../base/text/secretLooks.ts';
import { maskedWithinSteps } from '../../base/text/maskedWithin.ts';
import { MASK, SecretValues, type Mask } from '../../base/text/secrets.ts';
import type { Steps } from '../../base/timeSlices.ts';
import { READING, type RawMessage } from '../reading/readMessages.ts';
import type { RecordedEvent, RecordedWhat } from './recordedEvent.ts';

/** Members of the protocol whose names only sound like secrets: without them, a recording can't be replayed. */
const OF_PROTOCOL = new Set(['progressToken', 'maxTokens', 'nextCursor', 'inputTokens', 'outputTokens', 'totalTokens']);
/** Parameters of addresses that are named like secrets. */
const IN_ADDRESS =
  /([?&#][\w.~-]{0,40}(?:token|secret|key|passw|signature|sig|code|state|auth|session)[\w.~-]{0,40}=)[^&#\s"'<>]{1,8000}/gi;

/**
 * Takes secrets out of events, so that they can be shown or saved: those that servers were given or requests were authorized with
 * (`known`), what members that are named like secrets hold, also where it is repeated elsewhere, and what looks like a token.
 */
export class EventMask {
  readonly #known: Mask;
  readonly #learned = new SecretValues();
  readonly #seen = new Set<string>();

  constructor(known: Mask) {
    this.#known = known;
  }

  /** How many values it knows by the names of their members. */
  get learned(): number {
    return this.#seen.size;
  }

  /** Takes note of the secrets in an event, before others are masked that repeat them. */
  learn({ what }: RecordedEvent): void {
    if (what.kind !== 'message') return;
    for (const secret of namedSecrets(what.message, OF_PROTOCOL)) {
      if (this.#seen.has(secret) || secret === MASK) continue;
      this.#seen.add(secret);
      this.#learned.add('password', secret);
    }
  }

  /** The event without secrets, to be written as JSON: numbers stand as the server wrote them. */
  *masked(event: RecordedEvent): Steps<RecordedEvent> {
    this.learn(event);
    const { what } = event;
    if (what.kind !== 'message') return { ...event, what: yield* maskedWithinSteps<RecordedWhat>(what, this.text) };
    const read = (what.message as RawMessage)[READING]?.exact;
    const message = withoutSecretLooks(read ? yield* read() : what.message, OF_PROTOCOL) as object;
    return { ...event, what: { ...what, message: yield* maskedWithinSteps(message, this.text) } };
  }

  readonly text: Mask = (text) =>
    maskedLooks(this.#learned.mask(this.#known(text))).replace(IN_ADDRESS, (_, name: string) => name + MASK);
}
