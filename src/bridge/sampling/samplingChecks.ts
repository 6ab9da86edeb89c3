import type { JsonObject } from '../../base/json/json.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { SamplingRefusal, samplingRequestOf, type SamplingRequest } from './samplingRequest.ts';
import type { SamplingSettings } from './samplingSettings.ts';

/**
 * A server's request to a model, where the user's settings let it through, whoever answers it.
 * @throws SamplingRefusal with the code that the server gets
 */
export function checkedSampling(
  params: JsonObject,
  { enabled, requestsPerHour, allowTools }: SamplingSettings,
): SamplingRequest {
  if (!enabled || requestsPerHour < 1)
    throw new SamplingRefusal(RPC_CODES.userRejected, 'The user turned off requests from servers to language models.');
  const request = samplingRequestOf(params);
  if (request.messages.every(({ blocks }) => blocks.length === 0))
    throw new SamplingRefusal(RPC_CODES.invalidParams, 'The request has no message that is supported here.');
  const wantsTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
  if (wantsTools && !allowTools)
    throw new SamplingRefusal(
      RPC_CODES.invalidParams,
      'Tools in sampling requests are turned off here. Send the request without tools.',
    );
  return request;
}
