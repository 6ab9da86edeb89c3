import type { ErrorCode } from '../../base/errors.ts';
import { startAdvice } from '../stdio/startAdvice.ts';
import { tellingLine } from '../stdio/stderrReason.ts';
import type { Installing } from './startStep.ts';
import { say } from '../../base/say.ts';

/** Why what fetches or builds a server failed. */
export interface InstallFault {
  readonly code: Extract<ErrorCode, 'install-failed' | 'unreachable'>;
  readonly message: string;
  readonly remedy: string;
}

/**
 * Why an install failed; `undefined` where a process that ended was the server itself. Pure.
 *
 * @param installing what was being installed when the start was looked at last
 * @param lines what was written on stderr, oldest first
 * @param ended how it ended, where nothing else tells
 */
export function installFault(
  installing: Installing | undefined,
  lines: readonly string[],
  ended: string | undefined,
): InstallFault | undefined {
  const isSaid = lines.some((line) => RUNNER_SAYS.test(line)) && !lines.some((line) => INSTALLED.test(line));
  if (!installing || (!isSaid && ended === undefined)) return undefined;
  const telling = isSaid ? tellingLine(lines) : `it ${ended}`;
  const end = telling === undefined ? '.' : `: ${telling}${/[.!?…]$/.test(telling) ? '' : '.'}`;
  return {
    code: NETWORK.test(lines.join('\n')) ? 'unreachable' : 'install-failed',
    message: say`${installing.tool} couldn't install ${installing.what ?? say`the server`}${end}`,
    remedy: startAdvice({ lines, withheld: [] }),
  };
}

/** What is said when an install took longer than it may. */
export function installTimeout(installing: Installing | undefined, limitMs: number): InstallFault {
  const { tool = say`The command`, what, progress } = installing ?? {};
  return {
    code: 'install-failed',
    message: say`${tool} didn't finish installing ${what ?? say`the server`} within ${limitMs / 1000} s${progress ? ` (${progress})` : ''}.`,
    remedy: say`Run the command in a terminal once, or set a longer \`mcpSwitchboard.timeouts.installMs\`.`,
  };
}

/** After it, what is written is the server's. */
const INSTALLED = /^Installed \d+ packages? in /;

/** What runners write when they fail, and servers don't. */
const RUNNER_SAYS = new RegExp(
  [
    '^npm (?:ERR!|error)\\b',
    '^\\s*ERR_PNPM_',
    '^(?:error |info )?(?:An unexpected error occurred: "https?:|Couldn\'t find package)|YN\\d{4}: .*(?:failed|error)',
    '^\\s*[×✗] |^error: (?:Failed|Request|Could not|No |Distribution|Package |Git |HTTP|GET |package |Because )',
    '^ERROR: (?:Could not|No matching|Failed|Cannot|Invalid)|^Fatal error from pip',
    '^(?:docker: )?Error response from daemon: .*(?:pull access|manifest|toomanyrequests|dial tcp|lookup|no such host)|^Error: (?:initializing source|unable to copy|short-name)',
    '^go: |^error: could not compile|^error(?:\\[E\\d+\\])?: ',
    '^gyp ERR!',
  ].join('|'),
);

/** Another try may help. */
const NETWORK =
  /\bENOTFOUND\b|EAI_AGAIN|getaddrinfo|dns error|ETIMEDOUT|ECONNRESET|ECONNREFUSED|ENETUNREACH|network is unreachable|socket hang up|ERR_SOCKET_TIMEOUT|i\/o timeout|TLS handshake timeout|ConnectTimeout|Temporary failure in name resolution|error sending request|\b50[234]\b (?:Bad Gateway|Service|Gateway)/i;
