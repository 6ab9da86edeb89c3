import { EXPOSURES, type ExposureSetting } from '../catalog/exposure/toolExposure.ts';
import { ownValue } from './hostSettings.ts';

/** What the person has set about tools in the agent's own list. */
export function readGatewaySettings(): {
  readonly enabled: boolean;
  /** Whether Agent Host sessions are given what opens the endpoints, which the editor then keeps. */
  readonly agentHostSessions: boolean;
  readonly exposure: ExposureSetting;
} {
  return {
    enabled: ownValue('gateway.enabled') !== false,
    agentHostSessions: ownValue('gateway.agentHostSessions') !== false,
    exposure: EXPOSURES.find((exposure) => exposure === ownValue('toolExposure')) ?? 'auto',
  };
}
