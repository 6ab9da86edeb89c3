import { say } from '../../../base/say.ts';
import { networkCode } from '../../remote/answers/httpStatus.ts';

/**
 * A host that gave no answer, or none that says anything of what it was asked for: it may the next time. A `TypeError`, since the
 * SDK takes any other kind of error about metadata for there being none.
 */
export class NoAnswer extends TypeError {
  override readonly name = 'NoAnswer';
}

/** What a failed request means, with the host that it was sent to; other errors as they are. */
export function noAnswerFrom(host: string, error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new NoAnswer(say`${host} doesn't answer, so nobody can sign in`, { cause: error });
  const code = networkCode(error);
  return code === undefined
    ? error
    : new NoAnswer(say`${host} can't be reached to sign in (${code})`, { cause: error });
}

/** @param status see `isPassing` */
export function notNow(host: string, status: number): NoAnswer {
  return new NoAnswer(say`${host} can't sign anybody in now (HTTP ${status})`);
}

/** Whether a status says nothing of what was asked for (RFC 9110, sections 15.6.4 and 15.6.5; RFC 6585, section 4). Pure. */
export function isPassing(status: number): boolean {
  return status === 429 || status === 503 || status === 504;
}
