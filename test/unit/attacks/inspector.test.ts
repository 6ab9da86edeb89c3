import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { atOnce } from '../../../src/base/timeSlices.ts';
import { EventMask } from '../../../src/connection/recording/eventMask.ts';
import type { RecordedEvent } from '../../../src/connection/recording/recordedEvent.ts';
import { EventStore, MOST_EVENTS } from '../../../src/ui/pages/front/events/eventStore.ts';
import { readContent, readEvents } from '../../../src/ui/pages/front/readContent.ts';
import { schemaForm } from '../../../src/ui/pages/forms/schemaForm.ts';
import { curlOf, eventRow } from '../../../src/ui/pages/inspector/events/eventRows.ts';
import type { Block, FormWords, PageContent } from '../../../src/ui/pages/pageContent.ts';
import { offers, parsePageMessage } from '../../../src/ui/pages/pageMessages.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

const { resultBlocks, dataBlock } = await withStubbedEditor(
  { l10n: { t: (text: string) => text } },
  () => import('../../../src/ui/pages/inspector/resultBlocks.ts'),
);

// It is typed for browsers, which this isn't.
const ELEMENTS = '../../../src/ui/pages/front/elements.ts';
const { element } = (await import(ELEMENTS)) as {
  readonly element: (name: string, attributes: object, text: string) => void;
};

const EVIL = 'a\u202Eb\u200b';
const mask = new EventMask((text) => text.replaceAll('s3cret', '***'));
const parts = {
  nameOf: (id: string) => id,
  isRemote: () => true,
  decisionOf: () => '',
  words: { era: String, call: String, attempt: String },
  masked: (event: RecordedEvent) => atOnce(mask.masked(event)),
};

function message(sent: object): RecordedEvent {
  const what = { kind: 'message', direction: 'sent', message: sent, bytes: 1 } as const;
  return { seq: 1, at: 0, server: 's', connection: 1, what };
}

const pageOf = (...blocks: readonly Block[]): PageContent => ({
  title: '',
  language: 'en',
  words: { asTables: '', showMore: '', actions: '', drawing: '' },
  blocks,
});

const formWords: FormWords = {
  json: '',
  notJson: '',
  notSet: '',
  none: '',
  add: '',
  remove: '',
  variant: '',
};

