import { SwitchboardError } from '../../base/errors.ts';
import type { BatchAnswer } from './scriptQuestions.ts';
import { SCRIPT_LIMITS, type ScriptEnd, type ScriptLimit } from './scriptTypes.ts';

/** How many calls of the script had ended, and how many of them failed. */
interface Counts {
  readonly calls: number;
  readonly failed: number;
}

const LIMITS: Readonly<Record<ScriptLimit, string>> = {
  steps: 'it took too many steps',
  time: `it worked for more than ${SCRIPT_LIMITS.timeMs / 1_000} seconds between two calls`,
  calls: `it made more than ${SCRIPT_LIMITS.calls} calls`,
  arguments: 'the arguments of a call, or of all of them, were too large',
  result: 'its result is too large',
};

/** Why a script has no result, for the model. */
export function endError(end: Exclude<ScriptEnd, { kind: 'returned' }>, counts: Counts): SwitchboardError {
  switch (end.kind) {
    case 'threw':
      return new SwitchboardError('tool-error', `The script failed: ${end.error.slice(0, 4_000)}. ${soFar(counts)}`);
    case 'limit':
      return new SwitchboardError('tool-error', `The script was ended because ${LIMITS[end.limit]}. ${soFar(counts)}`, {
        remedy: 'Do less in one script, or filter earlier.',
      });
    case 'diverged':
      return new SwitchboardError(
        'tool-error',
        `The script was ended because it did not repeat the calls that it made before the user’s answer. ${soFar(counts)}`,
        { remedy: 'Make calls depend on results of tools only.' },
      );
  }
}

/** What the model is told when calls of a script didn't run. */
export function batchError(answer: Exclude<BatchAnswer, 'allowed'> | 'tooOften', counts: Counts): SwitchboardError {
  const none = `None of the calls that waited ran, and the script ended. ${soFar(counts)}`;
  const remedy = 'Don’t try them again unless the user asks for it.';
  const { calls } = SCRIPT_LIMITS.batch;
  if (typeof answer === 'object')
    return new SwitchboardError('denied', `The user denied the script’s calls. ${none} The user says: ${answer.deny}`);
  switch (answer) {
    case 'denied':
      return new SwitchboardError('denied', `The user denied the script’s calls. ${none}`, { remedy });
    case 'expired':
      return new SwitchboardError('denied', `The user did not answer within 10 minutes. ${none}`, { remedy });
    case 'closed':
      return new SwitchboardError('denied', `A call was cancelled while the user was asked. ${none}`, { remedy });
    case 'changed':
      return new SwitchboardError('denied', `A tool changed or was removed while the user was asked. ${none}`, {
        remedy: 'Find the tools again with mcp_tool_search, then run the script again.',
      });
    case 'tooMany':
      return new SwitchboardError('invalid-arguments', `Too much waits for the user at once. ${none}`, {
        remedy: `Make at most ${calls} such calls together, with shorter arguments.`,
      });
    case 'tooOften':
      return new SwitchboardError('invalid-arguments', `The script asks the user too often. ${none}`, {
        remedy: 'Start calls that make changes together, with Promise.all, so that the user is asked once.',
      });
  }
}

function soFar({ calls, failed }: Counts): string {
  if (calls === 0) return 'No call of it ran.';
  return `Before, ${calls === 1 ? '1 call' : `${calls} calls`} ended${failed > 0 ? ` (${failed} failed)` : ''}.`;
}
