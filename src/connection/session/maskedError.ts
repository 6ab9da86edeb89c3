import { SwitchboardError } from '../../base/errors.ts';
import type { Mask } from '../../base/text/secrets.ts';

/** The error without the server's secrets. */
export function maskedError(error: SwitchboardError, mask: Mask): SwitchboardError {
  const { code, message, remedy, cause } = error;
  if (mask(error.fullMessage) === error.fullMessage) return error;
  return new SwitchboardError(code, mask(message), {
    ...(remedy === undefined ? {} : { remedy: mask(remedy) }),
    cause,
  });
}
