import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { Refusal } from './legacyVersions.ts';

/** `plain`: without what later versions put into a capability, and without extensions. `none`: no capability at all. */
export type FewerCapabilities = 'plain' | 'none';

/** What servers call a capability, or a member of one, that they refuse. */
const NAMED = /capabilit|elicitation|sampling|\broots\b|applyDefaults|extensions|\bform\b/i;
const REFUSED =
  /un(?:recogni[sz]ed|known|expected)|extra (?:inputs|fields)|additional propert|not (?:permitted|allowed|marked)|cannot deserialize/i;

/** Whether it is a capability of the client that is refused: strict parsers fail at members that they don't know. */
export function refusesCapabilities({ message }: Refusal): boolean {
  return NAMED.test(message) && REFUSED.test(message);
}

/** What to declare after `declared` was refused; `undefined`: that isn't the reason, or nothing less is left. */
export function fewerCapabilities(
  declared: FewerCapabilities | undefined,
  refusal: Refusal,
): FewerCapabilities | undefined {
  if (declared === 'none' || !refusesCapabilities(refusal)) return undefined;
  return declared === undefined ? 'plain' : 'none';
}

/** The capabilities as they are declared then; the same where all are. */
export function declaredOf(all: ClientCapabilities, fewer: FewerCapabilities | undefined): ClientCapabilities {
  if (fewer === undefined) return all;
  if (fewer === 'none') return {};
  const { roots, sampling, elicitation } = all;
  return {
    ...(roots ? { roots } : {}),
    ...(sampling ? { sampling: {} } : {}),
    ...(elicitation ? { elicitation: {} } : {}),
  };
}
