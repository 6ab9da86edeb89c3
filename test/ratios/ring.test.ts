import assert from 'node:assert/strict';
import { heapAfterGc } from '../../bench/connection/report.ts';
import { Recorder } from '../../src/connection/recording/recorder.ts';

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = 8 * MEGABYTE;

describe('the memory of the recorder’s ring', () => {
  const shapes: Readonly<Record<string, (id: number) => string>> = {
    'small answers': (id) => JSON.stringify({ result: { content: [{ type: 'text', text: `text ${id}` }] } }),
    'long texts': (id) => JSON.stringify({ result: { text: `${id} ${'x'.repeat(50_000)}` } }),
    'texts of other scripts': (id) => JSON.stringify({ result: { text: `${id} ${'日本'.repeat(20_000)}` } }),
    'empty objects': () => `{"result":[${'{},'.repeat(5_000)}{}]}`,
    numbers: (id) => `{"result":[${`${id}.5,`.repeat(5_000)}1]}`,
    'objects with names of their own': (id) =>
      JSON.stringify({
        result: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${id}-${index}`, index])),
      }),
    'small objects with names of their own': (id) =>
      JSON.stringify({
        result: Array.from({ length: 100 }, (_, each) => ({ [`a${id}-${each}`]: 1, [`b${id}-${each}`]: 1 })),
      }),
    'deep arrays': () => `{"result":${'['.repeat(150)}1${']'.repeat(150)}}`,
  };
  for (const [name, text] of Object.entries(shapes))
    it(`is within its limit: ${name}`, async () => {
      const recorder = new Recorder(() => ({ maxAgeMs: 60_000_000, maxBytes: MAX_BYTES }));
      const link = recorder.openLink('server');
      const memory = async (): Promise<number> => (await heapAfterGc()) + process.memoryUsage().arrayBuffers;
      const before = await memory();
      let taken = 0;
      for (let id = 0; taken < 20 * MEGABYTE && id < 200_000; id += 1) {
        const message = text(id);
        taken += message.length;
        link.message('received', JSON.parse(`{"jsonrpc":"2.0","id":${id},${message.slice(1)}`) as object);
      }
      const grown = (await memory()) - before;
      assert.ok(recorder.heldBytes <= MAX_BYTES && recorder.heldBytes > MAX_BYTES / 2, String(recorder.heldBytes));
      assert.ok(grown <= MAX_BYTES * 1.05, `${grown} bytes, ${recorder.heldBytes} by its count`);
      assert.ok(recorder.recent().length > 0);
      recorder.dispose();
    });
});
