/** From this version on the editor names tools by what a server says it is called, and knows of equal labels. */
const NAMES_FROM_SERVERS = [1, 124] as const;

/**
 * Whether the editor makes tool names of what a server calls itself, and enables only one of several servers of the same
 * label (seen: 1.106 does neither, 1.139 both; the editor's own pull requests are of 1.118 and 1.122).
 * @param version of the editor, e.g. `1.139.1`
 */
export function takesNamesFromServers(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = NAMES_FROM_SERVERS;
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
