// npm run -s bench -- peers [--peer NAME …] [--case TEXT] [--failures]
//
// How tolerant clients of MCP servers are of servers as they are in the wild: this project, the SDK's client in both
// generations, and the editor's own host, on the same fake servers. A case passes where each of its variants does.
import { parseArgs } from 'node:util';
import { report, type Goal } from './connection/report.ts';
import { builtIn } from './peers/builtIn.ts';
import { variants, type Variant } from './peers/cases.ts';
import { ours } from './peers/ours.ts';
import { LIMIT_MS, NotOffered, wholeMessage, within, type Peer, type Session } from './peers/peer.ts';
import { sdkV1, sdkV2 } from './peers/sdk.ts';

const { values } = parseArgs({
  options: {
    peer: { type: 'string', multiple: true },
    case: { type: 'string', default: '' },
    failures: { type: 'boolean', default: false },
  },
});

type Outcome = 'right' | 'wrong' | 'not offered';

const PEERS: Readonly<Record<string, (all: readonly Variant[]) => Promise<Peer>>> = {
  ours: async () => ours(),
  'sdk v1': async () => sdkV1(),
  'sdk v2': async () => sdkV2(),
  'built-in': builtIn,
};

/** Opens the variant's server as often as it asks for, and closes all that it opened. */
async function outcomeOf(peer: Peer, variant: Variant): Promise<Outcome> {
  const opened: Session[] = [];
  const open = async (): Promise<Session> => {
    const session = await peer.open(variant.definition);
    opened.push(session);
    return session;
  };
  try {
    const isRight = await within(variant.isRight(open), variant.name, 4 * LIMIT_MS);
    if (!isRight && values.failures) console.error(`${peer.name}: ${variant.case}: ${variant.name}`);
    return isRight ? 'right' : 'wrong';
  } catch (error) {
    if (error instanceof NotOffered) return 'not offered';
    if (values.failures) console.error(`${peer.name}: ${variant.case}: ${variant.name}: ${wholeMessage(error)}`);
    return 'wrong';
  } finally {
    for (const session of opened) await session.close();
  }
}

// Clients reject what nobody waits for any more, in the SDK's transports.
process.on('unhandledRejection', () => undefined);

const names = values.peer ?? Object.keys(PEERS);
const outcomes = new Map<string, Map<string, Outcome[]>>();
for (const name of names) {
  const open = PEERS[name];
  if (!open) throw new Error(`No peer ${name}. There are: ${Object.keys(PEERS).join(', ')}.`);
  const all = (await variants()).filter((variant) => variant.case.includes(values.case));
  const peer = await open(all);
  const cases = new Map<string, Outcome[]>();
  outcomes.set(name, cases);
  try {
    for (const variant of all)
      cases.set(variant.case, [...(cases.get(variant.case) ?? []), await outcomeOf(peer, variant)]);
  } finally {
    await peer.close();
    for (const variant of all) await variant.close();
  }
}

const titles = [...new Set([...outcomes.values()].flatMap((cases) => [...cases.keys()]))];
const counted = (list: readonly Outcome[] = []): readonly [right: number, of: number] => [
  list.filter((each) => each === 'right').length,
  list.filter((each) => each !== 'not offered').length,
];
console.log(`${'case'.padEnd(44)}${names.map((name) => name.padStart(12)).join('')}`);
for (const title of titles) {
  const cells = names.map((name) => {
    const [right, of] = counted(outcomes.get(name)?.get(title));
    return (of === 0 ? '–' : `${right}/${of}`).padStart(12);
  });
  console.log(`${title.padEnd(44)}${cells.join('')}`);
}
const figures: Record<string, number> = {};
for (const name of names) {
  const lists = titles.map((title) => counted(outcomes.get(name)?.get(title))).filter(([, of]) => of > 0);
  figures[`${name} cases`] = lists.filter(([right, of]) => right === of).length;
  figures[`${name} of`] = lists.length;
  figures[`${name} variants`] = lists.reduce((sum, [right]) => sum + right, 0);
}
const isWorse = (title: string): boolean => {
  const share = (name: string): number => {
    const [right, of] = counted(outcomes.get(name)?.get(title));
    return of === 0 ? 0 : right / of;
  };
  return names.some((name) => share(name) > share('ours'));
};
const goals: Record<string, Goal> = {};
if (names.includes('ours')) {
  figures['cases in which a peer does better'] = titles.filter(isWorse).length;
  figures['ours share'] = (figures['ours cases'] ?? 0) / (figures['ours of'] ?? 1);
  goals['cases in which a peer does better'] = '<= 0';
  goals['ours share'] = '>= 0.93';
}
report('peers', figures, goals);
process.exit();
