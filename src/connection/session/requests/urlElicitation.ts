import { SwitchboardError } from '../../../base/errors.ts';
import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import { RPC_CODES } from '../../protocol/rpcCodes.ts';
import type { SdkFault } from '../../protocol/sdk.ts';
import type { ServerAsks } from '../serverAsks.ts';
import { say } from '../../../base/say.ts';

/** The URLs that a server needs opened before it does what was asked, as parameters of elicitations. */
export function requiredUrls(fault: SdkFault): readonly JsonObject[] {
  if (fault.kind !== 'protocol' || fault.code !== RPC_CODES.urlElicitationRequired || !isRecord(fault.data)) return [];
  const { elicitations } = fault.data;
  const all: readonly unknown[] = Array.isArray(elicitations) ? elicitations : [];
  return all.filter(isRecord).filter(({ mode }) => mode === 'url') as readonly JsonObject[];
}

/**
 * Asks the user to open the URLs that a request needs, until one is refused.
 * @param what the request as messages name it
 * @returns the error that the caller gets in place of the server's
 */
export async function askToOpenUrls(
  addresses: readonly JsonObject[],
  asks: Pick<ServerAsks, 'elicit'>,
  what: string,
  signal: AbortSignal,
): Promise<SwitchboardError> {
  for (const params of addresses) {
    const answer = await asks.elicit(params, { signal }).catch(() => undefined);
    if (answer?.['action'] === 'accept') continue;
    return new SwitchboardError('denied', say`${what} needs a page in the browser that the user didn't open.`, {
      remedy: say`Continue without it, or ask the user.`,
    });
  }
  return new SwitchboardError('call-failed', say`${what} waits for a page that the user has opened in the browser.`, {
    remedy: say`Call it again with the same arguments after the user has finished there.`,
  });
}
