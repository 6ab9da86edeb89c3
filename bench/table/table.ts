import type { Report, Row } from './rows.ts';

const HEAD = `# Performance

\`npm run -s bench -- all\` runs every benchmark and writes this file; \`npm run -s bench -- all NAME …\` only those, and keeps what
the others gave before. Each compares with its anchor in one run, the two in turn, so that a busy machine slows both. A goal
is for the ratio; where it isn’t one, it is for the figure itself, and holds on a machine with nothing else to do.
What can be counted, and so is the same on any machine, is tested: \`npm test -- ratios\`.
`;

/** The table of what benchmarks gave. Pure. */
export function tableOf(rows: readonly Row[], reports: ReadonlyMap<string, Report>): string {
  const lines = rows.flatMap((row) => {
    const report = reports.get(row.bench);
    return report ? [lineOf(row, report)] : [];
  });
  const missing = [...new Set(rows.map(({ bench }) => bench))].filter((bench) => !reports.has(bench));
  const machines = Map.groupBy(reports.values(), machineOf);
  const on = [...machines].map(([machine, some]) => `- ${machine}: ${some.map(({ bench }) => bench).join(', ')}`);
  return [
    HEAD,
    '| Work | Ours | Anchor | Ratio | Goal | Holds |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    ...(missing.length > 0 ? [`Not measured yet: ${missing.join(', ')}.`, ''] : []),
    'Measured on:',
    '',
    ...on,
    '',
  ].join('\n');
}

function machineOf({ environment, day }: Report): string {
  const { node = '', platform = '', cores = '', cpus = cores, cpu = '' } = environment;
  return `${day}, ${cpu} with ${cpus} cores, Node ${node}${platform === '' ? '' : `, ${platform}`}`;
}

function lineOf({ work, ours, anchor, ratio }: Row, { bench, figures, goals }: Report): string {
  const [figure, unit] = ours;
  const goal = goals[ratio];
  const measured = figures[ratio];
  const isRatio = anchor !== undefined && ratio !== figure;
  const cells = [
    `${work} (\`${bench}\`)`,
    withUnit(figures[figure], unit),
    anchor ? `${anchor[0]}: ${withUnit(figures[anchor[1]], unit)}` : '',
    isRatio ? written(measured) : '',
    goal === undefined ? '' : goal.replace('<=', '≤').replace('>=', '≥'),
    goal === undefined || measured === undefined ? '' : holds(measured, goal) ? 'yes' : '**no**',
  ];
  return `| ${cells.join(' | ')} |`;
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
