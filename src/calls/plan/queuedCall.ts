import { SwitchboardError } from '../../base/errors.ts';
import type { CallOutcome } from '../callTypes.ts';
import type { PlanMode } from './planMode.ts';

/**
 * Adds a call to the plan, in place of running it. Gives what the model is told.
 * @throws SwitchboardError `denied` where the plan is full
 */
export async function queuedCall(plan: PlanMode, call: Parameters<PlanMode['add']>[0]): Promise<CallOutcome> {
  const place = await plan.add(call);
  if (place === undefined) {
    throw new SwitchboardError(
      'denied',
      `Plan mode is on and the plan is full: ${call.tool} did not run and was not added to the plan.`,
      { remedy: 'Stop planning, and ask the user to run or discard the planned calls.' },
    );
  }
  const text =
    `Plan mode is on: ${call.tool} did not run. It is number ${place} in the plan, with these arguments, and the user ` +
    'decides later whether to run it. Continue planning as if it will run, and do not call it again.';
  return { parts: [{ kind: 'text', text }] };
}
