// Loaded with the first call that finds no session.
import { SwitchboardError } from '../base/errors.ts';
import { describeState, isUnderWay, type ServerState } from './connectionState.ts';
import { say } from '../base/say.ts';

/** For a call that finds no session. */
export function notConnected(name: string, state: ServerState, now: number): SwitchboardError {
  return new SwitchboardError(
    'not-connected',
    say`The server "${name}" is not available. ${describeState(state, now)}`,
    {
      remedy: isUnderWay(state) ? say`Try again in a moment.` : say`Connect it, or continue without it.`,
    },
  );
}
