const MAX_OPTIONS = 12;
/** In UTF-16 units. */
const MAX_PATTERN = 2_000;

/**
 * Whether only to compile a pattern can take seconds, which no limit ends (seen in V8 14: doubled by each option). Nobody
 * writes such a one by hand.
 */
export function isComplex(pattern: string): boolean {
  const options = pattern.match(/(?<!\()[?{]/g) ?? [];
  return options.length > MAX_OPTIONS || pattern.length > MAX_PATTERN;
}
