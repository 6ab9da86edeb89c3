// Loaded when the view *Activity* is first shown.
import type { CallTrace } from '../../calls/callTrace.ts';
import type { HistoryEntry } from '../../calls/history/callHistory.ts';
import type { FailedCall } from '../../calls/history/failedCalls.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { Host } from '../../host/host.ts';
import { canSignIn } from '../../host/views/serverView.ts';

/** The groups of the view *Activity*, from above. */
export const ACTIVITY_GROUPS = ['waiting', 'running', 'plan', 'failed', 'recent'] as const;
export type ActivityGroup = (typeof ACTIVITY_GROUPS)[number];

/** A row of the view *Activity*. */
export type ActivityNode =
  | { readonly kind: 'group'; readonly group: ActivityGroup; readonly count: number }
  /** Hooks that need approval. Servers and changes that do stand above the servers, in their view. */
  | { readonly kind: 'hooks' }
  | { readonly kind: 'signIn'; readonly serverId: string }
  /** A server's own question. */
  | { readonly kind: 'question'; readonly question: ServerQuestion }
  /** A call that hasn't ended. While it asks, it is another row: the editor loses one that moves between groups. */
  | { readonly kind: 'live'; readonly trace: CallTrace; readonly isAsking: boolean }
  | { readonly kind: 'planned'; readonly planned: PlannedCall }
  | { readonly kind: 'failed'; readonly failed: FailedCall }
  | { readonly kind: 'entry'; readonly entry: HistoryEntry }
  /** Stands for those that are older. */
  | { readonly kind: 'more'; readonly group: 'failed' | 'recent'; readonly count: number };

/** The rows of each group that has any; the plan's, also when it is empty and plan mode is on. */
export type Activity = ReadonlyMap<ActivityGroup, readonly ActivityNode[]>;

/** The rows that were made. */
export interface KnownNodes {
  readonly things: WeakMap<object, ActivityNode>;
  /** Of calls while they ask. */
  readonly asking: WeakMap<object, ActivityNode>;
}

const HOOKS: ActivityNode = { kind: 'hooks' };

/** The most rows of a group; the commands that list calls have the others. */
const MAX_ROWS = 50;

/**
 * What the view *Activity* shows now. What is the same thing is the same object, as long as `known` lives.
 * @param hasHooks whether hooks need approval
 */
export function readActivity(host: Host, hasHooks: boolean, known: KnownNodes): Activity {
  const { inProgress, plan, failedCalls, history } = host.calls;
  const of = <T extends object>(thing: T, make: (thing: T) => ActivityNode): ActivityNode =>
    nodeOf(known.things, thing, make);
  const isAsking = ({ phase }: CallTrace): boolean => phase === 'asking';
  const calls = inProgress.all;
  const groups: Record<ActivityGroup, readonly ActivityNode[]> = {
    waiting: [
      ...calls
        .filter(isAsking)
        .map((each) => nodeOf(known.asking, each, (trace) => ({ kind: 'live', trace, isAsking: true }))),
      ...inProgress.questions.map((each) => of(each, (question) => ({ kind: 'question', question }))),
      ...(hasHooks ? [HOOKS] : []),
      ...host.views
        .filter(canSignIn)
        .map(({ definition }) => of(definition, ({ id }) => ({ kind: 'signIn', serverId: id }))),
    ],
    running: calls
      .filter((call) => !isAsking(call))
      .map((each) => of(each, (trace) => ({ kind: 'live', trace, isAsking: false }))),
    plan: plan.queue.map((each) => of(each, (planned) => ({ kind: 'planned', planned }))),
    failed: newest('failed', failedCalls.all, (each) => of(each, (failed) => ({ kind: 'failed', failed }))),
    recent: newest('recent', history.entries, (each) => of(each, (entry) => ({ kind: 'entry', entry }))),
  };
  return new Map(
    ACTIVITY_GROUPS.filter((group) => groups[group].length > 0 || (group === 'plan' && plan.on)).map((group) => [
      group,
      groups[group],
    ]),
  );
}

function nodeOf<T extends object>(
  known: WeakMap<object, ActivityNode>,
  thing: T,
  make: (thing: T) => ActivityNode,
): ActivityNode {
  let node = known.get(thing);
  if (!node) known.set(thing, (node = make(thing)));
  return node;
}

function newest<T>(group: 'failed' | 'recent', all: readonly T[], toNode: (each: T) => ActivityNode): ActivityNode[] {
  const left = all.length - MAX_ROWS;
  return [
    ...all.slice(-MAX_ROWS).toReversed().map(toNode),
    ...(left > 0 ? [{ kind: 'more', group, count: left } as const] : []),
  ];
}
