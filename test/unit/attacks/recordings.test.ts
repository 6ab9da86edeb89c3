import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Recorder } from '../../../src/connection/recording/recorder.ts';
import {
  RecordingWriter,
  saveRecording,
  type RecordingOptions,
} from '../../../src/connection/recording/recordingWriter.ts';
import { readRecording } from '../../../src/connection/recording/readRecording.ts';
import { SecretValues } from '../../../src/base/text/secrets.ts';
import { eventually } from '../../support/eventually.ts';

const RING = { maxAgeMs: 60_000, maxBytes: 4 * 1024 * 1024 };

describe('attacks on recordings', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-')));
  const file = join(folder, 'a.jsonl');
  after(() => rmSync(folder, { recursive: true, force: true }));

  function optionsWith(mask: RecordingOptions['mask'] = (text) => text): RecordingOptions {
    return { by: { name: 'test', version: '0' }, platform: 'linux', nameOf: (id) => id, mask };
  }

  const answer = (id: number, text: string): object => ({ jsonrpc: '2.0', id, result: { text } });

  it('A server repeats a secret of yours in what is recorded', async () => {
    const values = new SecretValues();
    values.add('API_KEY', 'q7Zk29x-Secret');
    const recorder = new Recorder(() => RING);
    const encoded = Buffer.from('x:q7Zk29x-Secret').toString('base64');
    recorder.openLink('a').message('received', answer(1, `the key q7Zk29x-Secret, or ${encoded}`));
    recorder.note('a', { kind: 'stderr', line: 'using q7Zk29x-Secret' });
    await saveRecording(file, recorder.recent(), optionsWith(values.mask));
    recorder.dispose();
    const text = readFileSync(file, 'utf8');
    assert.equal((await readRecording(file)).lines.length, 2);
    assert.ok(!/q7Zk29x|cTdaazI5/.test(text), text);
  });

  it('What is written of a recording already has a password that is only known later', async () => {
    const recorder = new Recorder(() => RING);
    const writer = await RecordingWriter.begin(file, optionsWith());
    const subscription = recorder.onEvent((event) => writer.add(event));
    const link = recorder.openLink('a');
    link.message('received', answer(1, 'it is Tr0ub4dor&3'));
    await eventually('it is written', () => writer.events === 1);
    link.message('sent', { jsonrpc: '2.0', id: 2, method: 'x', params: { password: 'Tr0ub4dor&3' } });
    subscription.dispose();
    await writer.stop();
    recorder.dispose();
    assert.ok(!readFileSync(file, 'utf8').includes('Tr0ub4dor'));
  });

  it('A server fills the disk while it is recorded', async () => {
    const recorder = new Recorder(() => RING);
    const writer = await RecordingWriter.begin(file, optionsWith(), 200_000);
    const subscription = recorder.onEvent((event) => writer.add(event));
    const link = recorder.openLink('a');
    for (let id = 1; id <= 200; id += 1) {
      link.message('received', answer(id, 'x'.repeat(10_000)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    subscription.dispose();
    await writer.stop();
    recorder.dispose();
    assert.equal(writer.end, 'full');
    assert.ok(statSync(file).size < 1_000_000, String(statSync(file).size));
  });

  it('A server fills the memory that keeps the last minutes', () => {
    const recorder = new Recorder(() => RING);
    const link = recorder.openLink('a');
    for (let id = 1; id <= 1_000; id += 1) link.message('received', answer(id, 'x'.repeat(10_000)));
    const held = recorder.recent().length;
    recorder.dispose();
    assert.ok(held > 100 && held < 250, String(held));
  });
});
