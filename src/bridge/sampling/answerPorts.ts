import type { Sequencer } from '../../base/async.ts';
import type { SamplingConsents } from './samplingConsents.ts';
import type { SamplingSettings } from './samplingSettings.ts';

export interface AnswerPorts {
  readonly settings: SamplingSettings;
  readonly fingerprint: string;
  readonly consents: SamplingConsents;
  readonly turns: Sequencer;
  /** Told when the user is asked. */
  readonly asks: () => void;
  /** See `HourlyBudget.take`. */
  takeBudget(limit: number): number;
}
