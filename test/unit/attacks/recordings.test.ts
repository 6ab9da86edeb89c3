import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { Recorder } from '../../../src/connection/recording/recorder.ts';
import {
  RecordingWriter,
  saveRecording,
  type RecordingOptions,
} from '../../../src/connection/recording/recordingWriter.ts';
import { readRecording } from '../../../src/connection/recording/replay/readRecording.ts';
import { recordedCalls } from '../../../src/connection/recording/replay/recordedCalls.ts';
import { exchangesOf } from '../../../src/connection/recording/replay/recordedScript.ts';
import type { RecordedLine } from '../../../src/connection/recording/recordingFormat.ts';
import { SecretValues } from '../../../src/base/text/secrets.ts';
import { eventually } from '../../support/eventually.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

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

  it('A server sends others by the thousand until your password is no longer known to a recording', async () => {
    const recorder = new Recorder(() => RING);
    const link = recorder.openLink('a');
    link.message('sent', { jsonrpc: '2.0', id: 1, method: 'x', params: { password: 'Tr0ub4dor&3' } });
    const many = Array.from({ length: 3_000 }, (_, at) => ({ token: `x${at}-Q7zk29` }));
    link.message('received', { jsonrpc: '2.0', id: 1, result: { many } });
    link.message('received', answer(2, 'it is Tr0ub4dor&3'));
    await saveRecording(file, recorder.recent(), optionsWith());
    recorder.dispose();
    assert.equal((await readRecording(file)).lines.length, 3);
    assert.ok(!/Tr0ub4dor|Q7zk29/.test(readFileSync(file, 'utf8')));
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
    assert.ok(held > 300 && held <= 420, String(held));
  });

  const HEADER = '{"mcpRecording":1,"begun":"2026-11-30T00:00:00Z","by":{"name":"x","version":"0"},"platform":"linux"}';
  const line = (direction: string, message: object, server = 'a'): string =>
    JSON.stringify({ seq: 1, at: 1, server, connection: 1, kind: 'message', direction, message });

  it('A recording of a stranger whose lines have no end, are nested without an end, or are no events', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const call = line('sent', { id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } });
    const bad = [
      line('sent', { id: 2, method: 'x'.repeat(9 * 1024 * 1024) }),
      call.replace('"arguments":{}', `"arguments":{"a":${deep}}`),
      call.replace('"connection":1', '"connection":"__proto__"'),
      call.replace('"server":"a"', '"server":{"toString":1}'),
      call.replace(/"message":.*$/, '"message":[]}'),
      ...['null', '[]', '{"__proto__":{"kind":"message"}}', '{', '\u0000'],
    ];
    writeFileSync(file, [HEADER, ...bad, call, ...bad].join('\n'));
    const { lines, unread } = await readRecording(file);
    assert.deepEqual([lines.length, unread], [1, 2 * bad.length]);
    assert.deepEqual(recordedCalls(lines, 'a'), [{ tool: 'x', args: {}, answer: undefined, isMasked: false }]);
    writeFileSync(file, HEADER + '\n'.repeat(1_000_002));
    await assert.rejects(readRecording(file), /has more than a million lines/);
    for (const header of ['', '[]', '{"mcpRecording":"1"}', 'x'.repeat(9 * 1024 * 1024), HEADER.replace(':1', ':2')]) {
      writeFileSync(file, `${header}\n${call}`);
      await assert.rejects(readRecording(file), /is no recording|has version 2/);
    }
  });

  it('A recording of a stranger with so many messages that finding what belongs together never ends', () => {
    const many = 60_000;
    const message = (direction: 'sent' | 'received', content: object): RecordedLine => {
      const text = line(direction, { jsonrpc: '2.0', ...content });
      return JSON.parse(text) as RecordedLine;
    };
    const lines = Array.from({ length: many }, (_, id) => [
      message('sent', { id, method: 'tools/call', params: { name: 'x' } }),
      message('received', { id, result: {} }),
    ]).flat();
    // Each of these would be looked for among all that was sent.
    const notes = Array.from({ length: many }, () => message('received', { method: 'notifications/message' }));
    const exchanges = exchangesOf([...lines, ...notes], 'a');
    assert.equal(exchanges.length, many);
    assert.equal(exchanges[0]?.follows.length, 1);
    assert.equal(exchanges.at(-1)?.follows.length, many + 1);
  });

  it('A recording of a stranger with times that no clock has', async () => {
    const at = (time: string, direction: string, message: object): string =>
      line(direction, message).replace('"at":1', `"at":${time}`);
    const call = (id: number, name: string): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
    const lines = ['1e300', '1e999', '5e12'].flatMap((time, id) => [
      at('1', 'sent', call(id, `never ${id}`)),
      at(time, 'received', { id, result: {} }),
    ]);
    const last = [at('1', 'sent', call(9, 'soon')), at('-1e300', 'received', { id: 9, result: {} })];
    writeFileSync(file, [HEADER, ...lines, ...last].join('\n'));
    const script = join(root, 'src', 'connection', 'recording', 'replay', 'replay.ts');
    const child = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    let answered = '';
    child.stderr.on('data', (data: Buffer) => (said += String(data)));
    child.stdout.on('data', (data: Buffer) => (answered += String(data)));
    for (const id of [0, 1, 2]) child.stdin.write(`${JSON.stringify(call(id, `never ${id}`))}\n`);
    child.stdin.write(`${JSON.stringify(call(9, 'soon'))}\n`);
    await eventually('the last is answered', () => answered.includes('"id":9'));
    child.stdin.end();
    await once(child, 'close');
    assert.deepEqual([said, answered.trim().split('\n').length], ['', 1]);
  });

  it('A recording of a stranger whose name, or whose server’s name, is a command of the editor', async () => {
    const asked: unknown[] = [];
    const t = (text: string, ...values: readonly unknown[]): string =>
      text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));
    const ask = async (items: unknown): Promise<undefined> => void asked.push(items);
    const editor = { l10n: { t }, Uri: URL, window: { showQuickPick: ask } };
    const { replayAsServer } = await withStubbedEditor(
      editor,
      () => import('../../../src/ui/recording/replayAsServer.ts'),
    );
    const write = (name: string, server: string): string => {
      const path = join(folder, name);
      writeFileSync(path, `${HEADER}\n${line('sent', { id: 1, method: 'ping' }, server)}`);
      return path;
    };
    const replayed = (path: string): Promise<unknown> => replayAsServer({} as never, {} as never, path);
    for (const variable of ['${command:workbench.action.quit}', '${env:TOKEN}', '${input:x}', '%TOKEN%']) {
      await assert.rejects(replayed(write('a.jsonl', `a ${variable}`)), /has a variable in it/);
      await assert.rejects(replayed(write(`a ${variable}.jsonl`, 'a')), /has a variable in it/);
    }
    assert.deepEqual(asked, []);
    // Any other is asked about.
    await replayed(write('a.jsonl', '$(rocket) 100%'));
    assert.equal(asked.length, 1);
  });
});
