import { deepEqual, equal, match } from 'node:assert/strict';
import { deferred, type Deferred } from '../../../../../src/base/async.ts';
import type { Host } from '../../../../../src/host/host.ts';
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
