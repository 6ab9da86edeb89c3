import { SwitchboardError } from '../base/errors.ts';

/** A server whose tools aren't there, why, and the way out; in words for a model. */
export interface UnavailableServer {
  readonly serverName: string;
  /** With what the failure says. */
  readonly state: string;
  /** The same in a few words of ours, that stay what they are while it is so. */
  readonly brief: string;
  /** What the user or the model can do, and where. */
  readonly remedy: string;
}

/** How many servers one line names. */
const MAX_NAMES = 20;

/**
 * The servers that aren't there: a line for all that are in the same way, with what can be done.
 * @param member `state`: with what a failure says, which may be another each time
 */
export function absentLines(
  absent: readonly UnavailableServer[],
  member: 'brief' | 'state' = 'brief',
): readonly string[] {
  const groups = Map.groupBy(absent, ({ [member]: how, remedy }) => `(${how}). ${remedy}`);
  return [...groups].map(([how, group]) => {
    const names = group.slice(0, MAX_NAMES).map(({ serverName }) => serverName);
    const more = group.length > MAX_NAMES ? ` and ${group.length - MAX_NAMES} more` : '';
    return `Not ready: ${names.join(', ')}${more} ${how}`;
  });
}

/** The error of what was asked of a server that isn't there. */
export function notAvailable({ serverName, state, remedy }: UnavailableServer): SwitchboardError {
  const end = /[.!?…]$/.test(state) ? '' : '.';
  return new SwitchboardError('not-connected', `The server "${serverName}" is not available. ${state}${end}`, {
    remedy,
  });
}
