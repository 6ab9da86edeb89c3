import type { ExposureSetting } from '../../catalog/exposure/toolExposure.ts';
import type { Host } from '../../host/host.ts';
import type { FillPrompt } from './commands/promptCommand.ts';

/** What `@mcp` works with. */
export interface ParticipantPorts {
  readonly host: Host;
  exposure(): ExposureSetting;
  /** How many times the model may call tools for one message. */
  maxSteps(): number;
  readonly fillPrompt: FillPrompt;
}
