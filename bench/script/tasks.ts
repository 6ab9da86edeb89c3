import { DOCS, docLines, LOGS, logLines, MONTHS, rowsOf } from './seed.ts';

/** A call of a tool, by the name that a model calls it. */
export type TaskCall = readonly [tool: string, args: object];

/** A task, done both ways. */
export interface Task {
  readonly name: string;
  /** Turn by turn, the calls that a model makes together, since none needs the result of another. */
  readonly plain: readonly (readonly TaskCall[])[];
  readonly script: string;
  /** What the user is told in the end. The script returns it. */
  readonly answer: string;
}

const FS = 'mcp__filesystem__';
const MEMORY = 'mcp__memory__';
const NOTES = 'mcp__notes__';
const SUM = 'mcp__everything__get-sum';

/** The tasks, for a folder as `seed` makes it. They are done in this order. */
export function tasksIn(folder: string): readonly Task[] {
  const at = (name: string): string => `${folder}/${name}`;
  const read = (name: string): TaskCall => [`${FS}read_text_file`, { path: at(name) }];
  const list = (name: string): TaskCall => [`${FS}list_directory`, { path: at(name) }];
  const note = (title: string, text: string): TaskCall => [`${NOTES}add_note`, { title, text }];
  const months = MONTHS.map((month) => read(`reports/${month}.csv`));
  const docs = DOCS.map((doc) => read(`docs/${doc}.md`));
  const logs = LOGS.map((log) => read(`logs/app-${log}.log`));
  const sumOf = (month: string): number => rowsOf(month).reduce((sum, [, amount]) => sum + amount, 0);
  const todosOf = (doc: string): readonly string[] => docLines(doc).filter((line) => line.startsWith('TODO'));
  const errorsOf = (log: number): number => logLines(log).filter((line) => line.includes('ERROR')).length;
  const byRegion = (region: string): number =>
    MONTHS.flatMap((month) => rowsOf(month))
      .filter(([of]) => of === region)
      .reduce((sum, [, amount]) => sum + amount, 0);
  const best = ['north', 'south', 'east', 'west'].toSorted((a, b) => byRegion(b) - byRegion(a))[0] ?? '';
  const total = String(MONTHS.reduce((sum, month) => sum + sumOf(month), 0));
  const todos = DOCS.flatMap((doc) => todosOf(doc));
  const errorLines = LOGS.map((log) => `app-${log}: ${errorsOf(log)}`).join('\n');

  const d = `const dir = ${JSON.stringify(folder)};`;
  const readEach = (folderName: string): string =>
    `${d} const names = (await tools.${FS}list_directory({ path: dir + '/${folderName}' })).match(/[\\w.-]+(?=$|\\n)/g);
const texts = await Promise.all(names.map((name) => tools.${FS}read_text_file({ path: dir + '/${folderName}/' + name })));`;
  const amounts = `const rows = texts.flatMap((text) => text.split('\\n').slice(1).map((row) => row.split(',')));`;
  const todoLines = `const todos = texts.flatMap((text) => text.split('\\n').filter((line) => line.startsWith('TODO')));`;

  return [
    {
      name: 'sum one report',
      plain: [[read('reports/2026-01.csv')]],
      script: `${d} const text = await tools.${FS}read_text_file({ path: dir + '/reports/2026-01.csv' });
return String(text.split('\\n').slice(1).reduce((sum, row) => sum + Number(row.split(',')[1]), 0));`,
      answer: String(sumOf('2026-01')),
    },
    {
      name: 'sum twelve reports',
      plain: [[list('reports')], months],
      script: `${readEach('reports')} ${amounts} return String(rows.reduce((sum, [, amount]) => sum + Number(amount), 0));`,
      answer: total,
    },
    {
      name: 'find the best region',
      plain: [[list('reports')], months],
      script: `${readEach('reports')} ${amounts} const sums = {};
for (const [region, amount] of rows) sums[region] = (sums[region] ?? 0) + Number(amount);
return Object.entries(sums).sort((a, b) => b[1] - a[1])[0][0];`,
      answer: best,
    },
    {
      name: 'count to-dos',
      plain: [[list('docs')], docs],
      script: `${readEach('docs')} ${todoLines} return String(todos.length);`,
      answer: String(todos.length),
    },
    {
      name: 'collect to-dos in a note',
      plain: [[list('docs')], docs, [note('To do', todos.join('\n'))]],
      script: `${readEach('docs')} ${todoLines} return tools.${NOTES}add_note({ title: 'To do', text: todos.join('\\n') });`,
      answer: 'Added the note "To do".',
    },
    {
      name: 'count errors in logs',
      plain: [[list('logs')], logs],
      script: `${readEach('logs')} return String(texts.join('\\n').split('\\n').filter((line) => line.includes('ERROR')).length);`,
      answer: String(LOGS.reduce((sum, log) => sum + errorsOf(log), 0)),
    },
    {
      name: 'write errors per log',
      plain: [[list('logs')], logs, [[`${FS}write_file`, { path: at('errors.txt'), content: errorLines }]]],
      script: `${readEach('logs')} const lines = texts.map((text, at) =>
  names[at].replace('.log', '') + ': ' + text.split('\\n').filter((line) => line.includes('ERROR')).length);
await tools.${FS}write_file({ path: dir + '/errors.txt', content: lines.join('\\n') }); return 'done';`,
      answer: 'done',
    },
    {
      name: 'note per document',
      plain: [[list('docs')], docs, DOCS.map((doc) => note(`Doc ${doc}`, `${todosOf(doc).length} to do`))],
      script: `${readEach('docs')} await Promise.all(texts.map((text, at) => tools.${NOTES}add_note({ title: 'Doc ' + names[at].replace('.md', ''),
  text: text.split('\\n').filter((line) => line.startsWith('TODO')).length + ' to do' }))); return 'done';`,
      answer: 'done',
    },
    {
      name: 'delete the notes per document',
      plain: [
        [[`${NOTES}list_notes`, {}]],
        DOCS.map((doc): TaskCall => [`${NOTES}delete_note`, { title: `Doc ${doc}` }]),
      ],
      script: `const titles = (await tools.${NOTES}list_notes()).match(/^Doc \\w+(?=:)/gm);
await Promise.all(titles.map((title) => tools.${NOTES}delete_note({ title }))); return titles.length + ' deleted';`,
      answer: `${DOCS.length} deleted`,
    },
    {
      name: 'remember a report per month',
      plain: [[list('reports')], months, [entities(MONTHS.map((month) => [month, 'report', `total ${sumOf(month)}`]))]],
      script: `${readEach('reports')} const entities = texts.map((text, at) => ({ name: names[at].replace('.csv', ''), entityType: 'report',
  observations: ['total ' + text.split('\\n').slice(1).reduce((sum, row) => sum + Number(row.split(',')[1]), 0)] }));
await tools.${MEMORY}create_entities({ entities }); return 'done';`,
      answer: 'done',
    },
    {
      name: 'relate each month to the next',
      plain: [[[`${MEMORY}read_graph`, {}]], [[`${MEMORY}create_relations`, { relations: nextMonths() }]]],
      script: `const names = (await tools.${MEMORY}read_graph()).entities.map(({ name }) => name).sort();
const relations = names.slice(1).map((to, at) => ({ from: names[at], to, relationType: 'before' }));
await tools.${MEMORY}create_relations({ relations }); return 'done';`,
      answer: 'done',
    },
    {
      name: 'find the best month in memory',
      plain: [[[`${MEMORY}read_graph`, {}]]],
      script: `const total = ({ observations: [text] }) => Number(text.slice(6));
return (await tools.${MEMORY}read_graph()).entities.sort((a, b) => total(b) - total(a))[0].name;`,
      answer: MONTHS.toSorted((a, b) => sumOf(b) - sumOf(a))[0] ?? '',
    },
    {
      name: 'add ten pairs',
      plain: [Array.from({ length: 10 }, (_, n): TaskCall => [SUM, { a: n, b: n * n }])],
      script: `const sums = await Promise.all([...Array(10).keys()].map((n) => tools['${SUM}']({ a: n, b: n * n })));
return sums.map((text) => /is (\\d+)/.exec(text)[1]).join(' ');`,
      answer: Array.from({ length: 10 }, (_, n) => n + n * n).join(' '),
    },
    {
      name: 'find the warmest city',
      plain: [
        ['New York', 'Chicago', 'Los Angeles'].map((location): TaskCall => [
          'mcp__everything__get-structured-content',
          { location },
        ]),
      ],
      script: `const cities = ['New York', 'Chicago', 'Los Angeles'];
const weather = await Promise.all(cities.map((location) => tools['mcp__everything__get-structured-content']({ location })));
return cities.map((city, at) => [city, weather[at].temperature]).sort((a, b) => b[1] - a[1])[0][0];`,
      answer: 'Los Angeles',
    },
    {
      name: 'find the largest log',
      plain: [[list('logs')], LOGS.map((log): TaskCall => [`${FS}get_file_info`, { path: at(`logs/app-${log}.log`) }])],
      script: `${d} const names = (await tools.${FS}list_directory({ path: dir + '/logs' })).match(/[\\w.-]+(?=$|\\n)/g);
const infos = await Promise.all(names.map((name) => tools.${FS}get_file_info({ path: dir + '/logs/' + name })));
return names.map((name, at) => [name, Number(/size: (\\d+)/.exec(infos[at])[1])]).sort((a, b) => b[1] - a[1])[0][0];`,
      answer: LOGS.map((log) => [`app-${log}.log`, logLines(log).join('\n').length] as const).toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? '', // prettier-ignore
    },
    {
      name: 'copy a report three times',
      plain: [
        [read('reports/2026-12.csv')],
        ['a', 'b', 'c'].map((name): TaskCall => [
          `${FS}write_file`,
          {
            path: at(`copy-${name}.csv`),
            content: ['region,amount', ...rowsOf('2026-12').map((row) => row.join(','))].join('\n'),
          },
        ]),
      ],
      script: `${d} const content = await tools.${FS}read_text_file({ path: dir + '/reports/2026-12.csv' });
await Promise.all(['a', 'b', 'c'].map((name) => tools.${FS}write_file({ path: dir + '/copy-' + name + '.csv', content }))); return 'done';`,
      answer: 'done',
    },
    {
      name: 'do the first to-do of three documents',
      plain: [
        DOCS.slice(0, 3).map((doc) => read(`docs/${doc}.md`)),
        DOCS.slice(0, 3).map((doc): TaskCall => {
          const oldText = todosOf(doc)[0] ?? '';
          return [
            `${FS}edit_file`,
            { path: at(`docs/${doc}.md`), edits: [{ oldText, newText: oldText.replace('TODO', 'DONE') }] },
          ];
        }),
      ],
      script: `${d} const paths = ['api', 'build', 'cache'].map((name) => dir + '/docs/' + name + '.md');
const texts = await Promise.all(paths.map((path) => tools.${FS}read_text_file({ path })));
await Promise.all(paths.map((path, at) => { const oldText = texts[at].split('\\n').find((line) => line.startsWith('TODO'));
  return tools.${FS}edit_file({ path, edits: [{ oldText, newText: oldText.replace('TODO', 'DONE') }] }); })); return 'done';`,
      answer: 'done',
    },
    {
      name: 'compare two documents',
      plain: [[read('docs/faq.md'), read('docs/guide.md')]],
      script: `${d} const [a, b] = await Promise.all(['faq', 'guide'].map((name) => tools.${FS}read_text_file({ path: dir + '/docs/' + name + '.md' })));
const other = new Set(b.split('\\n')); return String(a.split('\\n').filter((line) => other.has(line)).length);`,
      answer: String(docLines('faq').filter((line) => docLines('guide').includes(line)).length),
    },
    {
      name: 'archive six reports',
      plain: [
        [list('reports')],
        [[`${FS}create_directory`, { path: at('archive') }]],
        MONTHS.slice(0, 6).map((month): TaskCall => [
          `${FS}move_file`,
          { source: at(`reports/${month}.csv`), destination: at(`archive/${month}.csv`) },
        ]),
      ],
      script: `${d} const names = (await tools.${FS}list_directory({ path: dir + '/reports' })).match(/[\\w.-]+(?=$|\\n)/g).filter((name) => name < '2026-07');
const made = tools.${FS}create_directory({ path: dir + '/archive' });
await Promise.all([made, ...names.map((name) => tools.${FS}move_file({ source: dir + '/reports/' + name, destination: dir + '/archive/' + name }))]);
return names.length + ' moved';`,
      answer: '6 moved',
    },
    {
      name: 'forget six months',
      plain: [
        [[`${MEMORY}search_nodes`, { query: '2026-0' }]],
        [[`${MEMORY}delete_entities`, { entityNames: MONTHS.slice(0, 6) }]],
        [note('Archive', 'Reports until June are archived.')],
      ],
      script: `const { entities } = await tools.${MEMORY}search_nodes({ query: '2026-0' });
const entityNames = entities.map(({ name }) => name).filter((name) => name < '2026-07');
await Promise.all([tools.${MEMORY}delete_entities({ entityNames }), tools.${NOTES}add_note({ title: 'Archive', text: 'Reports until June are archived.' })]);
return 'done';`,
      answer: 'done',
    },
  ];
}

function entities(all: readonly (readonly [name: string, entityType: string, observation: string])[]): TaskCall {
  return [
    `${MEMORY}create_entities`,
    { entities: all.map(([name, entityType, observation]) => ({ name, entityType, observations: [observation] })) },
  ];
}

function nextMonths(): readonly object[] {
  return MONTHS.slice(1).map((to, at) => ({ from: MONTHS[at], to, relationType: 'before' }));
}
