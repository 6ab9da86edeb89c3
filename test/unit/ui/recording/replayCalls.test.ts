import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveRecording } from '../../../../src/connection/recording/recordingWriter.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';
import { withServers, type TestHost } from '../../../support/testHost.ts';
import { fixture } from '../../connection/harness.ts';

interface Shown {
  readonly query: string;
}

const said: string[] = [];
const diffs: (readonly [Shown, Shown, string])[] = [];
const offered: (readonly { readonly label: string; readonly picked?: boolean }[])[] = [];
const titles: string[] = [];
const text = (message: string, ...values: unknown[]): string =>
  message.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)]));

const { replayCalls } = await withStubbedEditor(
  {
    l10n: { t: text },
    Uri: { from: (parts: object): object => parts },
    ProgressLocation: { Notification: 15 },
    commands: {
      executeCommand: async (command: string, ...args: never[]) => {
        if (command === 'vscode.diff') diffs.push(args as never);
      },
    },
    window: {
      showQuickPick: async (items: readonly { readonly label: string }[], { title }: { readonly title: string }) => {
        offered.push(items);
        titles.push(title);
        return items;
      },
      showInformationMessage: async (message: string) => void said.push(message),
      withProgress: (_: object, task: (progress: object, token: object) => Promise<void>) =>
        task({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
    },
  },
  () => import('../../../../src/ui/recording/replayCalls.ts'),
);

describe('Replay Calls', function () {
  this.timeout(90_000);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-')));
  const file = join(folder, 'a.jsonl');
  after(() => rmSync(folder, { recursive: true, force: true }));
  const { command, args } = fixture('legacy');
  const entry = { command, args, env: { API_TOKEN: 'q7Zk29x-Secret' } };
  const ports = ({ host }: TestHost): never => ({ host, extension: { packageJSON: { version: '0' } } }) as never;

  async function record(rig: TestHost): Promise<void> {
    const { host } = rig;
    const echo = host.catalog.tools.find((tool) => tool.tool.name === 'echo')?.name ?? '';
    for (const each of ['same', 'q7Zk29x-Secret']) await rig.call(echo, { text: each });
    const roots = host.catalog.tools.find((tool) => tool.tool.name === 'roots')?.name ?? '';
    await rig.call(roots);
    await saveRecording(file, (await host.recorder()).recent(), {
      by: { name: 'test', version: '0' },
      platform: 'linux',
      nameOf: (id) => host.servers.get(id)?.name ?? id,
      mask: host.pool.mask,
    });
  }

  it('makes them again, but those with secrets taken out; the same answers are said to be the same', async () => {
    await withServers(
      { one: entry },
      async (rig) => {
        await record(rig);
        const asked = rig.questions.length;
        await replayCalls(ports(rig), file);
        assert.deepEqual(
          offered.at(-1)?.map(({ label }) => label),
          ['echo', 'roots'],
        );
        assert.match(titles.at(-1) ?? '', /^Replay Calls to one: 1 have secrets/);
        assert.ok(
          offered.at(-1)?.every(({ picked }) => picked !== true),
          'a stranger may have recorded them',
        );
        assert.match(said.at(-1) ?? '', /^2 calls made again: all gave the same\.$/);
        assert.equal(rig.questions.length, asked + 1, 'the tool that isn’t read-only asks again');
        assert.deepEqual(diffs, []);
      },
      { answer: 'once' },
    );
  });

  it('shows what is different, and what the policy denies', async () => {
    await withServers(
      { one: entry },
      async (rig) => {
        rig.answer = 'deny';
        await replayCalls(ports(rig), file);
        assert.match(said.at(-1) ?? '', /^2 calls made again: 1 gave something else\.$/);
        const [before, now, title] = diffs.at(-1) ?? [];
        assert.match(title ?? '', /^one: Recorded ↔ Now$/);
        assert.match(before?.query ?? '', /\/\/ 1\. echo \{"text":"same"\}\n\{\n {2}"result"/);
        assert.match(now?.query ?? '', /\/\/ 2\. roots \{\}\n.*(?:denied|Denied|did not run)/);
        assert.ok(!(before?.query ?? '').includes('q7Zk29x'));
      },
      { answer: 'deny' },
    );
  });
});
