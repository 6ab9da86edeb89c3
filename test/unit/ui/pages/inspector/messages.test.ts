import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { EventStore, type StoredEvent } from '../../../../../src/ui/pages/front/events/eventStore.ts';
import { readEvents } from '../../../../../src/ui/pages/front/readContent.ts';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';
import { withServers, type TestHost } from '../../../../support/testHost.ts';
import { TRACED } from '../../../../support/tracedHosts.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../../../src/calls/callSettings.ts';
import { root } from '../../../../../scripts/lib/paths.mjs';

const t = (text: string, ...values: unknown[]): string => text.replaceAll(/\{(\d)\}/g, (_all, n) => String(values[n]));
const { InspectorEvents } = await withStubbedEditor(
  { l10n: { t } },
  () => import('../../../../../src/ui/pages/inspector/events/inspectorEvents.ts'),
);
const retry = { ...DEFAULT_CALL_SETTINGS.retry, initialDelayMs: 10 };
const ports = { calls: { settings: () => ({ ...DEFAULT_CALL_SETTINGS, retry }) } };

/** What the page has of everything that was recorded. */
async function stored(rig: TestHost): Promise<readonly StoredEvent[]> {
  const events = new InspectorEvents(rig.host);
  await events.open();
  const store = new EventStore();
  const message = { type: 'events', isReset: true, events: await events.recent() } as const;
  ok(readEvents(message), 'the page takes it');
  store.take(message);
  return Array.from({ length: store.end - store.first }, (_, at) => store.at(store.first + at)).flatMap((each) => each ?? []); // prettier-ignore
}

const call = (rig: TestHost, name: string, timeout?: AbortSignal): Promise<unknown> =>
  rig.host.broker
    .call({ name, args: { secret: 'x' }, surface: 'test', signal: timeout ?? new AbortController().signal })
    .catch((error: unknown) => error);

describe('inspector: what is said of a request', function () {
  this.timeout(60_000);
  const mark = path.join(root, 'out', `mark-${process.pid}`);
  afterEach(() => rmSync(mark, { force: true }));

  it('its era, its call, what was decided, and of another attempt why; what ended it without an answer', () =>
    withServers(
      { traced: { ...TRACED, env: { MARK: mark } } },
      async (rig) => {
        await call(rig, 'mcp__traced__flaky');
        await call(rig, 'mcp__traced__write');
        const all = await stored(rig);
        const requests = all.filter(({ kind, method }) => kind === 'sent' && method === 'tools/call');
        equal(requests.length, 3);
        const [first, second, third] = requests;
        match(first?.note ?? '', /^Era: legacy · For call-\d+ · run: tools\/call flaky: .+ · \d+ B$/);
        match(second?.note ?? '', /For (call-\d+) · run: .* · Attempt 2, after connection-lost · /);
        match(third?.note ?? '', /Era: legacy · For call-\d+ · once: tools\/call write: /);
        equal(/call-\d+/.exec(second?.note ?? '')?.[0], /call-\d+/.exec(first?.note ?? '')?.[0]);
        const end = all.find(({ seq }) => seq === all[first?.partner ?? -1]?.seq);
        deepEqual([end?.kind, end?.text, end?.isError], ['other', 'closed', true]);
        ok((end?.durationMs ?? -1) >= 0);
        equal(all[second?.partner ?? -1]?.kind, 'received');
      },
      { answer: 'once', ports },
    ));

  it('the version, of a server of 2026-07-28, also where several calls run at once', () => {
    const args = [path.join(root, 'demo/notes-server/main.js')];
    const notes = { command: process.execPath, args, env: { NOTES_DIR: path.join(root, 'out', 'notes-of-test') } };
    return withServers(
      { notes },
      async (rig) => {
        const { signal } = new AbortController();
        const args = {};
        const name = 'mcp__notes__list_notes';
        await Promise.all([1, 2, 3].map(() => rig.host.broker.call({ name, args, surface: 'test', signal })));
        const requests = (await stored(rig)).filter(({ kind, method }) => kind === 'sent' && method === 'tools/call');
        ok(
          requests.every(({ note }) => note.startsWith('Era: 2026-07-28 · For call-')),
          JSON.stringify(requests),
        );
        equal(new Set(requests.map(({ note }) => /call-\d+/.exec(note)?.[0])).size, 3);
      },
      { answer: 'once', ports },
    );
  });

  it('the HTTP status that answers it in the place of a message', async () => {
    let isBroken = false;
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (data) => (text += String(data)));
      request.on('end', () => {
        if (request.method !== 'POST') return void response.writeHead(405).end();
        const { id, method } = JSON.parse(text) as { id?: number; method: string };
        if (id === undefined) return void response.writeHead(202).end();
        if (isBroken && method === 'tools/call') return void response.writeHead(418, { 'x-token': 's3cret' }).end();
        const tools = [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
        const capabilities = { tools: {} };
        const serverInfo = { name: 'x', version: '1' };
        const results: Record<string, object> = {
          initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo },
          'tools/list': { tools },
          'tools/call': { content: [] },
        };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await withServers(
        { web: { type: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` } },
        async (rig) => {
          await call(rig, 'mcp__web__read');
          isBroken = true;
          await call(rig, 'mcp__web__read');
          const all = await stored(rig);
          const requests = all.filter(({ kind, method }) => kind === 'sent' && method === 'tools/call');
          const ends = requests.map(({ partner }) => all[partner ?? -1]);
          match(ends[0]?.note ?? '', /^HTTP 200 · .*content-type: application\/json/);
          deepEqual([ends[1]?.kind, ends[1]?.text], ['other', 'HTTP 418 · http']);
        },
        { answer: 'once', ports },
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
