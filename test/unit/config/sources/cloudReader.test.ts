import { strict as assert } from 'node:assert';
import { systemClock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import { CloudReader } from '../../../../src/config/sources/cloudReader.ts';
import { eventually } from '../../../support/eventually.ts';

const URL_ = 'https://servers.example.com/mcp';
const answer = (name: string): string => JSON.stringify({ mcpServers: { [name]: { url: 'https://h' } } });

describe('config/cloudReader', () => {
  let next: () => Promise<Response>;
  let asked: number;
  let changes: number;
  let store: MemoryStore;
  let token: string | undefined;
  let sent: (string | null)[];
  const readerOf = (): CloudReader => {
    const reader = new CloudReader(
      {
        fetch: (_url, { headers }) => {
          asked += 1;
          sent.push(new Headers(headers).get('authorization'));
          return next();
        },
        store,
        token: async () => token,
      },
      systemClock,
      silentLogger,
    );
    reader.watch(() => (changes += 1));
    return reader;
  };
  const changed = (count: number): Promise<true> => eventually(`${count} changes`, () => changes >= count);

  beforeEach(() => {
    asked = 0;
    changes = 0;
    sent = [];
    token = undefined;
    store = new MemoryStore();
    next = async () => new Response(answer('a'));
  });

  it('nobody waits for the address: its answer comes as a change, and reading that asks for nothing', async () => {
    const reader = readerOf();
    assert.equal(await reader.read(URL_), undefined);
    await changed(1);
    assert.equal(await reader.read(URL_), answer('a'));
    assert.equal(asked, 1);
  });

  it('a reload gives what is known and asks again', async () => {
    const reader = readerOf();
    await reader.read(URL_);
    await changed(1);
    await reader.read(URL_);
    next = async () => new Response(answer('b'));
    assert.equal(await reader.read(URL_), answer('a'));
    await changed(2);
    assert.equal(await reader.read(URL_), answer('b'));
  });

  it('a token that changes while the address is being asked is sent once that has answered, and only its answer counts', async () => {
    const first = Promise.withResolvers<Response>();
    next = () => first.promise;
    const reader = readerOf();
    await reader.read(URL_);
    await eventually('it is asked', () => asked === 1);
    token = 't0ken';
    next = async () => new Response(answer('b'));
    assert.equal(await reader.read(URL_), undefined);
    assert.equal(asked, 1, 'one question at a time');
    first.resolve(new Response(answer('a')));
    await changed(1);
    assert.equal(await reader.read(URL_), answer('b'));
    assert.deepEqual(sent, [null, 'Bearer t0ken']);
    assert.equal(changes, 1);
  });

  it('the last good copy counts at once, and while the address is away', async () => {
    const first = readerOf();
    await first.read(URL_);
    await changed(1);
    next = () => Promise.reject(new Error('offline'));
    const second = readerOf();
    assert.equal(await second.read(URL_), answer('a'));
    await changed(2);
    assert.equal(await second.read(URL_), answer('a'));
  });

  it('with neither answer nor copy, reading says why', async () => {
    next = () => Promise.reject(new Error('offline'));
    const reader = readerOf();
    await reader.read(URL_);
    await changed(1);
    await assert.rejects(reader.read(URL_), /offline/);
  });
});
