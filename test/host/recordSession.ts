import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readRecording } from '../../src/connection/recording/replay/readRecording.ts';
import { withShown } from './shown.ts';
import { exportsOf, nodeOf } from './support.ts';

const run = (id: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`mcpSwitchboard.${id}`, ...args);

export function recordSessionSuite(): void {
  describe('commands about recordings', () => {
    const { showSaveDialog, showQuickPick } = vscode.window;
    let folder: string;
    let file: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'recorded-'));
      file = join(folder, 'session.mcprec.jsonl');
    });
    after(async () => {
      Object.assign(vscode.window, { showSaveDialog, showQuickPick });
      rmSync(folder, { recursive: true, force: true });
      await vscode.commands.executeCommand('notifications.clearAll');
    });

    it('what is called in between is in the file; a second one isn’t begun, and without one Stop says so', () =>
      withShown(async ({ messages }) => {
        const { host } = await exportsOf();
        const texts = (): readonly string[] => messages.map(({ text }) => text);
        Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(vscode.Uri.file(file)) });
        await run('startRecording', await nodeOf('notes'));
        await run('startRecording', await nodeOf('notes'));
        assert.deepEqual(texts(), ['A session is being recorded already. Stop it first.']);
        const { signal } = new AbortController();
        await host.broker.call({ name: 'mcp__notes__list_notes', args: {}, surface: 'editor', signal });
        await run('stopRecording');
        assert.match(texts()[1] ?? '', /^\d+ events saved, known secrets masked: /);
        const { lines } = await readRecording(file);
        assert.ok(lines.some((line) => JSON.stringify(line).includes('tools/call')));
        await run('stopRecording');
        assert.equal(texts()[2], 'No session is being recorded.');
      }));

    it('Replay Calls… makes them again, and tells whether they gave the same', () =>
      withShown(async ({ messages }) => {
        const offered: string[] = [];
        const pickAll = (items: readonly vscode.QuickPickItem[]): Promise<readonly vscode.QuickPickItem[]> => {
          offered.push(...items.map(({ label }) => label));
          return Promise.resolve(items);
        };
        Object.assign(vscode.window, { showQuickPick: pickAll });
        await run('replayCalls', vscode.Uri.file(file));
        assert.deepEqual(offered, ['list_notes']);
        assert.equal(messages.at(-1)?.text, '1 call made again: it gave the same.');
      }));

    it('Replay as Server… asks for the speed; closed there, it adds nothing', async () => {
      const { host } = await exportsOf();
      const offered: string[] = [];
      const close = (items: readonly vscode.QuickPickItem[]): Promise<undefined> => {
        offered.push(...items.map(({ label }) => label));
        return Promise.resolve(undefined);
      };
      Object.assign(vscode.window, { showQuickPick: close });
      assert.equal(await run('replayAsServer', vscode.Uri.file(file)), undefined);
      assert.deepEqual(offered, ['At the Recorded Speed', 'As Fast as Possible']);
      assert.ok(host.views.every(({ definition }) => !definition.name.includes('replay')));
    });

    it('closed without a place, nothing is recorded', () =>
      withShown(async ({ messages }) => {
        Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(undefined) });
        await run('startRecording');
        await run('stopRecording');
        assert.deepEqual(
          messages.map(({ text }) => text),
          ['No session is being recorded.'],
        );
      }));
  });
}
