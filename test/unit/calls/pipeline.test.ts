import { strict as assert } from 'node:assert';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { AuditFile } from '../../../src/calls/history/auditFile.ts';
import { cleanText } from '../../../src/calls/results/cleanText.ts';
import type { SwitchboardEvent } from '../../../src/calls/switchboardEvents.ts';
import { History, quantile } from '../../../src/calls/history/callHistory.ts';
import { RESULT_SCHEME } from '../../../src/calls/results/resultFiles.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../src/calls/callSettings.ts';
import { retryDelayMs } from '../../../src/calls/scheduling/callSender.ts';
import { HttpStatusError } from '../../../src/connection/remote/answers/httpStatus.ts';
import { Rig } from './rig.ts';

const tick = (): Promise<void> => new Promise(setImmediate);
const READS = { writes: false, safeToRepeat: true };
const WRITES = { writes: true, safeToRepeat: false };
const failure = (code: 'connection-lost' | 'not-connected' | 'call-timeout'): SwitchboardError =>
  new SwitchboardError(code, `It failed (${code}).`);

describe('calls: turns', () => {
  it('reads run side by side up to the limit, writes one after another', async () => {
    const rig = new Rig({ settings: { callConcurrency: 3 } });
    rig.answer = 'session';
    let now = 0;
    const most = { list_notes: 0, add_note: 0 };
    rig.serve = async (name) => {
      now += 1;
      most[name as 'add_note'] = Math.max(most[name as 'add_note'], now);
      await tick();
      now -= 1;
      return { content: [{ type: 'text', text: name }] };
    };
    await Promise.all(Array.from({ length: 10 }, () => rig.call('list_notes')));
    await Promise.all(Array.from({ length: 5 }, () => rig.call('add_note')));
    assert.deepEqual(most, { list_notes: 3, add_note: 1 });
    assert.equal(rig.ran.length, 15);
  });

  it('who is cancelled leaves the queue, and nothing of it runs', async () => {
    const rig = new Rig();
    rig.answer = 'session';
    const gate = Promise.withResolvers<void>();
    rig.serve = async () => {
      await gate.promise;
      return {};
    };
    const first = rig.call('add_note');
    await tick();
    const ending = new AbortController();
    const second = rig.fails('call-cancelled', 'add_note', {}, ending.signal);
    await tick();
    ending.abort();
    await second;
    gate.resolve();
    await first;
    assert.equal(rig.ran.length, 1);
  });
});

describe('calls: another attempt', () => {
  const settings = { maxAttempts: 3, initialDelayMs: 500, multiplier: 2, maxDelayMs: 800 };

  it('waits longer each time, between half and all of it, never more than the most', () => {
    const lost = failure('connection-lost');
    assert.equal(retryDelayMs(lost, 1, READS, settings, 0), 250);
    assert.equal(retryDelayMs(lost, 1, READS, settings, 1), 500);
    assert.equal(retryDelayMs(lost, 2, READS, settings, 1), 800);
    assert.equal(retryDelayMs(lost, 3, READS, settings, 1), undefined);
  });

  it('only where the call was certainly not sent or is safe to repeat; after a time-out one that reads, once', () => {
    assert.equal(retryDelayMs(failure('connection-lost'), 1, WRITES, settings, 1), undefined);
    assert.equal(retryDelayMs(failure('not-connected'), 1, WRITES, settings, 1), 500);
    assert.equal(retryDelayMs(failure('call-timeout'), 1, READS, settings, 1), 500);
    assert.equal(retryDelayMs(failure('call-timeout'), 2, READS, settings, 1), undefined);
    assert.equal(retryDelayMs(failure('call-timeout'), 1, { ...WRITES, safeToRepeat: true }, settings, 1), undefined);
    const http = (status: number): SwitchboardError =>
      new SwitchboardError('http-status', 'x', { cause: Object.assign(new Error('x'), { status }) });
    assert.equal(retryDelayMs(http(503), 1, READS, settings, 1), 500);
    assert.equal(retryDelayMs(http(404), 1, READS, settings, 1), undefined);
    assert.equal(retryDelayMs(http(503), 1, WRITES, settings, 1), undefined);
  });

  it('not before the server wants it, and not at all where that is later than the longest delay', () => {
    const later = (retryAfterMs: number): SwitchboardError =>
      new SwitchboardError('http-status', 'x', { cause: new HttpStatusError(503, 'failed', { retryAfterMs }) });
    assert.equal(retryDelayMs(later(700), 1, READS, settings, 0), 700);
    assert.equal(retryDelayMs(later(100), 1, READS, settings, 1), 500);
    assert.equal(retryDelayMs(later(801), 1, READS, settings, 1), undefined);
    assert.equal(retryDelayMs(later(700), 1, WRITES, settings, 1), undefined);
  });

  it('a reading call succeeds at the third attempt; a writing one is not repeated', async () => {
    const rig = new Rig();
    rig.answer = 'once';
    let failures = 2;
    rig.serve = async () => {
      if (failures-- > 0) throw failure('connection-lost');
      return { content: [{ type: 'text', text: 'at last' }] };
    };
    const call = rig.call('list_notes');
    for (let turn = 0; turn < 20; turn++) {
      await tick();
      rig.clock.advance(10_000);
    }
    assert.equal(await call, 'at last');
    assert.equal(rig.calls.broker.sent, 3);
    failures = 1;
    await rig.fails('connection-lost', 'delete_note');
    assert.equal(rig.calls.broker.sent, 4);
  });
});

