import type { ConfigSource, SourceResult } from '../../config/configTypes.ts';

/**
 * The results with those entries disabled that a source above them, of the same client, switches off by name. What a source
 * of one folder says holds for that folder and for what belongs to none.
 * Claude Code's settings may name servers of the folder's `.mcp.json` that are off, whatever stands above what.
 * @param results highest precedence first
 */
export function withSwitchedOff(results: readonly SourceResult[]): readonly SourceResult[] {
  const projects = results.filter(({ projectServersOff }) => projectServersOff);
  if (projects.length === 0 && !results.some(({ switchedOff }) => switchedOff)) return results;
  const above: SourceResult[] = [];
  return results.map((result) => {
    const ofProject = result.source.scope === 'project' ? projects : [];
    const entries = result.entries.map((entry) => {
      const by =
        above.find(
          ({ source, switchedOff = [] }) => switchedOff.includes(entry.name) && concerns(source, result.source),
        ) ??
        ofProject.find(
          ({ source, projectServersOff = [] }) =>
            projectServersOff.includes(entry.name) && isOneFolder(source, result.source),
        );
      return by ? { ...entry, disabled: true, disabledIn: by.source.label } : entry;
    });
    above.push(result);
    return entries.every((entry, index) => entry === result.entries[index]) ? result : { ...result, entries };
  });
}

function concerns(one: ConfigSource, other: ConfigSource): boolean {
  return isOneFolder(one, other) && one.client !== undefined && one.client === other.client;
}

function isOneFolder(one: ConfigSource, other: ConfigSource): boolean {
  return !one.folder || !other.folder || one.folder.path === other.folder.path;
}
