import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { deferred, type Deferred } from '../../../../../src/base/async.ts';
import type { Host } from '../../../../../src/host/host.ts';
import { fitsLine } from '../../../../../src/ui/pages/front/fields/fitsLine.ts';
import type { InspectedItem, ItemsOptions } from '../../../../../src/ui/pages/inspector/itemsTab.ts';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';

const { ItemsTab } = await withStubbedEditor(
  { l10n: { t: (text: string) => text } },
  () => import('../../../../../src/ui/pages/inspector/itemsTab.ts'),
);

type Found = Awaited<ReturnType<ItemsOptions['list']>>;

/** A tab whose servers answer when the test lets them. */
function tab(): {
  readonly items: InstanceType<typeof ItemsTab>;
  readonly listings: readonly (Deferred<Found> & {
    readonly server: string | undefined;
    readonly signal: AbortSignal;
  })[];
  readonly drawn: () => number;
} {
  const listings: (Deferred<Found> & { server: string | undefined; signal: AbortSignal })[] = [];
  let drawn = 0;
  const list: ItemsOptions['list'] = (_host, server, signal) => {
    const listing = { ...deferred<Found>(), server, signal };
    listings.push(listing);
    return listing.promise;
  };
  const options = { id: 'resource', label: 'Resource', none: 'None', button: 'Read', list };
  const items = new ItemsTab({} as Host, options, () => (drawn += 1));
  return { items, listings, drawn: () => drawn };
}

const found = (...keys: readonly string[]): Found => ({
  items: keys.map((key): InspectedItem => ({ key, label: key, detail: '', fields: [], fetch: async () => [] })),
  failures: [],
});

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('inspector: the list of a server that takes its time', () => {
  it('is drawn once it is there, and the page goes on meanwhile', async () => {
    const { items, listings, drawn } = tab();
    const running = [{ kind: 'text', text: 'Running' }];
    deepEqual(items.content(''), running);
    deepEqual(items.content(''), running);
    equal(listings.length, 1, 'a drawing asks no server again');
    listings[0]?.resolve(found('a'));
    await later();
    equal(drawn(), 1);
    match(JSON.stringify(items.content('')), /"value":"a"/);
    items.forget();
    match(JSON.stringify(items.content('')), /"value":"a".*Running/, 'what is known stays, listed anew');
    listings[1]?.reject(new Error('gone'));
    await later();
    match(JSON.stringify(items.content('')), /None.*gone/);
  });

  it('ends when another is wanted, and what it still says isn’t shown', async () => {
    const { items, listings, drawn } = tab();
    items.content('one');
    items.content('two');
    deepEqual(
      listings.map(({ server, signal }) => [server, signal.aborted]),
      [
        ['one', true],
        ['two', false],
      ],
    );
    listings[1]?.resolve(found('b'));
    listings[0]?.resolve(found('a'));
    await later();
    equal(drawn(), 1);
    match(JSON.stringify(items.content('two')), /"value":"b"/);
    items.forget();
    items.content('two');
    items.forget();
    equal(listings[2]?.signal.aborted, true);
  });
});

describe('inspector: values that a server proposes', () => {
  const asked: AbortSignal[] = [];
  let answer: (field: string) => Promise<readonly string[]>;
  const item = (key: string): InspectedItem => ({
    ...{ key, label: key, detail: '', fields: [{ name: 'city' }, { name: 'street' }], fetch: async () => [] },
    complete: (field, _values, signal) => {
      asked.push(signal);
      return answer(field);
    },
  });
  const formOf = (items: InstanceType<typeof ItemsTab>): string =>
    JSON.stringify(items.content('').find(({ kind }) => kind === 'form'));

  async function opened(): Promise<ReturnType<typeof tab>> {
    asked.length = 0;
    const shown = tab();
    shown.items.content('');
    shown.listings[0]?.resolve({ items: [item('a'), item('b')], failures: [] });
    await later();
    return shown;
  }
  const propose = (items: InstanceType<typeof ItemsTab>, key: string): Promise<void> =>
    items.take({ type: 'submit', form: `resource ${key}`, action: 'propose', text: '{}' });

  it('are those of the item that they were asked for', async () => {
    const { items, listings } = await opened();
    answer = async (field) => [`some ${field}`];
    await propose(items, 'a');
    await later();
    match(formOf(items), /some city.*some street/);
    // The first one is another now.
    items.forget();
    items.content('');
    doesNotMatch(formOf(items), /some city/, 'listed anew');
    listings[1]?.resolve({ items: [item('b')], failures: [] });
    await later();
    doesNotMatch(formOf(items), /some city/);
    // The form of an item that isn’t shown any more.
    await propose(items, 'b');
    await later();
    items.forget();
    items.content('');
    listings[2]?.resolve({ items: [item('a')], failures: [] });
    await later();
    doesNotMatch(formOf(items), /some city/);
  });

  it('end with the list that they belong to', async () => {
    const { items } = await opened();
    answer = () => new Promise(() => undefined);
    await propose(items, 'a');
    items.forget();
    items.content('');
    deepEqual(
      asked.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it('leave a text of several lines in a field that has them', () => {
    for (const [value, fits] of [
      [undefined, true],
      ['one line', true],
      ['two\nlines', false],
      ['two\rlines', false],
    ] as const)
      equal(fitsLine(value), fits);
  });

  it('are said to be none where there are none, and not where the server refuses', async () => {
    const { items } = await opened();
    answer = async () => [];
    await propose(items, 'a');
    await later();
    match(formOf(items), /The server proposes no values/);
    answer = async () => {
      throw new Error('Denied: a rule denies it.');
    };
    await propose(items, 'a');
    await later();
    match(formOf(items), /"problems":\["Denied: a rule denies it\."\]/);
  });
});
