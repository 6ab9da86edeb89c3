import { SwitchboardError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { RPC_CODES } from '../protocol/rpcCodes.ts';
import type { SdkFault } from '../protocol/sdk.ts';
import type { AskingServer, ServerRequestPorts } from '../connectionTypes.ts';

/** What a server wants opened before it does what was asked, each as the parameters of an elicitation. */
export function requiredUrls(fault: SdkFault): readonly JsonObject[] {
  if (fault.kind !== 'protocol' || fault.code !== RPC_CODES.urlElicitationRequired || !isRecord(fault.data)) return [];
  const { elicitations } = fault.data;
  const all: readonly unknown[] = Array.isArray(elicitations) ? elicitations : [];
  return all.filter(isRecord).filter(({ mode }) => mode === 'url') as readonly JsonObject[];
}

/**
 * Asks the person to open the addresses that a request needs, until one is refused.
 * @param what was asked for, for people
 * @returns the error that the caller gets in place of the server's
 */
export async function askToOpenUrls(
  addresses: readonly JsonObject[],
  elicit: NonNullable<ServerRequestPorts['elicit']>,
  server: AskingServer,
  what: string,
  signal: AbortSignal,
): Promise<SwitchboardError> {
  for (const params of addresses) {
    const { action } = await elicit({ server, params, signal });
    if (action === 'accept') continue;
    return new SwitchboardError(
      'denied',
      `${what} needs something done in the browser, which the person didn't open.`,
      {
        remedy: 'Do without it, or ask the person.',
      },
    );
  }
  return new SwitchboardError(
    'call-failed',
    `${what} waits for something in the browser, which the person has opened.`,
    {
      remedy: 'Call it again with the same arguments once the person says that it is done.',
    },
  );
}
