/** What of a request to a model can be looked at before it goes on. */
export const REVIEWS = ['off', 'request', 'answer', 'both'] as const;

/** What the user has set about servers that ask models. */
export interface SamplingSettings {
  readonly enabled: boolean;
  /** For each server. */
  readonly requestsPerHour: number;
  /** What is shown, and can be changed, before it goes on. */
  readonly review: (typeof REVIEWS)[number];
  readonly allowTools: boolean;
}
