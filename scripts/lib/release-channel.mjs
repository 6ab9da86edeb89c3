/**
 * Whether a version is of the pre-release channel: its minor number is odd, as the marketplaces want the two told apart.
 * @param {string} version MAJOR.MINOR.PATCH
 */
export function isPreRelease(version) {
  return Number(version.split('.')[1]) % 2 === 1;
}
