import type { ToolCall } from '../callTypes.ts';

/** How long an answer about a call can hold: for the call, until the window closes, or as long as the workspace. */
export type Reach = 'call' | 'session' | 'workspace';

/** Who calls, as far as permissions go. */
export interface Caller {
  /** Absent for the editor's own agents. */
  readonly id?: string;
  readonly reach: Reach;
}

const EDITOR: Caller = { reach: 'workspace' };
/** What agents outside the editor call themselves proves nothing, so they are one caller. */
const OUTSIDE = 'outside';
/** An extension that isn't known for sure has more than its id as its name: a permission would be for whoever says the same. */
const EXTENSION_ID = /^[\w.-]+$/;

/** Whose permissions a call uses, and how long an answer about it can hold. Pure. */
export function callerOf(call: Pick<ToolCall, 'surface' | 'caller' | 'isAnsweredByCaller' | 'script'>): Caller {
  const caller = ownerOf(call);
  return call.script ? { ...caller, reach: 'call' } : caller;
}

function ownerOf({
  surface,
  caller,
  isAnsweredByCaller,
}: Pick<ToolCall, 'surface' | 'caller' | 'isAnsweredByCaller'>): Caller {
  switch (surface) {
    case 'outside':
      return { id: OUTSIDE, reach: isAnsweredByCaller === true ? 'call' : 'session' };
    case 'api':
      return { id: `extension:${caller ?? ''}`, reach: EXTENSION_ID.test(caller ?? '') ? 'workspace' : 'call' };
    // Its page can be another one each time, and calls its own server's tools alone.
    case 'app':
      return { id: 'app', reach: 'session' };
    case 'lm-tool':
    case 'gateway':
    case 'participant':
    case 'editor':
    case 'test':
    case 'plan-queue':
    case 'dead-letters':
    case 'run-again':
      return EDITOR;
    default:
      // What says nothing of itself gets the least.
      return { id: OUTSIDE, reach: 'call' };
  }
}
