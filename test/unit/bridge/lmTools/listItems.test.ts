import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../../src/base/clock.ts';
import { completeArgument, proposedValues } from '../../../../src/bridge/resources/completion.ts';
import { readResource } from '../../../../src/bridge/lmTools/readResource.ts';
import { getPrompt } from '../../../../src/bridge/lmTools/listItems.ts';
import { readContents, documentBytes } from '../../../../src/bridge/resources/readContents.ts';
import type { ResourceId } from '../../../../src/bridge/resources/documentUri.ts';
import { listAllPrompts, listAllResources, listAllTemplates } from '../../../../src/bridge/resources/listOffered.ts';
import { getPromptMessages, promptText } from '../../../../src/bridge/resources/prompts.ts';
import { ResourceSubscriptions } from '../../../../src/bridge/resources/subscriptions.ts';
import { eventually } from '../../../support/eventually.ts';
import { TestHost } from '../../../support/testHost.ts';

const COUNTER: ResourceId = { server: 'offers', uri: 'offers://counter' };
const { signal } = new AbortController();

describe('resources and prompts of a real server', function () {
  this.timeout(60_000);
  let rig: TestHost;
  let results: string;
  let subscriptions: ResourceSubscriptions;
  const changes: string[] = [];
  const changed = (times: number): Promise<true> => eventually(`${times} changes`, () => changes.length === times);

  before(async () => {
    results = mkdtempSync(path.join(tmpdir(), 'switchboard-results-'));
    rig = new TestHost({ ports: { calls: { resultsFolder: results } } });
    const offers = { command: process.execPath, args: [path.join(root, 'test/fixtures/servers/offers.ts')] };
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: { offers } }));
    await rig.host.start();
    await rig.approveAll();
    subscriptions = new ResourceSubscriptions(rig.host, systemClock, ({ uri }) => changes.push(uri));
  });

  after(async () => {
    subscriptions.dispose();
    await rig.stop();
    rmSync(results, { recursive: true });
  });

  it('are listed with what the server says of them', async () => {
    const { items, failures } = await listAllResources(rig.host, signal);
    assert.deepEqual(failures, []);
    assert.deepEqual(
      items.map(({ server, uri, mimeType }) => [server, uri, mimeType]),
      [
        ['offers', 'offers://counter', 'text/plain'],
        ['offers', 'offers://docs/links', 'text/markdown'],
        ['offers', 'offers://docs/guide', 'text/markdown'],
        ['offers', 'offers://pictures/icon', 'image/png'],
      ],
    );
    const [template] = (await listAllTemplates(rig.host, signal, 'offers')).items;
    assert.equal(template?.uriTemplate, 'offers://cities/{city}{?lang}');
    const [prompt] = (await listAllPrompts(rig.host, signal)).items;
    assert.deepEqual(prompt?.arguments, [
      { name: 'city', description: 'Where to', required: true },
      { name: 'tone', description: 'How it is told', required: false },
    ]);
    await assert.rejects(listAllPrompts(rig.host, signal, 'nobody'), { remedy: 'Connected are: offers.' });
  });

  it('arguments are completed, and what can’t be completed is no failure', async () => {
    const of = { kind: 'prompt', name: 'trip' } as const;
    const request = { server: 'offers', of, argument: 'city', value: 'Ber', others: {} };
    assert.deepEqual(await completeArgument(rig.host, request, signal), ['Bergen', 'Berlin', 'Bern']);
    const none = { ...request, of: { ...of, name: 'none' } };
    assert.deepEqual(await completeArgument(rig.host, none, signal), []);
    await assert.rejects(proposedValues(rig.host, none, signal), /none/);
  });

  it('completing an argument leaves what servers let us keep, and reading for the user doesn’t', async () => {
    const session = rig.host.pool.all[0]?.session;
    assert.ok(session);
    let forgotten = 0;
    const spied = Object.assign(session, { forgetAnswers: () => void (forgotten += 1) });
    const of = { kind: 'prompt', name: 'trip' } as const;
    await completeArgument(rig.host, { server: 'offers', of, argument: 'city', value: 'B', others: {} }, signal);
    assert.equal(forgotten, 0);
    const request = { server: 'offers', name: 'trip', surface: 'participant', isUsersAct: true } as const;
    await getPromptMessages(rig.host, { ...request, arguments: { city: 'Oslo' } }, signal);
    assert.equal(forgotten, 1);
    delete (spied as Partial<typeof spied>).forgetAnswers;
  });

  it('a prompt is filled in, with its resource named and fenced', async () => {
    const request = {
      server: 'offers',
      name: 'trip',
      arguments: { city: 'Oslo' },
      surface: 'participant',
      isUsersAct: true,
    } as const;
    const text = await promptText(await getPromptMessages(rig.host, request, signal));
    assert.equal(text, 'Plan a trip to Oslo.\n\nResource offers://docs/guide:\n```\n# Guide\n```');
  });

  it('a prompt that is too large for the model is cut, and the whole can be read', async () => {
    rig.answer = 'session';
    const input = { server: 'offers', name: 'trip', arguments: { city: 'x'.repeat(1_000_000) } };
    const [part, ...rest] = await getPrompt(rig.host, { input, signal, surfaceContext: undefined });
    assert.ok(part?.kind === 'text' && rest.length === 0);
    assert.ok(part.text.length < 10_000, `${part.text.length} characters`);
    const uri = /switchboard-result:[0-9a-f]+/.exec(part.text)?.[0] ?? '';
    const whole = await readResource(rig.host, {
      input: { uri, offset: 1_000_000 },
      signal,
      surfaceContext: undefined,
    });
    assert.match(whole[0]?.kind === 'text' ? whole[0].text : '', /# Guide/);
  });

  it('a resource is read through the broker, as text or as bytes', async () => {
    const read = (uri: string): ReturnType<typeof readContents> =>
      readContents(rig.host, { server: 'offers', uri, surface: 'editor', signal });
    assert.equal(
      Buffer.from(documentBytes(await read('offers://docs/guide'))).toString(),
      '# Guide\n\nRead *this* first.',
    );
    const png = documentBytes(await read('offers://pictures/icon'));
    assert.equal(Buffer.from(png.subarray(1, 4)).toString(), 'PNG');
    assert.equal(rig.host.calls.history.entries.at(-1)?.surface, 'editor');
  });

  it('a followed resource is told of, over a restart, too, and no longer once it isn’t followed', async () => {
    subscriptions.follow([COUNTER]);
    assert.match(await rig.call('mcp__offers__count'), /subscribed: offers:\/\/counter/);
    await changed(1);
    await rig.host.pool.restart(rig.host.pool.all[0]?.id ?? '');
    await rig.until(() => rig.host.pool.all[0]?.state.kind === 'connected');
    subscriptions.follow([COUNTER]);
    await changed(2);
    assert.match(await rig.call('mcp__offers__count'), /subscribed: offers:\/\/counter/);
    await changed(3);
    subscriptions.follow([]);
    assert.match(await rig.call('mcp__offers__count'), /subscribed: none/);
    assert.deepEqual(new Set(changes), new Set([COUNTER.uri]));
  });
});
