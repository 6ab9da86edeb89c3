import { deepEqual, equal, match, ok } from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../../../../scripts/lib/paths.mjs';
import type { EventRow } from '../../../../../src/ui/pages/eventRow.ts';
import { isBlock } from '../../../../../src/ui/pages/front/read/readBlocks.ts';
import type { InspectorPage } from '../../../../../src/ui/pages/inspector/inspectorPage.ts';
import type { Block } from '../../../../../src/ui/pages/pageContent.ts';
import { offers, type PageRequest } from '../../../../../src/ui/pages/pageMessages.ts';
import { eventually } from '../../../../support/eventually.ts';
import { withSkills } from '../../../../support/skillRig.ts';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';
import { withServers, type TestHost } from '../../../../support/testHost.ts';

const copied: string[] = [];
const ran: unknown[] = [];
const t = (text: string, ...values: unknown[]): string => text.replaceAll(/\{(\d)\}/g, (_all, n) => String(values[n]));
const { inspectorOf } = await withStubbedEditor(
  {
    l10n: { t },
    commands: { executeCommand: async (...command: unknown[]) => void ran.push(command) },
    env: { language: 'en', clipboard: { writeText: async (text: string) => void copied.push(text) } },
    window: { setStatusBarMessage: () => ({ dispose: () => undefined }) },
  },
  () => import('../../../../../src/ui/pages/inspector/inspectorPage.ts'),
);

/** Until it no longer throws. */
async function comes(what: string, holds: () => Promise<void> | void): Promise<void> {
  await eventually(what, async () => {
    try {
      await holds();
      return true;
    } catch {
      return false;
    }
  });
}

type Of<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>;

/** All blocks of the page as it is now, those of its tab included. */
async function blocksOf(page: InspectorPage): Promise<readonly Block[]> {
  const { blocks } = await page.content();
  const all = blocks.flatMap((block) => (block.kind === 'tabs' ? [block, ...block.blocks] : [block]));
  ok(all.every(isBlock), 'the page takes it');
  return all;
}

async function find<Kind extends Block['kind']>(page: InspectorPage, kind: Kind, id?: string): Promise<Of<Kind>> {
  const all = await blocksOf(page);
  const found = all.find((block) => block.kind === kind && (id === undefined || ('id' in block && block.id === id)));
  ok(found, `${kind} ${id}: ${JSON.stringify(all).slice(0, 2_000)}`);
  return found as Of<Kind>;
}

/** As the page’s frame does it: only what is offered. */
async function take(page: InspectorPage, message: PageRequest): Promise<void> {
  ok(offers(await page.content(), message), JSON.stringify(message));
  await page.take(message);
}

const choose = (page: InspectorPage, id: string, value: string): Promise<void> =>
  take(page, { type: 'choose', id, value });

async function submit(page: InspectorPage, action: string, value: object): Promise<void> {
  const { id } = await find(page, 'form');
  await take(page, { type: 'submit', form: id, action, text: JSON.stringify(value) });
}

