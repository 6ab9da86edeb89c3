import type { JsonObject } from '../../base/json/json.ts';
import { maskedLooks, namedSecrets, withoutSecretLooks } from '../../base/text/secretLooks.ts';
import { MASK, type Mask } from '../../base/text/secrets.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';

/** Arguments as they are kept: without the secrets that servers were given, and without what looks like a secret. */
export function recordedArguments(args: JsonObject, mask: Mask): JsonObject {
  return withoutSecretLooks(maskedWithin(args, mask)) as JsonObject;
}

/** A text as it is kept: also without what is masked by its name in the arguments, since servers repeat what they were given. */
export function recordedText(text: string, args: unknown, mask: Mask): string {
  const secrets = namedSecrets(args).toSorted((one, other) => other.length - one.length);
  return maskedLooks(secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), mask(text)));
}
