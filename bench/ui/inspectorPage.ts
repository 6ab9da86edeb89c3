import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/lib/browser.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { atOnce } from '../../src/base/timeSlices.ts';
import { EventMask } from '../../src/connection/recording/eventMask.ts';
import type { RecordedEvent } from '../../src/connection/recording/recordedEvent.ts';
import type { EventRow } from '../../src/ui/pages/eventRow.ts';
import { SEND_MS } from '../../src/ui/pages/eventFeed.ts';
import { eventRow } from '../../src/ui/pages/inspector/events/eventRows.ts';
import { pageHtml } from '../../src/ui/pages/pageHtml.ts';
import type { EventWords, PageContent } from '../../src/ui/pages/pageContent.ts';

const EVENTS = 100_000;
const AT_ONCE = 2_000;
const PER_SECOND = 1_000;
const SECONDS = 5;

/** A call and its answer, now and then one that failed, of ten servers: as they are recorded. */
function recorded(count: number, from = 0): RecordedEvent[] {
  return Array.from({ length: count }, (_, at): RecordedEvent => {
    const seq = from + at;
    const id = Math.floor(seq / 2);
    const isRequest = seq % 2 === 0;
    const text = `The answer number ${id}: ${'lorem ipsum dolor sit amet '.repeat(7)}${id % 1_000 === 0 ? 'needle' : ''}`;
    const message = isRequest
      ? {
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: `tool_${id % 50}`, arguments: { query: `q${id}`, limit: 10 } },
        }
      : { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: id % 100 === 0 } };
    const what = { kind: 'message', direction: isRequest ? 'sent' : 'received', message, bytes: 300 } as const;
    return { seq, at: 1_800_000_000_000 + seq, server: `server-${id % 10}`, connection: 1 + (id % 10), what };
  });
}

const mask = new EventMask((text) => text);
const parts = {
  nameOf: (id: string) => id,
  isRemote: () => false,
  decisionOf: () => '',
  words: { era: String, call: String, attempt: String },
  masked: (event: RecordedEvent) => atOnce(mask.masked(event)),
};
const rows = (events: readonly RecordedEvent[]): readonly EventRow[] => events.map((event) => eventRow(event, parts));

const words: EventWords = {
  search: 'Search',
  method: 'Method',
  id: 'Id',
  direction: 'Direction',
  all: 'All',
  sent: 'Sent',
  received: 'Received',
  errorsOnly: 'Errors only',
  pause: 'Pause',
  clear: 'Clear',
  count: '{0} of {1}',
  empty: 'Nothing yet.',
  details: 'Details',
  request: 'Request',
  response: 'Response',
  copyJson: 'Copy as JSON',
  copyCurl: 'Copy as curl',
  waiting: 'waiting',
  error: 'Error',
};

const content: PageContent = {
  title: 'Inspector',
  language: 'en',
  words: { asTables: 'Tables', showMore: '{0}', actions: 'Actions', drawing: '{0}' },
  blocks: [{ kind: 'events', id: 'messages', title: 'Messages', show: 'messages', server: '', words }],
};

/** The page’s own document and program, in the browser that the tests use. */
async function openPage(page: Page): Promise<void> {
  const dist = (name: string): string => readFileSync(path.join(root, 'dist', name), 'utf8');
  await page.addInitScript('globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });');
  await page.route('http://inspector.test/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: pageHtml({ title: '', language: 'en', style: dist('page.css'), script: dist('page.js'), nonce: 'n' }),
    }),
  );
  await page.goto('http://inspector.test/');
  await post(page, { type: 'show', content });
  await page.locator('.event-rows').waitFor();
}

async function post(page: Page, message: object): Promise<void> {
  await page.evaluate(
    (sent) => (globalThis as unknown as { postMessage(sent: object, to: string): void }).postMessage(sent, '*'),
    message,
  );
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((each) => each.name === name)?.value ?? Number.NaN;
}

/** What the page’s list of messages costs: times in milliseconds, of a core in percent, memory in MiB. */
export async function measureInspectorPage(): Promise<{
  readonly filterMs: number;
  readonly scrollMs: number;
  readonly memoryMiB: number;
  readonly pageCpuPercent: number;
  readonly hostCpuPercent: number;
}> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    await openPage(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (let from = 0; from < EVENTS; from += AT_ONCE)
      await post(page, { type: 'events', isReset: from === 0, events: rows(recorded(AT_ONCE, from)) });
    await page.getByText('100,000 of 100,000').waitFor();
    const filterMs = await page.evaluate<number>(FILTER_ALL);
    const scrollMs = await page.evaluate<number>(SCROLL_ALL);
    await session.send('HeapProfiler.collectGarbage');
    const memoryMiB = (await metric(session, 'JSHeapUsedSize')) / 2 ** 20;
    const before = await metric(session, 'TaskDuration');
    let hostMs = 0;
    const count = (PER_SECOND * SEND_MS) / 1000;
    for (let tick = 0; tick < (SECONDS * 1000) / SEND_MS; tick += 1) {
      const began = performance.now();
      const cpu = process.cpuUsage();
      const events = rows(recorded(count, EVENTS + tick * count));
      JSON.stringify(events);
      const used = process.cpuUsage(cpu);
      hostMs += (used.user + used.system) / 1000;
      await post(page, { type: 'events', isReset: false, events });
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, SEND_MS - (performance.now() - began))));
    }
    const pageCpuPercent = (100 * ((await metric(session, 'TaskDuration')) - before)) / SECONDS;
    return { filterMs, scrollMs, memoryMiB, pageCpuPercent, hostCpuPercent: hostMs / (10 * SECONDS) };
  } finally {
    await browser.close();
  }
}

/** In the page: waits until what has changed is drawn. */
const FRAME = 'const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));';

/** In the page: the slowest of several filters, until what it finds is drawn. */
const FILTER_ALL = `(async () => {
  ${FRAME}
  const search = document.querySelector('input[type=search]');
  let slowest = 0;
  for (const text of ['needle', 'NEEDLE', 'number 4999', 'xyz', 'o', '']) {
    await frame();
    const began = performance.now();
    search.value = text;
    search.dispatchEvent(new Event('input'));
    await frame();
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
})()`;

/** In the page: what 95 of a hundred jumps through the list take at most, until its rows are drawn. */
const SCROLL_ALL = `(async () => {
  ${FRAME}
  const list = document.querySelector('.event-rows');
  const times = [];
  for (let at = 0; at < 100; at += 1) {
    await frame();
    const began = performance.now();
    list.scrollTop = (list.scrollHeight * ((at * 37) % 100)) / 100;
    await frame();
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other)[94];
})()`;
