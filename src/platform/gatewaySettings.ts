import { EXPOSURES, type ExposureSetting } from '../catalog/exposure.ts';
import { ownValue } from './settings.ts';

/** What the person has set about tools in the agent's own list. */
export function readGatewaySettings(): {
  readonly enabled: boolean;
  readonly exposure: ExposureSetting;
} {
  return {
    enabled: ownValue('gateway.enabled') !== false,
    exposure: EXPOSURES.find((exposure) => exposure === ownValue('toolExposure')) ?? 'auto',
  };
}