describe('calls that failed for good', () => {
  it('are kept with their secrets masked, and can be repeated while the window is open', async () => {
    const store = new MemoryStore();
    const rig = new Rig({ store });
    rig.answer = 'once';
    rig.serve = async () => Promise.reject(failure('call-timeout'));
    await rig.fails('call-timeout', 'delete_note', { title: 'a', token: 's3cret' });
    const [letter] = rig.calls.failedCalls.all;
    assert.ok(letter);
    assert.deepEqual(letter.args, { title: 'a', token: '•••' });
    assert.ok(!JSON.stringify(store.get('deadLetters')).includes('s3cret'));
    rig.serve = async () => ({ content: [{ type: 'text', text: 'fine' }] });
    assert.ok(await rig.calls.retryFailed(letter, new AbortController().signal));
    assert.deepEqual(rig.ran.at(-1), ['delete_note', { title: 'a', token: 's3cret' }]);

    await new Rig({ store }).calls.failedCalls.add({ ...letter, args: { token: 'x' } });
    const later = new Rig({ store });
    const masked = later.calls.failedCalls.all.find(({ isMasked }) => isMasked);
    assert.ok(masked);
    assert.equal(await later.calls.retryFailed(masked, new AbortController().signal), undefined);
  });

  it('keep no secret that the server repeated in its error', async () => {
    const store = new MemoryStore();
    const rig = new Rig({ store });
    rig.answer = 'once';
    const text = `no entry for s3cret, nor for ghp_${'a1'.repeat(12)}`;
    rig.serve = async () => Promise.reject(new SwitchboardError('call-timeout', text));
    await rig.fails('call-timeout', 'delete_note', { title: 'entry', token: 's3cret' });
    const [letter] = rig.calls.failedCalls.all;
    assert.equal(letter?.error, 'no entry for •••, nor for •••');
    assert.ok(!/s3cret|a1a1/.test(JSON.stringify(store.get('deadLetters'))));
  });

  it('ask after all where the tool changed since', async () => {
    const rig = new Rig();
    rig.answer = 'once';
    rig.serve = async () => Promise.reject(failure('call-timeout'));
    await rig.fails('call-timeout', 'delete_note');
    rig.setTools({ destructiveHint: true }, { description: 'something else' });
    rig.answer = 'deny';
    const [letter] = rig.calls.failedCalls.all;
    assert.ok(letter);
    await assert.rejects(rig.calls.retryFailed(letter, new AbortController().signal), /The user denied.*changed since/);
    assert.equal(rig.calls.failedCalls.all.length, 1, 'it is kept');
  });

  it('are two hundred at most; a denial or a tool’s own error is none of them', async () => {
    const retry = { ...DEFAULT_CALL_SETTINGS.retry, maxAttempts: 1 };
    const rig = new Rig({ settings: { retry } });
    rig.serve = async () => Promise.reject(failure('call-timeout'));
    for (let index = 0; index < 203; index++) await rig.fails('call-timeout', 'list_notes');
    assert.equal(rig.calls.failedCalls.all.length, 200);
    await rig.calls.failedCalls.clear();
    rig.serve = async () => ({ isError: true, content: [{ type: 'text', text: 'no' }] });
    await rig.fails('tool-error', 'list_notes');
    await rig.fails('denied', 'delete_note');
    assert.equal(rig.calls.failedCalls.all.length, 0);
  });
});

