import { SwitchboardError } from '../../base/errors.ts';
import { isComplex } from '../../base/text/patternCost.ts';
import { OutOfTime, timeLimited } from '../../base/timeLimit.ts';
import type { CatalogTool } from '../catalogTool.ts';

/** A pattern may take this long over all tools, in milliseconds of this process's own time. */
const LIMIT_MS = 45;
/** How many tools are tried before the time is looked at. */
const PORTION = 256;

/**
 * The tools whose own name matches the pattern, then those whose description does, both in the order given. Letter
 * case doesn't count. A pattern that names the separator `__` is tried on the callable name, too.
 *
 * @throws SwitchboardError `invalid-arguments`: the pattern isn't a regular expression, or takes too long
 */
export function findByRegex(
  pattern: string,
  tools: readonly CatalogTool[],
): { byName: CatalogTool[]; byDescription: CatalogTool[] } {
  const regex = compile(pattern);
  const usesCallableName = pattern.includes('__');
  const byName: CatalogTool[] = [];
  const byDescription: CatalogTool[] = [];
  const test = (entry: CatalogTool): void => {
    if (regex.test(entry.tool.name) || (usesCallableName && regex.test(entry.name))) byName.push(entry);
    else if (entry.tool.description !== undefined && regex.test(entry.tool.description)) byDescription.push(entry);
  };
  const runPortion = timeLimited(LIMIT_MS);
  const tryPortion = (start: number): void => {
    const named = byName.length;
    const described = byDescription.length;
    runPortion(() => {
      // Again from here, where it is run again.
      byName.length = named;
      byDescription.length = described;
      tools.slice(start, start + PORTION).forEach(test);
    });
  };
  try {
    for (let start = 0; start < tools.length; start += PORTION) tryPortion(start);
  } catch (error) {
    throw error instanceof OutOfTime ? tooSlow(error) : error;
  }
  return { byName, byDescription };
}

function tooSlow(cause: unknown): SwitchboardError {
  return new SwitchboardError('invalid-arguments', 'The pattern takes too long to match and was stopped.', {
    remedy: 'Use a simpler regular expression, without repeated groups inside a repetition.',
    cause,
  });
}

function compile(pattern: string): RegExp {
  if (isComplex(pattern)) throw tooSlow(undefined);
  // What may stand before and after a match anyway only costs time.
  const needed = pattern.replace(/^(?:\.\*\??)+/, '').replace(/(?<!\\)(?:\.\*\??)+$/, '');
  try {
    // Matching by code points is several times slower; only these forms need it.
    return new RegExp(needed, /\\[pPu]\{/.test(pattern) ? 'iu' : 'i');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
    throw new SwitchboardError('invalid-arguments', `The pattern is not a valid regular expression: ${reason}.`, {
      remedy: 'Fix the pattern, or search by words without "regex".',
      cause: error,
    });
  }
}
