/** How often a server that the editor left out when it started the others is enabled again. */
export const MAX_RETRIES = 3;

/** A server that the editor and this extension both have. */
export interface SharedServer {
  readonly serverId: string;
  /** As it is published to the editor. */
  readonly label: string;
  /** Ids of the editor's own copies. */
  readonly editorIds: readonly string[];
  /** Published under another label than the editor's copy, so the editor has it enabled from the beginning. */
  readonly hasOwnLabel: boolean;
}

/** One step in the editor. */
export type Job =
  | { readonly kind: 'replace'; readonly server: SharedServer; readonly retriesLeft: number }
  | { readonly kind: 'restore'; readonly serverId: string; readonly editorIds: readonly string[] };

/** A server that was enabled and not seen started since. `isDue`: the editor started others after it was enabled. */
export interface Unseen {
  readonly serverId: string;
  readonly label: string;
  readonly retriesLeft: number;
  readonly isDue: boolean;
}

/** Which servers were handed over, and what is still to be done in the editor. Never changed, only replaced. */
export interface HandOverState {
  /** Servers whose editor copy was replaced by ours. Kept per workspace, as the editor keeps what is enabled. */
  readonly replaced: readonly string[];
  /** By server, what the editor called its copies then: with other folders it keeps what is disabled under other ids. */
  readonly copies: Readonly<Record<string, readonly string[]>>;
  /** Labels of ours that the editor has started, so they are enabled there. */
  readonly started: readonly string[];
  /** Servers that were enabled and not seen started since. */
  readonly unseen: readonly Unseen[];
  /** The first is under way. One at a time: each uses the editor's only list. */
  readonly jobs: readonly Job[];
}

export type HandOverEvent =
  /** Ours are published; `shared` are those that the editor would start, too. */
  | { readonly kind: 'published'; readonly shared: readonly SharedServer[] }
  /** The user chose this extension again: whatever was replaced before is replaced anew. */
  | { readonly kind: 'replaceAgain'; readonly shared: readonly SharedServer[] }
  /** The user chose the editor; `editorIds` are those of each server whose copy is enabled again, the others are forgotten. */
  | { readonly kind: 'restore'; readonly editorIds: ReadonlyMap<string, readonly string[]> }
  /** The editor started one of ours. */
  | { readonly kind: 'started'; readonly label: string }
  /** A while has passed since the last of ours was started. */
  | { readonly kind: 'startsSettled'; readonly shared: readonly SharedServer[] }
  /** The job under way has ended: `isKnown` says whether the editor had the server. */
  | { readonly kind: 'jobEnded'; readonly isKnown: boolean };

export type HandOverEffect =
  /** `isEnabled`: ours is enabled already, so only the editor's copies are to be stopped. */
  | { readonly kind: 'run'; readonly job: Job; readonly isEnabled: boolean }
  | {
      readonly kind: 'save';
      readonly replaced: readonly string[];
      readonly copies: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly kind: 'awaitStarts' };

export interface Transition {
  readonly state: HandOverState;
  readonly effects: readonly HandOverEffect[];
}

/** @param replaced as they were saved, and `copies`, which an older version didn't save */
export function initialState(
  replaced: readonly string[],
  copies: Readonly<Record<string, readonly string[]>> = {},
): HandOverState {
  return { replaced, copies, started: [], unseen: [], jobs: [] };
}

/** What follows from an event: the next state, and what is to be done in the editor and the store. */
export function transition(state: HandOverState, event: HandOverEvent): Transition {
  const next = nextState(state, event);
  const effects: HandOverEffect[] = [];
  if (next.replaced !== state.replaced) effects.push({ kind: 'save', replaced: next.replaced, copies: next.copies });
  if (event.kind === 'started' && next.unseen.length > 0) effects.push({ kind: 'awaitStarts' });
  const [job] = next.jobs;
  if (job && job !== state.jobs[0]) {
    effects.push({ kind: 'run', job, isEnabled: job.kind === 'replace' && isEnabled(next, job.server) });
  }
  return { state: next, effects };
}

function nextState(state: HandOverState, event: HandOverEvent): HandOverState {
  switch (event.kind) {
    case 'published':
      return withReplacements(state, event.shared);
    case 'replaceAgain': {
      const [underWay, ...waiting] = state.jobs;
      const jobs = [...(underWay ? [underWay] : []), ...waiting.filter(({ kind }) => kind === 'replace')];
      return withReplacements({ ...state, replaced: [], jobs }, event.shared);
    }
    case 'restore':
      return withRestorations(state, event.editorIds);
    case 'started':
      return withStarted(state, event.label);
    case 'startsSettled':
      return retryUnseen(state, event.shared);
    case 'jobEnded':
      return withoutFirstJob(state, event.isKnown);
  }
}

