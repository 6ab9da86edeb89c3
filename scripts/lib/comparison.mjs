/** Cells by the figures that a benchmark reports; `undefined` where it doesn't. */
const count = (name) => (figures) =>
  figures[name] === undefined || figures[`${name} of`] === undefined
    ? undefined
    : `${figures[name]} of ${figures[`${name} of`]}`;
const cases = (name) => (figures) =>
  figures[`${name} of`] === undefined ? undefined : `${figures[`${name} cases`]} of ${figures[`${name} of`]}`;
const time = (name, unit) => (figures) => (typeof figures[name] === 'number' ? `${figures[name]} ${unit}` : undefined);

const number = (name) => (figures) => figures[name]?.toLocaleString('en');

/** What is compared: by which benchmark, and which of its figures are whose. */
export const ROWS = [
  { bench: 'conformance', work: 'Scenarios for clients of the MCP conformance suite that pass', ours: count('ours'), sdk: count('sdk v2'), sdkV1: count('sdk v1') }, // prettier-ignore
  { bench: 'peers', work: 'Kinds of odd servers that all work', ours: cases('ours'), editor: cases('built-in'), sdk: cases('sdk v2'), sdkV1: cases('sdk v1') }, // prettier-ignore
  { bench: 'orphans', work: 'Processes left after `kill -9` of the client', ours: count('ours'), sdk: count('sdk v2'), sdkV1: count('sdk v1') }, // prettier-ignore
  { bench: 'definitions', work: 'Tokens that describe 144 tools of 12 real servers, in each request', ours: number('oursTokens'), editor: number('nativeTokens'), sdk: number('nativeTokens'), sdkV1: number('nativeTokens') }, // prettier-ignore
  { bench: 'call', work: 'A call, median', ours: time('hostP50Us', 'µs'), sdk: time('clientP50Us', 'µs') },
  { bench: 'editor', work: 'A native call in the editor, median', ours: time('oursP50Ms', 'ms'), editor: time('builtInP50Ms', 'ms') }, // prettier-ignore
  { bench: 'start', work: 'Until 10 real servers have their tools, median', ours: time('allMs', 'ms'), sdk: time('bareAllMs', 'ms') }, // prettier-ignore
  { bench: 'start', work: 'Until 12 real servers have their tools in the editor, median', ours: time('editorOursSeconds', 's'), editor: time('editorBuiltInSeconds', 's') }, // prettier-ignore
];

const HEAD = `# Comparison

The same work on this project, on VS Code’s own host and on a client that uses the SDK as it comes, made by \`npm run compare\`. Each row says which command makes it alone;
where a cell is empty, that client wasn’t measured, or has no such thing. What each does by design: [compared.md](compared.md). The gateway’s own conformance: \`npm test -- conformance\`.

The odd servers are those of public reports that this project collected (\`bench/peers\`), so it is no wonder that it gets on with them. Hosts without a search send all definitions;
times depend on the machine and on what else it does, so that only those of one row compare.

| Work | Ours | VS Code’s own | SDK, second generation | SDK, first generation | Command | Measured |
|---|---|---|---|---|---|---|
`;

/**
 * The document with the rows of one benchmark as they are now, in the order of `ROWS`; those of others stay.
 * @param {string} text what it was, maybe nothing
 * @returns {string}
 */
export function changedTable(text, bench, figures, environment) {
  const known = new Map(text.split('\n').filter((line) => line.startsWith('| ')).map((line) => [line.split(' | ')[0].slice(2), line])); // prettier-ignore
  for (const row of ROWS.filter((each) => each.bench === bench)) {
    const before = known.get(row.work)?.split(' | ') ?? [];
    const measured = [row.ours, row.editor, row.sdk, row.sdkV1].map((cell) => cell?.(figures));
    // The day and the machine are those of what was measured.
    if (measured.every((cell) => cell === undefined)) continue;
    const cells = measured.map((cell, at) => cell ?? before[at + 1] ?? '');
    const where = `${environment.day}, ${environment.cpu} with ${environment.cpus} cores, Node ${environment.node}`;
    known.set(row.work, `| ${[row.work, ...cells, `\`npm run compare -- ${bench}\``, where].join(' | ')} |`);
  }
  const missing = [...new Set(ROWS.filter(({ work }) => !known.has(work)).map((row) => row.bench))];
  const rows = ROWS.flatMap(({ work }) => known.get(work) ?? []);
  const end = missing.length > 0 ? `\nNot measured yet: ${missing.join(', ')}.\n` : '';
  return `${HEAD}${rows.join('\n')}\n${end}`;
}
