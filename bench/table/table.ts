import type { Report, Row } from './rows.ts';

const HEAD = `# Performance

\`npm run -s bench -- all\` runs every benchmark and writes this table; \`npm run -s bench -- all NAME …\` only those, and keeps the
lines of the others. Each compares with its anchor in one run, the two in turn, so that a busy machine slows both. A goal
is for the ratio; where it isn’t one, it is for the figure itself, and holds on a machine with nothing else to do.
What can be counted, and so is the same on any machine, is tested: \`npm test -- ratios\`.
`;

/**
 * The document with what benchmarks gave. Pure.
 * @param before the document as it is: its lines stay for benchmarks without a report, and so do its own sections below the table
 */
export function tableOf(rows: readonly Row[], reports: ReadonlyMap<string, Report>, before: string): string {
  const [old = '', ...sections] = before.split(/^(?=## )/mu);
  const had = old.split('\n');
  const lines = rows.map((row) => {
    const report = reports.get(row.bench);
    return { bench: row.bench, line: report ? lineOf(row, report) : had.find((line) => line.startsWith(beginOf(row))) };
  });
  const missing = [...new Set(lines.flatMap(({ bench, line }) => (line === undefined ? [bench] : [])))];
  return [
    HEAD,
    '| Work | Ours | Anchor | Ratio | Goal | Holds |',
    '|---|---|---|---|---|---|',
    ...lines.flatMap(({ line }) => line ?? []),
    '',
    ...(missing.length > 0 ? [`Not measured yet: ${missing.join(', ')}.`, ''] : []),
    'Measured on:',
    '',
    ...machinesOf(had, reports),
    '',
    ...(sections.length > 0 ? [sections.join('').trimEnd(), ''] : []),
  ].join('\n');
}

/** Which benchmark ran where and when, a line for each machine and day. */
function machinesOf(had: readonly string[], reports: ReadonlyMap<string, Report>): readonly string[] {
  const names = new Map<string, readonly string[]>();
  for (const line of had) {
    const [, machine, benches] = /^- (.+): ([\w, ]+)$/u.exec(line) ?? [];
    if (machine !== undefined)
      names.set(
        machine,
        (benches ?? '').split(', ').filter((bench) => !reports.has(bench)),
      );
  }
  for (const report of reports.values()) {
    const machine = machineOf(report);
    names.set(machine, [...(names.get(machine) ?? []), report.bench].sort());
  }
  return [...names].flatMap(([machine, benches]) =>
    benches.length > 0 ? [`- ${machine}: ${benches.join(', ')}`] : [],
  );
}

function machineOf({ environment, day }: Report): string {
  const { node = '', platform = '', cores = '', cpus = cores, cpu = '' } = environment;
  return `${day}, ${cpu} with ${cpus} cores, Node ${node}${platform === '' ? '' : `, ${platform}`}`;
}

/** How the line of a row begins, whatever was measured. */
function beginOf({ work, bench }: Row): string {
  return `| ${work} (\`${bench}\`) |`;
}

function lineOf(row: Row, { figures, goals }: Report): string {
  const { ours, anchor, ratio } = row;
  const [figure, unit] = ours;
  const goal = goals[ratio];
  const measured = figures[ratio];
  const isRatio = anchor !== undefined && ratio !== figure;
  const cells = [
    withUnit(figures[figure], unit),
    anchor ? `${anchor[0]}: ${withUnit(figures[anchor[1]], unit)}` : '',
    isRatio ? written(measured) : '',
    goal === undefined ? '' : goal.replace('<=', '≤').replace('>=', '≥'),
    goal === undefined || measured === undefined ? '' : holds(measured, goal) ? 'yes' : '**no**',
  ];
  return `${beginOf(row)} ${cells.join(' | ')} |`;
}

function holds(figure: number, goal: string): boolean {
  const [operator, limit] = goal.split(' ');
  return operator === '<=' ? figure <= Number(limit) : figure >= Number(limit);
}

function withUnit(figure: number | undefined, unit: string): string {
  return figure === undefined ? '–' : `${written(figure)} ${unit}`.trim();
}

function written(figure: number | undefined): string {
  if (figure === undefined || Number.isNaN(figure)) return '–';
  const digits = Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : 2;
  return figure.toFixed(digits);
}