describe('attacks on the inspector', () => {
  it('A message, a line of a log or a result hides or reorders what the inspector shows', () => {
    const texts: unknown[] = [];
    const made = { setAttribute: () => undefined, append: (...children: unknown[]) => texts.push(...children) };
    const before: unknown = Reflect.get(globalThis, 'document');
    Reflect.set(globalThis, 'document', { createElement: () => made });
    try {
      element('pre', {}, EVIL);
    } finally {
      Reflect.set(globalThis, 'document', before);
    }
    assert.deepEqual(texts, [String.raw`a\u{202e}b\u{200b}`]);
  });

  it('A result is a picture that holds markup or a script', () => {
    const svg = Buffer.from('<svg onload="x()"/>');
    for (const type of ['image/svg+xml', 'text/html', 'image/png;base64,x" onerror="y', 'application/pdf']) {
      assert.equal(dataBlock(type, svg).kind, 'text', type);
      const media = { kind: 'media', title: '', mimeType: type, data: svg.toString('base64') } as const;
      assert.equal(readContent({ type: 'show', content: pageOf(media) }), undefined, type);
    }
    const png = dataBlock('image/png', svg);
    assert.equal(png.kind, 'media');
    assert.ok(readContent({ type: 'show', content: pageOf(png) }));
    assert.ok(!readContent({ type: 'show', content: pageOf({ ...png, data: '"><script>' }) }));
  });

  it('A result has markup, or a link to a page or a command', () => {
    const text = '<img src=x onerror=alert(1)> [a](command:x) javascript:alert(1)';
    assert.deepEqual(resultBlocks([{ kind: 'text', text }], 'r'), [{ kind: 'code', title: 'Result', text }]);
    const [rows] = resultBlocks([{ kind: 'text', text: JSON.stringify([{ [EVIL]: `${text}\n${EVIL}` }]) }], 'r');
    assert.ok(rows?.kind === 'table');
    assert.doesNotMatch(JSON.stringify(rows), /[\u202E\u200b]|\\n"/);
  });

  it('A page sends what no form of it asks for, or more than anybody writes', () => {
    const actions = [{ id: 'run', label: '', accessibleLabel: '' }];
    const form = {
      kind: 'form',
      id: 'a',
      title: '',
      field: schemaForm({}),
      problems: [],
      actions,
      words: formWords,
    } as const;
    const content = pageOf({ kind: 'tabs', id: 't', label: '', value: '', options: [], blocks: [form] });
    const submit = { type: 'submit', form: 'a', action: 'run', text: '{}' } as const;
    assert.ok(offers(content, submit));
    for (const wrong of [
      { ...submit, form: 'b' },
      { ...submit, action: 'delete' },
    ])
      assert.ok(!offers(content, wrong));
    assert.ok(!offers(content, { type: 'copy', seq: 1, as: 'json' }), 'nothing can be copied from it');
    assert.equal(parsePageMessage({ ...submit, text: 'x'.repeat(5_000_000) }), undefined);
    assert.equal(parsePageMessage({ type: 'copy', seq: 1, as: 'html' }), undefined);
  });

  it('A secret is in a message, or in a line of a log, that the inspector is sent', () => {
    const call = message({ id: 1, method: 'tools/call', params: { key: 's3cret', password: 'hunter22' } });
    const line: RecordedEvent = { ...call, what: { kind: 'stderr', line: 'token s3cret' } };
    const state: RecordedEvent = { ...call, what: { kind: 'state', state: 'failed', reason: 's3cret' } };
    for (const event of [call, line, state])
      assert.doesNotMatch(JSON.stringify(eventRow(event, parts)), /s3cret|hunter22/);
  });

  it('A message becomes another command where it is copied for a shell', function () {
    if (process.platform === 'win32') return;
    const text = `{"a":"'; touch /tmp/evil; $(id) \`id\` \\\\ \\" '"}`;
    const url = "https://x.test/'$(id)";
    const shell = `curl() { printf '%s\\0' "$@"; }; ${curlOf(text, url, ["X-'$(id)"])}`;
    const given = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).split('\0');
    assert.deepEqual(given, [
      url,
      '-H',
      'Content-Type: application/json',
      '-H',
      'Accept: application/json, text/event-stream',
      '-H',
      "X-'$(id): …",
      '--data-raw',
      text,
      '',
    ]);
  });

  it('A schema makes a form that has no end', () => {
    const loop = { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { items: { $ref: '#' } } } };
    assert.ok(JSON.stringify(schemaForm(loop)).length < 500_000);
    let deep: object = { type: 'string' };
    for (let level = 0; level < 60; level += 1) deep = { type: 'object', properties: { a: deep, b: deep, c: deep } };
    assert.ok(JSON.stringify(schemaForm(deep)).length < 500_000);
  });

  it('A schema of a few lines whose parts are each taken in many times, or one with a choice of many large objects', () => {
    let read = 0;
    const last = {
      get type(): string {
        read += 1;
        return 'object';
      },
    };
    const times = 8;
    const levels = Array.from({ length: 6 }, (_, level) => [
      `a${level}`,
      { allOf: Array.from({ length: times }, () => ({ $ref: `#/$defs/a${level + 1}` })) },
    ]);
    const $defs = { ...Object.fromEntries(levels), a6: last };
    assert.equal(schemaForm({ $ref: '#/$defs/a0', $defs }).kind, 'json');
    const small = schemaForm({ $ref: '#/$defs/a4', $defs });
    assert.equal(small.kind, 'object', 'what can be taken in has a form');
    const anyOf = Array.from({ length: 300 }, () => ({ properties: { a: last } }));
    const properties = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, last]));
    assert.equal(schemaForm({ type: 'object', properties, anyOf }).kind, 'json');
    const references = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, { $ref: '#/$defs/list' }]));
    const list = { enum: Array.from({ length: 1_000 }, (_, at) => ({ toJSON: () => `${(read += 1)} ${at}` })) };
    assert.equal(schemaForm({ type: 'object', properties: references, $defs: { list } }).kind, 'object');
    assert.ok(read < 200_000, `read ${read} times`);
  });

  it('More messages, or larger ones, than a page has room for', () => {
    const store = new EventStore();
    const events = (count: number, text: string, from: number): ReturnType<typeof eventRow>[] =>
      Array.from({ length: count }, (_, at) => ({
        ...eventRow(message({ id: at, method: 'x' }), parts),
        seq: from + at,
        text,
      }));
    for (let from = 0; from < 3 * MOST_EVENTS; from += 50_000)
      store.take({ type: 'events', isReset: false, events: events(50_000, '{}', from) });
    assert.ok(store.end - store.first <= MOST_EVENTS);
    assert.equal(store.at(store.end - 1)?.seq, 3 * MOST_EVENTS - 1);
    store.take({ type: 'events', isReset: false, events: events(3_000, 'x'.repeat(20_000), 0) });
    assert.ok(store.end - store.first < 3_000);
    const [large] = [eventRow(message({ id: 1, method: 'x', params: { a: 'y'.repeat(1_000_000) } }), parts)];
    assert.ok((large?.text.length ?? 0) < 30_000);
    assert.ok(readEvents({ type: 'events', isReset: false, events: [large] }));
    assert.equal(readEvents({ type: 'events', isReset: false, events: [{ ...large, kind: 'html' }] }), undefined);
  });
});
