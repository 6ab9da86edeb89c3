import { jsonWeight } from '../../base/json/jsonWeight.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';

/** What is kept of an error; see `jsonWeight`. */
const MAX_WEIGHT = 64 * 1024;
/** What an error may ask to open is opened as it is. */
const ADDRESS: ReadonlySet<string> = new Set(['url', 'elicitationId']);

/** A server's error, masked and with an end: its data goes to clients of the gateway as it is. */
export function readableError<T extends { readonly message: string; readonly data?: unknown }>(
  error: T,
  mask: Mask,
): T {
  const { data, ...rest } = error;
  const isLong = data !== undefined && jsonWeight(data, MAX_WEIGHT) > MAX_WEIGHT;
  const kept = {
    ...rest,
    message: error.message.slice(0, MAX_WEIGHT),
    ...(data === undefined || isLong ? {} : { data }),
  };
  return maskedWithin(kept, mask, ADDRESS) as T;
}
