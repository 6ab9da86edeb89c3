import type { CallProgress } from '../connection/connectionTypes.ts';
import { cleanText } from './results/cleanText.ts';

/** Passes a server's progress on, its message without what could hide in it. */
export function relayed(onProgress: (progress: CallProgress) => void): (progress: CallProgress) => void {
  return ({ message, ...numbers }) =>
    onProgress(message === undefined ? numbers : { ...numbers, message: cleanText(message).text });
}
