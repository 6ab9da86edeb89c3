import { strict as assert } from 'node:assert';
import {
  initialState,
  MAX_RETRIES,
  transition,
  type HandOverEffect,
  type HandOverEvent,
  type HandOverState,
  type Job,
  type SharedServer,
  type Unseen,
} from '../../../../../src/bridge/gateway/editor/handOverState.ts';

function shared(name: string, hasOwnLabel = false): SharedServer {
  return { serverId: `id-${name}`, label: name, editorIds: [`editor.${name}`], hasOwnLabel };
}

function replace(name: string, retriesLeft = MAX_RETRIES): Job {
  return { kind: 'replace', server: shared(name), retriesLeft };
}

function restore(name: string): Job {
  return { kind: 'restore', serverId: `id-${name}`, editorIds: [`editor.${name}`] };
}

function unseen(name: string, retriesLeft = MAX_RETRIES, isDue = false): Unseen {
  return { serverId: `id-${name}`, label: name, retriesLeft, isDue };
}

const run = (job: Job, isEnabled = false): HandOverEffect => ({ kind: 'run', job, isEnabled });
const save = (...names: readonly string[]): HandOverEffect => ({
  kind: 'save',
  replaced: names.map((name) => `id-${name}`),
  copies: {},
});

interface Row {
  readonly title: string;
  readonly from?: Partial<HandOverState>;
  readonly event: HandOverEvent;
  readonly to: Partial<HandOverState>;
  readonly effects?: readonly HandOverEffect[];
}

const editorIds = new Map([['id-a', ['editor.a']]]);
const [a, b] = [shared('a'), shared('b')];
const ofA = ['id-a'];

const rows: readonly Row[] = [
  {
    title: 'published, nothing shared: nothing to do',
    event: { kind: 'published', shared: [] },
    to: {},
  },
  {
    title: 'published: each is replaced, the first at once',
    event: { kind: 'published', shared: [a, b] },
    to: { jobs: [replace('a'), replace('b')] },
    effects: [run(replace('a'))],
  },
  {
    title: 'published: what was replaced before stays',
    from: { replaced: ofA },
    event: { kind: 'published', shared: [a] },
    to: { replaced: ofA },
  },
  {
    title: 'published again while one is being replaced: it waits once',
    from: { jobs: [replace('a')] },
    event: { kind: 'published', shared: [a, b] },
    to: { jobs: [replace('a'), replace('b')] },
  },
  {
    title: 'published under a label of its own: it is enabled already',
    event: { kind: 'published', shared: [shared('a', true)] },
    to: { jobs: [{ kind: 'replace', server: shared('a', true), retriesLeft: MAX_RETRIES }] },
    effects: [run({ kind: 'replace', server: shared('a', true), retriesLeft: MAX_RETRIES }, true)],
  },
  {
    title: 'published, and the editor has started ours: it is enabled already',
    from: { started: ['a'] },
    event: { kind: 'published', shared: [a] },
    to: { started: ['a'], jobs: [replace('a')] },
    effects: [run(replace('a'), true)],
  },
  {
    title: 'replaced: saved, looked for among the starts, and the next one',
    from: { jobs: [replace('a'), replace('b')] },
    event: { kind: 'jobEnded', isKnown: true },
    to: { replaced: ofA, unseen: [unseen('a')], jobs: [replace('b')] },
    effects: [save('a'), run(replace('b'))],
  },
  {
    title: 'replaced, and enabled before: it is not looked for',
    from: { started: ['a'], jobs: [replace('a')] },
    event: { kind: 'jobEnded', isKnown: true },
    to: { started: ['a'], replaced: ofA },
    effects: [save('a')],
  },
  {
    title: 'not replaced, since the editor does not know ours: the next one',
    from: { jobs: [replace('a'), replace('b')] },
    event: { kind: 'jobEnded', isKnown: false },
    to: { jobs: [replace('b')] },
    effects: [run(replace('b'))],
  },
  {
    title: 'ended without a job: nothing',
    event: { kind: 'jobEnded', isKnown: true },
    to: {},
  },
  {
    title: 'started, and nothing is looked for: only noted',
    event: { kind: 'started', label: 'a' },
    to: { started: ['a'] },
  },
  {
    title: 'started, and one is looked for: the rest have a while to start',
    from: { unseen: [unseen('b')] },
    event: { kind: 'started', label: 'a' },
    to: { started: ['a'], unseen: [unseen('b', MAX_RETRIES, true)] },
    effects: [{ kind: 'awaitStarts' }],
  },
  {
    title: 'started twice: noted once, and the while begins anew',
    from: { started: ['a'], unseen: [unseen('b')] },
    event: { kind: 'started', label: 'a' },
    to: { started: ['a'], unseen: [unseen('b', MAX_RETRIES, true)] },
    effects: [{ kind: 'awaitStarts' }],
  },
  {
    title: 'starts settled, all seen: nothing',
    from: { replaced: ofA, started: ['a'], unseen: [unseen('a')] },
    event: { kind: 'startsSettled', shared: [a] },
    to: { replaced: ofA, started: ['a'] },
  },
  {
    title: 'starts settled, one left out: it is replaced again, one retry less',
    from: { replaced: ['id-a', 'id-b'], started: ['a'], unseen: [unseen('a'), unseen('b', 2, true)] },
    event: { kind: 'startsSettled', shared: [a, b] },
    to: { replaced: ofA, started: ['a'], jobs: [replace('b', 1)] },
    effects: [save('a'), run(replace('b', 1))],
  },
  {
    title: 'starts settled, one enabled after them: it waits for the next',
    from: { replaced: ['id-a', 'id-b'], started: ['a'], unseen: [unseen('b')] },
    event: { kind: 'startsSettled', shared: [a, b] },
    to: { replaced: ['id-a', 'id-b'], started: ['a'], unseen: [unseen('b')] },
  },
  {
    title: 'starts settled, one left out that is shared no more: it is forgotten',
    from: { replaced: ofA, unseen: [unseen('a', 1, true)] },
    event: { kind: 'startsSettled', shared: [] },
    to: {},
    effects: [save()],
  },
  {
    title: 'starts settled, left out for the last time: it stays as it is',
    from: { replaced: ofA, unseen: [unseen('a', 0, true)] },
    event: { kind: 'startsSettled', shared: [a] },
    to: { replaced: ofA },
  },
  {
    title: 'restore: each that was replaced',
    from: { replaced: ofA, started: ['a'], unseen: [unseen('a')] },
    event: { kind: 'restore', editorIds },
    to: { replaced: ofA, jobs: [restore('a')] },
    effects: [run(restore('a'))],
  },
  {
    title: 'restore, nothing replaced: nothing',
    event: { kind: 'restore', editorIds },
    to: {},
  },
  {
    title: 'restore: one that isn’t to be enabled again is forgotten',
    from: { replaced: ['id-c'] },
    event: { kind: 'restore', editorIds },
    to: {},
    effects: [save()],
  },
  {
    title: 'restore while one is being replaced: that one, too, and no more are replaced',
    from: { replaced: ofA, jobs: [replace('b'), replace('c')] },
    event: { kind: 'restore', editorIds },
    to: { replaced: ofA, jobs: [replace('b'), restore('a'), restore('b')] },
  },
  {
    title: 'restore while one waits for another try: that one, too',
    from: { replaced: ofA, jobs: [replace('b'), replace('c', 2)] },
    event: { kind: 'restore', editorIds },
    to: { replaced: ofA, jobs: [replace('b'), restore('a'), restore('b'), restore('c')] },
  },
  {
    title: 'restore again while one is being restored: it is not restored twice',
    from: { replaced: ofA, jobs: [restore('a')] },
    event: { kind: 'restore', editorIds },
    to: { replaced: ofA, jobs: [restore('a')] },
  },
  {
    title: 'restored: no longer replaced, nor looked for',
    from: { replaced: ['id-a', 'id-b'], unseen: [unseen('a')], jobs: [restore('a'), restore('b')] },
    event: { kind: 'jobEnded', isKnown: true },
    to: { replaced: ['id-b'], jobs: [restore('b')] },
    effects: [save('b'), run(restore('b'))],
  },
  {
    title: 'replace again: also what was replaced before',
    from: { replaced: ofA },
    event: { kind: 'replaceAgain', shared: [a, b] },
    to: { jobs: [replace('a'), replace('b')] },
    effects: [save(), run(replace('a'))],
  },
  {
    title: 'replace again while copies are restored: what waits is not restored, and what is, is replaced after it',
    from: { replaced: ['id-a', 'id-b'], jobs: [restore('a'), restore('b')] },
    event: { kind: 'replaceAgain', shared: [a, b] },
    to: { jobs: [restore('a'), replace('a'), replace('b')] },
    effects: [save()],
  },
];

