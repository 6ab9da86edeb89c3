import type { ConfigProblem } from '../config/configTypes.ts';
import { NameIndex, type NameWarning } from '../servers/trust/lookAlikeNames.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';

/** For the report, which is English: servers whose names aren't what they look like, as problems at the place of each definition. Pure. */
export function nameProblems(definitions: readonly ServerDefinition[]): readonly ConfigProblem[] {
  const index = new NameIndex(definitions.map(({ entry }) => entry.name));
  return definitions.flatMap(({ name, entry }) =>
    index.warningsOf(entry.name).map((warning): ConfigProblem => ({
      code: 'misleading-name',
      severity: 'warning',
      message: `${name}: ${saidOf(warning)}`,
      fix: 'Look at what it runs before you approve it, or rename it.',
      range: entry.range,
      serverName: name,
    })),
  );
}

function saidOf(warning: NameWarning): string {
  switch (warning.kind) {
    case 'invisible':
      return 'its name has invisible characters';
    case 'scripts':
      return `its name mixes letters of different scripts (${warning.scripts.join(', ')})`;
    case 'like':
      return `its name looks like the name of another server, ${warning.other}`;
  }
}
