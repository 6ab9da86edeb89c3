import { describeLaunch } from '../../servers/trust/summary/launchSummary.ts';
import { localized } from './localized.ts';

/** What a server would run or reach, a line each, as the user reads it before approving: `describeLaunch` in their language. */
export function launchLines(...about: Parameters<typeof describeLaunch>): readonly string[] {
  return describeLaunch(...about).map(localized);
}
