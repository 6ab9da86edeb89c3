import type { StartedProcess } from '../process/startedTree.ts';
import { type FetchingRole, processRole } from './processRole.ts';
import { readRunnerOutput } from './runnerOutput.ts';

/** What is seen of a start that is under way. */
export interface StartObservation {
  /** The process that was started, first, and what descends from it; empty where that can't be seen. */
  readonly tree: readonly StartedProcess[];
  /** What it wrote on stderr, oldest first. */
  readonly lines: readonly string[];
  /** How long it has written nothing. */
  readonly silentMs: number;
}

/** What is being installed. */
export interface Installing {
  /** What fetches or builds, e.g. `npx`. */
  readonly tool: string;
  /** The package or image. */
  readonly what?: string;
  /** How far it is, in a few words. */
  readonly progress?: string;
}

/** Where a start is. `unknown`: nothing was seen. */
export type StartStep =
  ({ readonly kind: 'installing' } & Installing) | { readonly kind: 'started' } | { readonly kind: 'unknown' };

/**
 * Where a start is: whether the server's own process runs, or what runs still fetches or builds it. Pure.
 */
export function startStep({ tree, lines, silentMs }: StartObservation): StartStep {
  const output = readRunnerOutput(lines, silentMs);
  const { isFetching, tool, ...said } = output;
  if (isFetching) return { kind: 'installing', tool: tool ?? 'runner', ...said };
  const [leader] = tree;
  if (!leader) return { kind: 'unknown' };
  const found = look(leader, tree);
  if (found === 'started') return { kind: 'started' };
  const { role, below } = found;
  const building = below?.kind === 'installer' && below !== role ? below : undefined;
  const what = said.what ?? role.what;
  const progress = building ? [building.what, building.tool].filter(Boolean).join(': ') : said.progress;
  return {
    kind: 'installing',
    tool: role.tool,
    ...(what === undefined ? {} : { what }),
    ...(progress === undefined ? {} : { progress }),
  };
}

/** `role`: the outermost that installs; `below`: the innermost. */
interface Found {
  readonly role: FetchingRole;
  readonly below?: FetchingRole;
}

function look(process: StartedProcess, tree: readonly StartedProcess[]): Found | 'started' {
  const role = processRole(process);
  if (role.kind === 'installer') return { role, below: role };
  if (role.kind === 'program') return 'started';
  const below = tree.filter(({ parent, pid }) => parent === process.pid && pid !== process.pid);
  const found = below.map((child) => look(child, tree));
  const atWork = found.find((each) => each !== 'started');
  // A shell by itself may be the server, but not that of a runner that has just begun to do something.
  if (role.kind === 'wrapper') return found.includes('started') || !atWork ? 'started' : atWork;
  if (found.includes('started')) return 'started';
  return atWork?.below ? { role, below: atWork.below } : { role };
}
