/** The server ended a task without a result, or what it says of it can't be. */
export class EndedTask extends Error {
  override readonly name = 'EndedTask';

  constructor(how: 'cancelled' | 'failed', message: string | undefined) {
    super(`the server's task ${how === 'failed' ? how : `was ${how}`}${message ? `: ${message}` : ''}`);
  }
}
