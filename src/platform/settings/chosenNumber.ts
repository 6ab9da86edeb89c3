import { LONGEST_DELAY_MS } from '../../base/clock.ts';

/** Where a number may come from, highest first. */
export interface NumberSources {
  /** The value in the settings. */
  readonly set: unknown;
  /** The text of an environment variable, or a value in it. */
  readonly environment?: unknown;
  readonly fallback: number;
  /** A smaller value in the settings is raised to this; a smaller one from the environment is ignored. */
  readonly minimum: number;
}

/** None of them may be larger: most are milliseconds that a timer waits. A value in the settings goes before the environment, and the environment before the default. */
export function chosenNumber({ set, environment, fallback, minimum }: NumberSources): number {
  if (typeof set === 'number' && Number.isFinite(set)) return Math.min(LONGEST_DELAY_MS, Math.max(minimum, set));
  const text = typeof environment === 'number' ? `${environment}` : environment;
  const given = typeof text !== 'string' || text.trim() === '' ? Number.NaN : Number(text);
  return given >= minimum && Number.isFinite(given) ? Math.min(LONGEST_DELAY_MS, given) : fallback;
}
