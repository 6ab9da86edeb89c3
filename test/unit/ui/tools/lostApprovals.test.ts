import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import { eventually } from '../../../support/eventually.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';
import { withServers, type TestHost } from '../../../support/testHost.ts';

interface Row {
  readonly label: string;
  readonly detail?: string;
}

/** What was shown, and what is chosen: the row that contains the first of these. */
let shown: string[] = [];
let choices: string[] = [];

function choose(rows: readonly Row[]): Row | undefined {
  shown.push(rows.map(({ label }) => label).join(', '));
  const next = choices.shift();
  return next === undefined ? undefined : rows.find(({ label }) => label.includes(next));
}

class Pick {
  items: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  #accept: () => void = () => {};
  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }
  onDidTriggerButton(): void {}
  onDidHide(): void {}
  show(): void {
    void Promise.resolve().then(() => {
      this.selectedItems = [choose(this.items) ?? assert.fail('nothing to choose')];
      this.#accept();
    });
  }
  dispose(): void {}
}

const said = (text: string): Promise<undefined> => {
  shown.push(text);
  return Promise.resolve(undefined);
};
const t = (text: string, ...values: readonly unknown[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_whole, place: string) => String(values[Number(place)]));
const stub = {
  l10n: { t },
  QuickPickItemKind: { Separator: -1 },
  QuickInputButtons: { Back: {} },
  Uri: { from: (parts: object) => parts },
  commands: { executeCommand: async () => undefined },
  window: {
    createQuickPick: () => new Pick(),
    showQuickPick: async (rows: readonly Row[]) => choose(rows),
    showInformationMessage: said,
    showWarningMessage: said,
  },
};
const { reviewTools } = await withStubbedEditor(stub, () => import('../../../../src/ui/tools/toolChanges.ts'));
const { noticeToolChanges } = await withStubbedEditor(
  stub,
  () => import('../../../../src/ui/tools/toolChangeNotice.ts'),
);

const NOTES = { command: process.execPath, args: [path.join(root, 'demo/notes-server/main.js')] };

/** Two servers with tools, of which nobody can tell what was approved. */
async function withLostApprovals(
  use: (rig: TestHost, waiting: (name: string) => number) => Promise<void>,
): Promise<void> {
  await withServers({}, async (rig) => {
    const { host, store } = rig;
    Object.assign(store, {
      isUnreadable: (key: string) => key.startsWith('pins/') && store.get(key) === undefined,
    });
    const notice = noticeToolChanges(host);
    const env = { NOTES_DIR: path.join(rig.folder, 'notes') };
    const servers = { one: { ...NOTES, env }, two: { ...NOTES, env: { ...env, OTHER: '1' } } };
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    await host.config.reload();
    await host.servers.approve(host.servers.definitions.map(({ id }) => id));
    const waiting = (name: string): number => {
      const view = host.views.find(({ definition }) => definition.name === name);
      return view ? host.feed.openChangesOf(view.definition.id).length : 0;
    };
    await rig.until(() => waiting('one') >= 4 && waiting('two') >= 4);
    await eventually('the notice', () => shown.length > 0);
    notice.dispose();
    await use(rig, waiting);
  });
}

describe('approvals that can’t be read any more', () => {
  beforeEach(() => {
    shown = [];
    choices = [];
  });

  it('are told of once for all servers, and accepted at once for each', async () => {
    await withLostApprovals(async (rig, waiting) => {
      assert.deepEqual(shown, ['What you approved of some servers’ tools can’t be read. Review what they are now.']);
      shown = [];
      choices = ['Accept All of one', 'Accept All'];
      await reviewTools(rig.host);
      assert.match(shown[0] ?? '', /^Accept All of one, .*add_note.*, Accept All of two, /);
      assert.match(shown[1] ?? '', /^Accept All, Not Now, .*add_note/);
      assert.equal(waiting('one'), 0);
      assert.ok(waiting('two') >= 4);
    });
  });

  it('are not accepted where the user doesn’t say so, nor but one of them', async () => {
    await withLostApprovals(async ({ host }, waiting) => {
      const all = waiting('one');
      choices = ['Accept All of one', 'Not Now'];
      await reviewTools(host);
      assert.equal(waiting('one'), all);
      choices = ['add_note', 'Accept Change'];
      await reviewTools(host);
      assert.equal(waiting('one'), all - 1);
    });
  });
});
