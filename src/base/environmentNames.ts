/**
 * Environment variables as a system tells them apart: on Windows the case of a name doesn't count, so that of several
 * spellings of one variable the last is left, with its value.
 * @param variables names with values, later ones on top
 */
export function oneSpelling(
  variables: Iterable<readonly [name: string, value: string]>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const byName = new Map<string, readonly [name: string, value: string]>();
  for (const variable of variables) byName.set(spellingOf(variable[0], platform), variable);
  return Object.fromEntries(byName.values());
}

/** What two names have in common that are one variable. */
export function spellingOf(name: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? name.toUpperCase() : name;
}
