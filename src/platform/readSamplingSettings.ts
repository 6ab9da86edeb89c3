import { REVIEWS, type SamplingSettings } from '../bridge/sampling/samplingSettings.ts';
import { chosenNumber } from './chosenNumber.ts';
import { ownValue } from './hostSettings.ts';

/** What the person has set about servers that ask models. */
export function readSamplingSettings(): SamplingSettings {
  return {
    enabled: ownValue('sampling.enabled') !== false,
    requestsPerHour: Math.floor(chosenNumber({ set: ownValue('sampling.requestsPerHour'), fallback: 60, minimum: 0 })),
    review: REVIEWS.find((review) => review === ownValue('sampling.review')) ?? 'off',
    allowTools: ownValue('sampling.allowTools') === true,
  };
}
