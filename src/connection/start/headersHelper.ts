import { SwitchboardError } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import { runCommand, type CommandOptions } from '../process/runCommand.ts';
import { say } from '../../base/say.ts';

/** Time-out of a `headersHelper`. */
const HELPER_TIMEOUT_MS = 10_000;

/**
 * Runs a `headersHelper`, a command line that prints a JSON object of header names and values, and returns it.
 *
 * @throws SwitchboardError `unresolved-variable` where it fails or prints something else; the message never has its output
 */
export async function runHeadersHelper(
  commandLine: string,
  context: Pick<CommandOptions, 'env' | 'cwd' | 'clock' | 'platform'>,
): Promise<Readonly<Record<string, string>>> {
  const result = await runCommand({
    ...context,
    command: commandLine,
    timeoutMs: HELPER_TIMEOUT_MS,
  });
  switch (result.kind) {
    case 'not-started':
      throw failed(say`couldn't be started: ${result.message}`);
    case 'timeout':
    case 'cancelled':
      throw failed(say`didn't exit within ${HELPER_TIMEOUT_MS / 1000} s`);
    case 'too-much-output':
      throw failed(say`printed too much`);
    case 'exited':
      if (result.code !== 0) throw failed(say`exited with code ${result.code}`);
      return parseHeaders(result.stdout);
  }
}

function parseHeaders(text: string): Readonly<Record<string, string>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failed(say`didn't print JSON`);
  }
  if (!isRecord(value) || !Object.values(value).every((header) => typeof header === 'string')) {
    throw failed(say`didn't print an object of strings`);
  }
  return value as Readonly<Record<string, string>>;
}

function failed(why: string): SwitchboardError {
  return new SwitchboardError('unresolved-variable', say`The headersHelper ${why}.`, {
    remedy: say`It must print a JSON object of header names and values and exit with code 0.`,
  });
}
