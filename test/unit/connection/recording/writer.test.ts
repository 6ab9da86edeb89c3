import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { MASK } from '../../../../src/base/text/secrets.ts';
import { readRecording } from '../../../../src/connection/recording/replay/readRecording.ts';
import type { RecordedEvent, RecordedWhat } from '../../../../src/connection/recording/recordedEvent.ts';
import { Recorder } from '../../../../src/connection/recording/recorder.ts';
import {
  RecordingWriter,
  saveRecording,
  type RecordingOptions,
} from '../../../../src/connection/recording/recordingWriter.ts';
import { root } from '../../../../scripts/lib/paths.mjs';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../harness.ts';

const OFF = { maxAgeMs: 0, maxBytes: 0 };
const OPTIONS: RecordingOptions = {
  by: { name: 'test', version: '0' },
  platform: 'linux',
  nameOf: (id) => id,
  mask: (text) => text,
};

describe('writing a recording', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());
  let count = 0;

  async function recording(
    body: (link: ReturnType<Recorder['openLink']>, writer: RecordingWriter) => Promise<void> | void,
    maxBytes?: number,
  ): Promise<{ readonly file: string; readonly writer: RecordingWriter }> {
    const file = path.join(folder.path, `${(count += 1)}.jsonl`);
    const recorder = new Recorder(() => OFF);
    const writer = await RecordingWriter.begin(file, OPTIONS, maxBytes);
    const subscription = recorder.onEvent((event) => writer.add(event));
    await body(recorder.openLink('server'), writer);
    subscription.dispose();
    await writer.stop();
    recorder.dispose();
    return { file, writer };
  }

  it('has every event, in order, also where they come in one turn', async () => {
    const { file, writer } = await recording((link) => {
      for (let id = 1; id <= 2_000; id += 1) link.message('received', { jsonrpc: '2.0', id, result: {} });
    });
    const { lines, header } = await readRecording(file);
    assert.equal(header.mcpRecording, 1);
    assert.equal(lines.length, 2_000);
    assert.deepEqual(
      lines.map((line) => line.kind === 'message' && (line.message as { id: number }).id),
      Array.from({ length: 2_000 }, (_, index) => index + 1),
    );
    assert.deepEqual([writer.events, writer.leftOut, writer.end], [2_000, 0, undefined]);
  });

  it('of what was kept, reads it in slices: others run meanwhile', async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    const firstReadIn: number[] = [];
    const events = Array.from({ length: 5 }, (_, seq): RecordedEvent => ({
      ...{ seq, at: seq, server: 'a', connection: 1 },
      get what(): RecordedWhat {
        firstReadIn[seq] ??= turns;
        // As long as a large message takes to be read.
        for (const end = performance.now() + 5; performance.now() < end;);
        return { kind: 'message', direction: 'received', message: { jsonrpc: '2.0', id: seq, result: {} }, bytes: 1 };
      },
    }));
    setImmediate(turn);
    await saveRecording(path.join(folder.path, 'slices.jsonl'), events, OPTIONS);
    isOver = true;
    const [first = 0, , , , last = 0] = firstReadIn;
    assert.ok(last - first >= 3, `read in the turns ${firstReadIn.join()}`);
  });

  it('a flood costs bounded memory: what is over it is left out, counted, and said in its place', async () => {
    const text = 'x'.repeat(100_000);
    const { file, writer } = await recording((link) => {
      for (let id = 1; id <= 1_000; id += 1) link.message('received', { jsonrpc: '2.0', id, result: { text } });
    });
    assert.ok(writer.leftOut > 500, String(writer.leftOut));
    assert.equal(writer.events + writer.leftOut, 1_000);
    assert.match(readFileSync(file, 'utf8'), new RegExp(`"kind":"gap","left":${writer.leftOut}}`));
    assert.equal((await readRecording(file)).lines.length, writer.events);
  });

  it('ends by itself where it is full, says so, and the file can be read', async () => {
    let told = 0;
    const { file, writer } = await recording(async (link, open) => {
      open.onEnd = () => (told += 1);
      for (let id = 1; id <= 100; id += 1) {
        link.message('received', { jsonrpc: '2.0', id, result: { text: 'y'.repeat(10_000) } });
        await new Promise((resolve) => setImmediate(resolve));
      }
      await eventually('it is full', () => told > 0);
    }, 300_000);
    assert.deepEqual([told, writer.end], [1, 'full']);
    assert.ok(readFileSync(file).length < 300_000 + 600_000);
    assert.equal((await readRecording(file)).unread, 0);
  });

  it('of a huge message, only what it was; binary, markup and what hides stay as they were', async () => {
    const odd = {
      markup: '<img src=x onerror=alert(1)>',
      bidi: 'a\u202eb\u2066',
      half: '\ud800',
      blob: 'AAEC/w==',
      lines: 'a\n\u2028b',
    };
    const { file } = await recording((link) => {
      link.message('received', { jsonrpc: '2.0', id: 1, result: { text: 'z'.repeat(3_000_000) } });
      link.message('received', { jsonrpc: '2.0', id: 2, result: odd });
    });
    const { lines } = await readRecording(file);
    const [huge, other] = lines;
    assert.deepEqual(huge?.kind === 'message' && [huge.cut, huge.message], [true, { jsonrpc: '2.0', id: 1 }]);
    assert.deepEqual(other?.kind === 'message' && other.message, { jsonrpc: '2.0', id: 2, result: odd });
    assert.ok(readFileSync(file).length < 5_000);
  });

  it('takes out of what is written already what turns out to be a secret later', async () => {
    const { file } = await recording(async (link, writer) => {
      link.message('received', { jsonrpc: '2.0', id: 1, result: { text: 'it is "Tr0ub4dor&3", base64 of it, too' } });
      await eventually('it is written', () => writer.events === 1);
      assert.match(readFileSync(`${writer.file}.part`, 'utf8'), /Tr0ub4dor/);
      assert.ok(!existsSync(writer.file), 'nothing has its name before');
      link.message('sent', { jsonrpc: '2.0', id: 2, method: 'x', params: { password: 'Tr0ub4dor&3' } });
    });
    const text = readFileSync(file, 'utf8');
    assert.ok(!text.includes('Tr0ub4dor'), text);
    const { lines } = await readRecording(file);
    assert.equal(lines.length, 2);
    assert.match(JSON.stringify(lines[0]), new RegExp(`it is \\\\"${MASK}\\\\", base64`));
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('leaves numbers as they were written where a line is masked later, and its own words', async () => {
    const digits = '12345678901234567890.10';
    const { file } = await recording(async (link, writer) => {
      const exact = (JSON as unknown as { rawJSON(text: string): object }).rawJSON(digits);
      link.message('received', { jsonrpc: '2.0', id: 1, result: { text: 'it is Tr0ub4dor&3', exact } });
      await eventually('it is written', () => writer.events === 1);
      const params = { password: 'Tr0ub4dor&3', token: 'received', secret: 'message', cookie: 'server' };
      link.message('received', { jsonrpc: '2.0', id: 2, method: 'x', params });
    });
    const text = readFileSync(file, 'utf8');
    assert.ok(text.includes(`"text":"it is ${MASK}","exact":${digits}`), text);
    const { lines, unread } = await readRecording(file);
    assert.deepEqual([lines.length, unread], [2, 0]);
    assert.deepEqual(
      lines.map((line) => [line.kind, line.server, line.kind === 'message' && line.direction]),
      [
        ['message', 'server', 'received'],
        ['message', 'server', 'received'],
      ],
    );
  });

  it('has an event that comes at whatever moment what waited has been written', async () => {
    const probe = await open(path.join(folder.path, 'probe'), 'w');
    const handles = Object.getPrototypeOf(probe) as Pick<FileHandle, 'appendFile'>;
    await probe.close();
    const { appendFile } = handles;
    try {
      for (let ticks = 0; ticks < 12; ticks += 1) {
        let after: (() => void) | undefined;
        const written = async function (this: FileHandle, text: string | Uint8Array): Promise<void> {
          await appendFile.call(this, text);
          const later = after;
          after = undefined;
          const wait = (left: number): void => (left === 0 ? later?.() : queueMicrotask(() => wait(left - 1)));
          wait(ticks);
        };
        const { file } = await recording(async (link, writer) => {
          handles.appendFile = written;
          let isLast = false;
          after = () => {
            link.message('received', { jsonrpc: '2.0', id: 2, result: {} });
            isLast = true;
          };
          link.message('received', { jsonrpc: '2.0', id: 1, result: {} });
          await eventually('the last has come', () => isLast && writer.events > 0);
        });
        assert.equal((await readRecording(file)).lines.length, 2, `${ticks} ticks later`);
      }
    } finally {
      handles.appendFile = appendFile;
    }
  });

  it('stopped twice at once, it is made once', async () => {
    const file = path.join(folder.path, 'twice.jsonl');
    writeFileSync(file, 'what was there', { mode: 0o644 });
    const writer = await RecordingWriter.begin(file, OPTIONS);
    await Promise.all([writer.stop(), writer.stop()]);
    assert.deepEqual((await readRecording(file)).lines, []);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  // Only POSIX has a limit of what a process may write to a file.
  if (process.platform !== 'win32')
    it('what the disk took before it refused is masked like any other, and the error is told', () => {
      const file = path.join(folder.path, 'refused.jsonl');
      const script = `
        import { RecordingWriter } from './src/connection/recording/recordingWriter.ts';
        const options = { by: { name: 'x', version: '0' }, platform: 'x', nameOf: (id) => id, mask: (text) => text };
        const writer = await RecordingWriter.begin(${JSON.stringify(file)}, options);
        let seq = 0;
        const add = (result) => {
          const message = { jsonrpc: '2.0', id: (seq += 1), result };
          writer.add({ seq, at: 1, server: 'a', connection: 1, what: { kind: 'message', direction: 'sent', message, bytes: 9 } });
        };
        const turn = () => new Promise((resolve) => setImmediate(resolve));
        add({ text: 'it is Tr0ub4dor&3' });
        while (writer.events < 1) await turn();
        add({ password: 'Tr0ub4dor&3' });
        while (writer.events < 2) await turn();
        const ended = new Promise((resolve) => (writer.onEnd = resolve));
        for (let at = 0; at < 20; at += 1) add({ text: 'x'.repeat(5_000) });
        await ended;
        console.log(await writer.stop().catch(({ code }) => code));`;
      const limited = 'ulimit -f 64; exec "$0" --input-type=module -e "$1"';
      const said = execFileSync('bash', ['-c', limited, process.execPath, script], { cwd: root, encoding: 'utf8' });
      assert.equal(said.trim(), 'EFBIG');
      const text = readFileSync(file, 'utf8');
      assert.ok(text.includes(`it is ${MASK}`) && !text.includes('Tr0ub4dor'), text.slice(0, 1_000));
      assert.ok(!existsSync(`${file}.part`));
    });

  it('is refused where nothing can be written', async () => {
    const place = path.join(folder.path, 'a-folder');
    mkdirSync(place);
    await assert.rejects(RecordingWriter.begin(place, OPTIONS), /EISDIR|EPERM/);
  });
});