/** Whether the editor's copies are off, as far as was seen here or in an earlier session. */
export function isReplaced({ replaced, copies }: HandOverState, { serverId, editorIds }: SharedServer): boolean {
  const known = copies[serverId];
  return replaced.includes(serverId) && (known === undefined || editorIds.every((id) => known.includes(id)));
}

function isEnabled({ started }: HandOverState, { label, hasOwnLabel }: SharedServer): boolean {
  return hasOwnLabel || started.includes(label);
}

function withStarted(state: HandOverState, label: string): HandOverState {
  const started = state.started.includes(label) ? state.started : [...state.started, label];
  return { ...state, started, unseen: state.unseen.map((unseen) => ({ ...unseen, isDue: true })) };
}

/** @param retries of servers that are tried again */
function withReplacements(
  state: HandOverState,
  shared: readonly SharedServer[],
  retries: ReadonlyMap<string, number> = new Map(),
): HandOverState {
  const waiting = new Set(state.jobs.flatMap((job) => (job.kind === 'replace' ? [job.server.serverId] : [])));
  const jobs = shared
    .filter((server) => !isReplaced(state, server) && !waiting.has(server.serverId))
    .map((server): Job => ({ kind: 'replace', server, retriesLeft: retries.get(server.serverId) ?? MAX_RETRIES }));
  return jobs.length === 0 ? state : { ...state, jobs: [...state.jobs, ...jobs] };
}

/** What is being replaced is finished first, and then restored like the rest. */
function withRestorations(state: HandOverState, editorIds: ReadonlyMap<string, readonly string[]>): HandOverState {
  const [underWay] = state.jobs;
  const copies = new Map([...editorIds].filter(([serverId]) => state.replaced.includes(serverId)));
  for (const job of state.jobs) {
    // One that waits for another try may have been replaced by the first.
    const isReplaced = job === underWay || (job.kind === 'replace' && job.retriesLeft < MAX_RETRIES);
    if (job.kind === 'replace' && isReplaced) copies.set(job.server.serverId, job.server.editorIds);
  }
  const known = new Set(copies.keys());
  if (underWay?.kind === 'restore') {
    copies.delete(underWay.serverId);
    known.add(underWay.serverId);
  }
  const jobs = [...copies].map(([serverId, ids]): Job => ({ kind: 'restore', serverId, editorIds: ids }));
  const kept = state.replaced.filter((serverId) => known.has(serverId));
  const replaced = kept.length === state.replaced.length ? state.replaced : kept;
  return { ...state, replaced, started: [], unseen: [], jobs: [...(underWay ? [underWay] : []), ...jobs] };
}

/**
 * The editor starts all that are enabled together, before a message is sent: one of ours that it left out then wasn't
 * enabled after all, as where the user closed the list. One that was enabled after them waits for the next start, and one
 * that the user disables later was seen started before.
 */
function retryUnseen(state: HandOverState, shared: readonly SharedServer[]): HandOverState {
  const left = state.unseen.filter(({ label }) => !state.started.includes(label));
  const unseen = left.filter(({ isDue }) => !isDue);
  const missed = left.filter(({ isDue, retriesLeft }) => isDue && retriesLeft > 0);
  if (missed.length === 0) return { ...state, unseen };
  const ids = new Set(missed.map(({ serverId }) => serverId));
  const replaced = state.replaced.filter((id) => !ids.has(id));
  const retries = new Map(missed.map(({ serverId, retriesLeft }) => [serverId, retriesLeft - 1]));
  return withReplacements({ ...state, replaced, unseen }, shared, retries);
}

function withoutFirstJob(state: HandOverState, isKnown: boolean): HandOverState {
  const [ended, ...jobs] = state.jobs;
  if (!ended) return state;
  const serverId = ended.kind === 'restore' ? ended.serverId : ended.server.serverId;
  const replaced = state.replaced.filter((id) => id !== serverId);
  const unseen = state.unseen.filter((other) => other.serverId !== serverId);
  if (ended.kind === 'restore') return { ...state, replaced, unseen, jobs };
  if (!isKnown) return { ...state, jobs };
  const { server, retriesLeft } = ended;
  const copies = { ...state.copies, [serverId]: server.editorIds };
  if (!isEnabled(state, server)) unseen.push({ serverId, label: server.label, retriesLeft, isDue: false });
  return { ...state, replaced: [...replaced, serverId], copies, unseen, jobs };
}
