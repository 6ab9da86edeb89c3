import { deepEqual, equal } from 'node:assert/strict';
import type { EventRow } from '../../../../src/ui/pages/eventRow.ts';
import { EventFeed } from '../../../../src/ui/pages/eventFeed.ts';
import type { EventsMessage } from '../../../../src/ui/pages/pageContent.ts';

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('pages: the feed of events', () => {
  it('begins again with the next drawing where what has happened couldn’t be read', async () => {
    const sent: EventsMessage[] = [];
    let asked = 0;
    let listeners = 0;
    const recent = async (): Promise<readonly EventRow[]> => {
      asked += 1;
      if (asked === 1) throw new Error('no memory of it');
      return [];
    };
    const onDidHappen = (): { dispose: () => void } => {
      listeners += 1;
      return { dispose: () => (listeners -= 1) };
    };
    const feed = new EventFeed({ recent, onDidHappen }, (message) => sent.push(message));
    feed.follow(true);
    await later();
    equal(listeners, 0, 'it listens to nothing');
    feed.follow(true);
    await later();
    deepEqual(sent, [{ type: 'events', isReset: true, events: [] }]);
    feed.dispose();
    equal(listeners, 0);
  });
});