describe('inspector: with real servers', function () {
  this.timeout(120_000);
  const command = process.execPath;
  const everything = { command, args: [path.join(root, 'node_modules/.bin/mcp-server-everything')] };
  const broken = { command, args: ['-e', "console.error('no database'); process.exit(3)"] };

  async function withInspector(body: (page: InspectorPage, rig: TestHost) => Promise<void>): Promise<void> {
    const settings = { reconnect: { maxAttempts: 0 } } as object;
    await withServers(
      { everything, broken },
      async (rig) => {
        const page = inspectorOf(rig.host);
        await page.look({});
        await body(page, rig);
      },
      { answer: 'once', settings },
    );
  }

  it('says why a server failed, and what it is asked is a call like any other', () =>
    withInspector(async (page, rig) => {
      const { host } = rig;
      const states = await find(page, 'table', 'servers');
      match(JSON.stringify(states.rows), /code 3/);
      match((await find(page, 'code')).text, /no database/);

      await choose(page, 'tab', 'tools');
      await choose(page, 'tool', 'mcp__everything__echo');
      await submit(page, 'check', {});
      match((await find(page, 'form')).problems.join(), /message/);
      equal(host.calls.history.entries.length, 0);
      for (const message of ['one', 'two']) {
        await submit(page, 'run', { message });
        await comes('the result', async () =>
          match(JSON.stringify(await blocksOf(page)), new RegExp(`Echo: ${message}`)),
        );
      }
      const [entry] = host.calls.history.entries;
      deepEqual([entry?.surface, entry?.caller, entry?.result], ['editor', 'Inspector', 'ok']);
      await choose(page, 'compare', '1');
      match((await find(page, 'code')).text, /-Echo: one\n\+Echo: two/);
      const { options } = await find(page, 'choice', 'earlier');
      await choose(page, 'earlier', options.at(-1)?.value ?? '');
      deepEqual((await find(page, 'form')).value, { message: 'one' });
    }));

  it('of a server that isn’t connected, each tab that asks it says why and connects it', () =>
    withInspector(async (page, { host }) => {
      const { id = '' } = host.views.find(({ definition }) => definition.name === 'broken')?.definition ?? {};
      await choose(page, 'server', id);
      for (const tab of ['tools', 'resources', 'prompts', 'skills', 'conformance']) {
        await choose(page, 'tab', tab);
        match(JSON.stringify((await find(page, 'table', 'servers')).rows), /code 3/, tab);
        ran.length = 0;
        await take(page, { type: 'act', action: `connect ${id}` });
        deepEqual(ran, [['mcpSwitchboard.connect', id]], tab);
      }
    }));

  it('arguments of a tool aren’t sent, nor their mistakes shown, once another is chosen', () =>
    withInspector(async (page, { host }) => {
      await choose(page, 'tab', 'tools');
      for (const [action, value] of [
        ['run', { message: 'late' }],
        ['check', {}],
      ] as const) {
        await choose(page, 'tool', 'mcp__everything__echo');
        const { id } = await find(page, 'form');
        const submitted = page.take({ type: 'submit', form: id, action, text: JSON.stringify(value) });
        await page.take({ type: 'choose', id: 'tool', value: 'mcp__everything__get-sum' });
        await submitted;
        deepEqual((await find(page, 'form')).problems, []);
      }
      equal(host.calls.history.entries.length, 0);
    }));

  it('a call that goes on can be cancelled, and that is an error in the place of its result', () =>
    withInspector(async (page, rig) => {
      await choose(page, 'tab', 'tools');
      await choose(page, 'tool', 'mcp__everything__trigger-long-running-operation');
      await submit(page, 'run', { duration: 60, steps: 600 });
      await comes('Cancel', async () => ok(await find(page, 'buttons')));
      await comes('the call runs', () => equal(rig.host.calls.inProgress.all[0]?.phase, 'running'));
      await take(page, { type: 'act', action: 'cancel' });
      await comes('an error', async () => equal((await find(page, 'code')).title, 'Error'));
    }));

  it('tells every message as a row, and gives one to the clipboard whole', () =>
    withInspector(async (page) => {
      await choose(page, 'tab', 'messages');
      const block = await find(page, 'events');
      equal(block.show, 'messages');
      const before = await page.events.recent();
      ok(before.some(({ method, kind }) => method === 'tools/list' && kind === 'sent'));
      ok(before.some(({ kind, text }) => kind === 'log' && text.includes('no database')));
      ok(
        before.some(
          ({ method, text, server }) => method === 'state' && server === 'broken' && text.startsWith('failed'),
        ),
      );
      const heard: EventRow[] = [];
      const listening = page.events.onDidHappen((event) => heard.push(event));
      await choose(page, 'tab', 'tools');
      await choose(page, 'tool', 'mcp__everything__echo');
      await submit(page, 'run', { message: 'heard' });
      await comes('the answer is heard', () =>
        ok(heard.some(({ kind, text }) => kind === 'received' && text.includes('Echo: heard'))),
      );
      listening.dispose();
      const call = heard.find(({ method }) => method === 'tools/call');
      ok(heard.some(({ method }) => method === 'decision'));
      await choose(page, 'tab', 'messages');
      await take(page, { type: 'copy', seq: call?.seq ?? 0, as: 'json' });
      match(copied.at(-1) ?? '', /"method": "tools\/call"/);
      await choose(page, 'tab', 'timeline');
      match(JSON.stringify((await find(page, 'table', 'timeline')).rows), /tools\/call echo/);
    }));

  it('reads a resource and a template, and gets a prompt', () =>
    withInspector(async (page, { host }) => {
      await choose(page, 'tab', 'resources');
      await comes('the resources', async () => void (await find(page, 'choice', 'resource item')));
      const { options } = await find(page, 'choice', 'resource item');
      ok(options.length > 2);
      await submit(page, 'fetch', {});
      await comes('the resource', async () =>
        ok((await blocksOf(page)).some(({ kind }) => kind === 'code' || kind === 'json')),
      );
      const template = options.find(({ label }) => label.includes('{'));
      await choose(page, 'resource item', template?.value ?? '');
      await submit(page, 'fetch', {});
      ok((await find(page, 'form')).problems.length > 0);

      await choose(page, 'tab', 'prompts');
      await comes('the prompts', async () => void (await find(page, 'choice', 'prompt item')));
      const prompts = await find(page, 'choice', 'prompt item');
      const withArguments = prompts.options.find(({ label }) => label.includes('args-prompt'));
      await choose(page, 'prompt item', withArguments?.value ?? '');
      await submit(page, 'fetch', { city: 'Oslo' });
      await comes('the prompt', async () => match((await find(page, 'code')).text, /Oslo/));
      deepEqual(
        host.calls.history.entries.map(({ caller }) => caller),
        ['Inspector', 'Inspector'],
      );
    }));

  it('proposes values for arguments, with what the others hold', () =>
    withInspector(async (page) => {
      await choose(page, 'tab', 'prompts');
      await comes('the prompts', async () => void (await find(page, 'choice', 'prompt item')));
      const { options } = await find(page, 'choice', 'prompt item');
      const completed = options.find(({ label }) => label.includes('completable'));
      await choose(page, 'prompt item', completed?.value ?? '');
      const proposals = async (): Promise<Readonly<Record<string, readonly string[] | undefined>>> => {
        const { field } = await find(page, 'form');
        const members = field.kind === 'object' ? field.members : [];
        return Object.fromEntries(
          members.map(({ key, field: each }) => [key, each.kind === 'text' ? each.proposals : []]),
        );
      };
      await submit(page, 'propose', { department: 'Eng' });
      await comes('the departments', async () => {
        const { department, name } = await proposals();
        deepEqual(department, ['Engineering']);
        equal(name, undefined);
      });
      await submit(page, 'propose', { department: 'Engineering' });
      await comes('the names of the department', async () => {
        const { name = [] } = await proposals();
        ok(name.length > 1, JSON.stringify(name));
      });
      // What is proposed for one item isn’t for another.
      await choose(page, 'prompt item', options.find(({ label }) => label.includes('args-prompt'))?.value ?? '');
      deepEqual(
        Object.values(await proposals()).flatMap((each) => each ?? []),
        [],
      );
    }));

  it('shows what a server states of a skill, whether it is approved, and its files as text', () =>
    withSkills(async ({ test: { host } }) => {
      const page = inspectorOf(host);
      await choose(page, 'tab', 'skills');
      await comes('the skills', async () => void (await find(page, 'choice', 'skill item')));
      const texts = JSON.stringify(await blocksOf(page));
      match(texts, /State: approved/);
      match(texts, /templates\/email\.md {2}15 {2}sha256:/);
      await submit(page, 'fetch', { file: 'templates/email.md' });
      await comes('the file', async () => match(JSON.stringify(await blocksOf(page)), /Dear customer/));
    }));

  it('checks a server', () =>
    withInspector(async (page) => {
      await choose(page, 'tab', 'conformance');
      await take(page, { type: 'act', action: 'ask' });
      await comes('the checks', async () =>
        match(JSON.stringify((await find(page, 'table', 'checks')).rows), /An unknown method is refused","Passed"/),
      );
    }));
});