describe('results that are too large', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'switchboard-results-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('go to a file, and the cut middle can be read by ranges', async () => {
    const rig = new Rig({ resultsFolder: folder });
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} 😀`);
    rig.serve = async () => ({ content: [{ type: 'text', text: lines.join('\n') }] });
    const text = await rig.call('list_notes');
    assert.match(text, /^line 0 /);
    assert.match(text, /line 19999 😀$/);
    assert.ok(text.length < 20_000);
    const uri = /"uri": "([^"]+)", "offset": (\d+)/.exec(text);
    assert.ok(uri?.[1]?.startsWith(RESULT_SCHEME));
    let read = '';
    for (let offset = 0, total = 1; offset < total; offset = read.length) {
      const range = await (await rig.calls.results())?.read(uri?.[1] ?? '', offset, 50_000);
      assert.ok(range);
      read += range.text;
      ({ total } = range);
    }
    assert.equal(read, lines.join('\n'));
  });

  it('are removed after seven days, and no other file can be read that way', async () => {
    const rig = new Rig({ resultsFolder: folder });
    const uri = (await (await rig.calls.results())?.store('x')) ?? '';
    const [name] = readdirSync(folder);
    utimesSync(join(folder, name ?? ''), 0, 0);
    rig.clock.jump(Date.now());
    await (await rig.calls.results())?.sweep();
    assert.deepEqual(readdirSync(folder), []);
    for (const other of [uri, `${RESULT_SCHEME}../../etc/passwd`, RESULT_SCHEME, '/etc/passwd', 'file:///etc/passwd'])
      await assert.rejects(async () => (await rig.calls.results())?.read(other, 0, 10), SwitchboardError);
  });

  it('a result under the limit is given whole', async () => {
    const rig = new Rig({ resultsFolder: folder });
    rig.serve = async () => ({ content: [{ type: 'text', text: 'x'.repeat(90_000) }] });
    assert.equal((await rig.call('list_notes')).length, 90_000);
    assert.deepEqual(readdirSync(folder), []);
  });
});

describe('what hides in results', () => {
  it('is taken out or written out, and that is said', async () => {
    const rig = new Rig();
    rig.serve = async () => ({ content: [{ type: 'text', text: '\u001b[31mred\u001b[0m a\u202eb\u200bc' }] });
    assert.equal(
      await rig.call('list_notes'),
      'red a\\u{202e}b\\u{200b}c\n(terminal control codes were removed; invisible or text-reordering characters are written as \\u{…})',
    );
  });

  it('neither stays in errors, whose texts servers write in part, and which have an end', async () => {
    const rig = new Rig();
    const text = `\u001b[31mno\u202e ${'x'.repeat(20_000)}`;
    rig.serve = async () => Promise.reject(new SwitchboardError('call-failed', text, { remedy: 'Fix it.' }));
    const told = await rig.fails('call-failed', 'list_notes');
    assert.match(told, /^no\\u\{202e\} x+… \(cut\) Fix it\.$/);
    assert.ok(told.length <= 11_020);
  });

  it('finds fillers, tags and what a run of selectors carries', () => {
    for (const hidden of ['\u3164', '\u115f', '\u{e0041}', '\u{e0150}', '\ufe01', '\u034f'])
      assert.match(cleanText(`a\ufe0f${hidden}b`).text, /\\u\{/, escape(hidden));
  });

  it('leaves what scripts and emoji need, line ends and tabs', () => {
    for (const text of ['a\tb\r\nc', '👨‍👩‍👧 می‌خواهم ❤️ ☎︎', 'plain'])
      assert.equal(cleanText(text).note, undefined, JSON.stringify(text));
    assert.equal(cleanText('👨‍👩‍👧').text, '👨‍👩‍👧');
  });
});

describe('history', () => {
  it('tells of each call and its result, in order, with duration and error', async () => {
    const rig = new Rig();
    const events: SwitchboardEvent[] = [];
    rig.calls.onDidHappen((event) => events.push(event));
    await rig.call('list_notes');
    await rig.fails('denied', 'delete_note');
    assert.deepEqual(
      events.map((event) => [event.type, event.type === 'tool.result' ? event.error : undefined]),
      [
        ['tool.call', undefined],
        ['tool.result', undefined],
        ['tool.call', undefined],
        ['tool.result', 'denied'],
      ],
    );
  });

  it('says which account a call was for, and so does its question', async () => {
    const rig = new Rig();
    rig.answer = 'once';
    await rig.call('add_note');
    rig.account = 'ada@example.com';
    await rig.call('add_note');
    assert.deepEqual(
      rig.asked.map(({ account }) => account),
      [undefined, 'ada@example.com'],
    );
    assert.deepEqual(
      rig.calls.history.entries.map(({ account }) => account),
      [undefined, 'ada@example.com'],
    );
  });

  it('keeps a thousand, and statistics per tool', async () => {
    const rig = new Rig();
    for (let index = 0; index < 2_100; index++) await rig.call('list_notes');
    assert.ok(rig.calls.history.entries.length <= 1_000);
    const [statistics] = rig.calls.history.statistics;
    assert.equal(statistics?.count, 2_100);
    assert.equal(statistics?.errors, 0);
    assert.ok((statistics?.tokensOut ?? 0) > 0);
    assert.ok((statistics?.p95Ms ?? -1) >= (statistics?.p50Ms ?? 0));
  });

  it('tells how long a tool takes by its newest 200 calls', () => {
    const history = new History();
    const entry = { at: 0, surface: 'test', serverName: 'notes', tool: 'mcp__notes__list', queueMs: 5 } as const;
    const counted = { attempts: 1, tokensIn: 2, tokensOut: 3, result: 'ok' } as const;
    for (let index = 0; index < 250; index++) history.add({ ...entry, ...counted, durationMs: 1_005 });
    for (let index = 0; index < 200; index++) history.add({ ...entry, ...counted, durationMs: 12 });
    history.add({ ...entry, ...counted, durationMs: 90_000, result: 'call-failed' });
    const expected = {
      tool: entry.tool,
      count: 451,
      errors: 1,
      tokensIn: 902,
      tokensOut: 1_353,
      samples: 200,
      p50Ms: 7,
      p95Ms: 7,
    };
    assert.deepEqual(history.statistics, [expected]);
    history.dispose();
  });

  it('takes percentiles by the nearest rank: one slow call of twenty is above the 95th', () => {
    const upTo = (count: number): number[] => Array.from({ length: count }, (_none, index) => index + 1);
    const ranks = [1, 2, 20, 40, 60, 100, 200].map((count) => [0.5, 0.95, 1].map((q) => quantile(upTo(count), q)));
    const expected = [[1, 1, 1], [1, 2, 2], [10, 19, 20], [20, 38, 40], [30, 57, 60], [50, 95, 100], [100, 190, 200]]; // prettier-ignore
    assert.deepEqual(ranks, expected);
    assert.equal(quantile([], 0.95), 0);
  });

  it('is written as lines of JSON, in files of a limited size', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-audit-'));
    const file = join(folder, 'audit.jsonl');
    const audit = new AuditFile(
      () => file,
      (error) => assert.fail(String(error)),
      2_000,
    );
    const rig = new Rig();
    rig.calls.history.onDidAdd((entry) => audit.write(entry));
    for (let index = 0; index < 100; index++) await rig.call('list_notes', { title: 's3cret' });
    await audit.settled();
    const names = readdirSync(folder).sort();
    assert.deepEqual(names, ['audit.jsonl', ...[1, 2, 3, 4, 5].map((number) => `audit.jsonl.${number}`)]);
    const text = readFileSync(file, 'utf8');
    assert.equal((JSON.parse(text.split('\n')[0] ?? '') as { result: string }).result, 'ok');
    assert.ok(!text.includes('s3cret'));
    rmSync(folder, { recursive: true });
  });
});