describe('hand-over between the editor and this extension', () => {
  for (const { title, from, event, to, effects = [] } of rows) {
    it(title, () => {
      const state = { ...initialState([]), ...from };
      const before = structuredClone(state);
      const after = transition(state, event);
      // Looked at below.
      const others = after.effects.map((effect) => (effect.kind === 'save' ? { ...effect, copies: {} } : effect));
      assert.deepEqual(
        { state: { ...after.state, copies: {} }, effects: others },
        { state: { ...initialState([]), ...to }, effects },
      );
      assert.deepEqual(state, before, 'the state before is left as it was');
    });
  }

  it('replaces the editor’s copy again where the editor calls it otherwise since: folders have other places then', () => {
    const [published, moved] = [a, { ...a, editorIds: ['editor.1.a'] }];
    const events: readonly HandOverEvent[] = [
      { kind: 'published', shared: [published] },
      { kind: 'jobEnded', isKnown: true },
    ];
    const done = events.reduce((state, event) => transition(state, event).state, initialState([]));
    assert.deepEqual(done.copies, { 'id-a': ['editor.a'] });
    // As it was saved, in the next window.
    const next = initialState(done.replaced, done.copies);
    assert.deepEqual(transition(next, { kind: 'published', shared: [published] }).effects, []);
    assert.equal(transition(next, { kind: 'published', shared: [moved] }).effects[0]?.kind, 'run');
    // An older version didn’t save it.
    assert.deepEqual(transition(initialState(ofA), { kind: 'published', shared: [moved] }).effects, []);
  });

  it('covers every event', () => {
    const kinds = new Set(rows.map(({ event }) => event.kind));
    assert.deepEqual([...kinds].sort(), [
      'jobEnded',
      'published',
      'replaceAgain',
      'restore',
      'started',
      'startsSettled',
    ]);
  });

  it('enables a server that never starts once and three times again, and then no more', () => {
    let state = initialState([]);
    let runs = 0;
    const send = (event: HandOverEvent): void => {
      const next = transition(state, event);
      state = next.state;
      for (const effect of next.effects) {
        if (effect.kind !== 'run') continue;
        runs += 1;
        send({ kind: 'jobEnded', isKnown: true });
      }
    };
    send({ kind: 'published', shared: [a] });
    for (let message = 0; message < 10; message += 1) {
      send({ kind: 'started', label: 'other' });
      send({ kind: 'startsSettled', shared: [a] });
    }
    assert.equal(runs, 1 + MAX_RETRIES);
    assert.deepEqual(state.replaced, ofA);
  });
});
