import { say } from '../../../base/say.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { isRecord } from '../../../base/json/json.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import { hidesSomething } from '../../../base/text/showInvisible.ts';
import { assessTool } from '../../../catalog/toolQuality.ts';
import type { McpTool, ServerInfo, Session } from '../../../connection/connectionTypes.ts';

/** What a check found. `advice` is for the author of the server, as that of the quality of tools is. */
export interface CheckResult {
  readonly what: string;
  readonly outcome: 'passed' | 'advice' | 'failed';
  readonly advice: string;
}

/** A name that no server has. */
const NOTHING = 'switchboard-conformance-check/no-such-thing';
/** Names of tools (specification 2025-11-25, *Tool Names*). */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const TIMEOUT_MS = 10_000;
const NEWEST = '2026-07-28';

/** What is seen without asking the server anything. Pure. @param leftOut what of its list of tools could not be taken */
export function checksOfWhatIsKnown(
  info: ServerInfo,
  tools: readonly McpTool[],
  leftOut: readonly string[],
): readonly CheckResult[] {
  const hasTools = isRecord(info.capabilities['tools']);
  const badNames = namesOf(tools.filter(({ name }) => !TOOL_NAME.test(name)));
  const silent = namesOf(tools.filter(({ annotations }) => Object.keys(annotations).length === 0));
  const hidden = namesOf(
    tools.filter((tool) => hidesSomething(`${tool.name}${tool.title ?? ''}${tool.description ?? ''}`)),
  );
  const weak = tools.flatMap((tool) =>
    assessTool(tool, tools)
      .findings.filter(({ points }) => points < 0)
      .map(({ advice }) => say`${tool.name}: ${advice}`),
  );
  return [
    result(
      say`The protocol version is the newest`,
      info.protocolVersion === NEWEST,
      'advice',
      say`The server speaks ${info.protocolVersion}. Clients take it; ${NEWEST} is the newest.`,
    ),
    result(
      say`The server says its name and version`,
      info.name !== '' && info.version !== '',
      'failed',
      say`Give \`serverInfo.name\` and \`serverInfo.version\` in the answer to the handshake.`,
    ),
    result(
      say`Tools are declared as a capability`,
      hasTools || tools.length === 0,
      'failed',
      say`Declare \`capabilities.tools\`: clients needn’t ask a server for tools that doesn’t.`,
    ),
    result(say`Each listed tool follows the schema`, leftOut.length === 0, 'failed', leftOut.join('\n')),
    result(
      say`Tool names have letters, digits, \`_\`, \`-\` and \`.\` only, up to 128`,
      badNames === '',
      'failed',
      `Rename: ${badNames}`,
    ),
    result(
      say`Tools say what they do to the world`,
      silent === '',
      'advice',
      say`Give annotations (\`readOnlyHint\`, \`destructiveHint\`, \`openWorldHint\`): without them each call asks. ${silent}`,
    ),
    result(
      say`Nothing hides in names and descriptions`,
      hidden === '',
      'failed',
      say`Take invisible and bidirectional characters out: ${hidden}`,
    ),
    result(say`Tools are well described`, weak.length === 0, 'advice', weak.join('\n')),
  ];
}

/** Asks the server for what there isn't: how it refuses that is in the protocol. It runs no tool and reads no resource. */
export async function checksByAsking(
  session: Session,
  info: ServerInfo,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const ask = (method: string, params: Readonly<Record<string, string>>): Promise<Refusal> =>
    refusalOf(session, method, params, signal);
  const has = (capability: string): boolean => isRecord(info.capabilities[capability]);
  const results = [refused(say`An unknown method is refused`, await ask(NOTHING, {}), [RPC_CODES.methodNotFound])];
  if (has('tools'))
    results.push(
      refused(
        say`A cursor that the server never gave is refused`,
        await ask('tools/list', { cursor: NOTHING }),
        [RPC_CODES.invalidParams],
        'advice',
      ),
    );
  if (has('resources'))
    results.push(
      refused(say`An unknown resource is refused`, await ask('resources/read', { uri: 'switchboard-check://none' }), [
        RPC_CODES.resourceNotFound,
        RPC_CODES.invalidParams,
      ]),
    );
  if (has('prompts'))
    results.push(
      refused(say`An unknown prompt is refused`, await ask('prompts/get', { name: NOTHING }), [
        RPC_CODES.invalidParams,
      ]),
    );
  return results;
}

/** The code of an error of the protocol; `answered`: none; `lost`: no answer of the protocol. */
type Refusal = number | 'answered' | 'lost';

async function refusalOf(
  session: Session,
  method: string,
  params: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Refusal> {
  try {
    await session.request(method, params, TIMEOUT_MS, { signal });
    return 'answered';
  } catch (error) {
    signal.throwIfAborted();
    const { classifySdkError } = await import('../../../connection/protocol/sdk.ts');
    const fault = classifySdkError(error instanceof SwitchboardError ? error.cause : error);
    return fault.kind === 'protocol' ? fault.code : 'lost';
  }
}

function refused(
  what: string,
  refusal: Refusal,
  codes: readonly number[],
  otherwise: 'failed' | 'advice' = 'failed',
): CheckResult {
  const wanted = codes.join(' or ');
  if (typeof refusal === 'number')
    return result(
      what,
      codes.includes(refusal),
      'advice',
      say`It is refused with code ${refusal}; the protocol has ${wanted}.`,
    );
  switch (refusal) {
    case 'answered':
      return result(
        what,
        false,
        otherwise,
        say`It is answered as if it were there: answer with an error, code ${wanted}.`,
      );
    case 'lost':
      return result(
        what,
        false,
        'failed',
        say`There was no answer of the protocol in ${TIMEOUT_MS / 1000} s: answer with an error, code ${wanted}.`,
      );
  }
}

function result(what: string, isPassed: boolean, otherwise: 'failed' | 'advice', advice: string): CheckResult {
  return { what, outcome: isPassed ? 'passed' : otherwise, advice: isPassed ? '' : advice };
}

function namesOf(tools: readonly McpTool[]): string {
  return tools.map(({ name }) => name).join(', ');
}
