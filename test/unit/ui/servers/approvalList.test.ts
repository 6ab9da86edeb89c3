import assert from 'node:assert/strict';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

interface Row {
  readonly label: string;
  readonly description?: string;
  readonly kind?: number;
  readonly does?: 'cancel' | 'approve' | { readonly tick: string } | { readonly more: string };
  readonly alwaysShow?: boolean;
}

/** The list that was shown last, answered by `choose`. */
class Pick {
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  #accept: () => void = () => {};
  #hide: () => void = () => {};
  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }
  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }
  show(): void {}
  dispose(): void {}
  close(): void {
    this.#hide();
  }
  /** Enter on what is active. */
  enter(): void {
    this.selectedItems = this.activeItems;
    this.#accept();
  }
  choose(label: string): void {
    this.activeItems = this.items.filter((row) => row.label.includes(label)).slice(0, 1);
    this.enter();
  }
}

let pick = new Pick();
const t = (text: string, ...values: readonly unknown[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_whole, place: string) => String(values[Number(place)]));
const { askWhichRun, approvalRows, listedServer } = await withStubbedEditor(
  {
    l10n: { t },
    QuickPickItemKind: { Separator: -1 },
    window: { createQuickPick: () => (pick = new Pick()) },
  },
  () => import('../../../../src/ui/servers/approvalList.ts'),
);

const servers = [
  { id: '1', name: 'notes', from: '.mcp.json', lines: ['Runs: node notes.js'] },
  {
    id: '2',
    name: 'evil\n$(check) Approve',
    from: '.mcp.json',
    lines: [`Runs: ${'x '.repeat(80)}`, '$(close) Cancel'],
  },
];

describe('ui/approvalList', () => {
  it('Enter alone, and closing the list, approve nothing', async () => {
    const first = askWhichRun(servers, []);
    await Promise.resolve();
    pick.enter();
    assert.equal(await first, undefined);
    const second = askWhichRun(servers, []);
    await Promise.resolve();
    pick.close();
    assert.equal(await second, undefined);
  });

  it('each server has a tick of its own, which its name and each of its lines take away and give', async () => {
    const asked = askWhichRun(servers, []);
    await Promise.resolve();
    pick.choose('Runs: node notes.js');
    assert.match(pick.activeItems[0]?.label ?? '', /Runs: node notes\.js/, 'the row stays active');
    assert.ok(pick.items.some(({ label }) => label === '$(circle-large-outline) notes'));
    assert.equal(pick.items.find(({ does }) => does === 'approve')?.description, '1 of 2');
    pick.choose('evil');
    assert.ok(!pick.items.some(({ does }) => does === 'approve'), 'nothing is left to approve');
    pick.choose('notes');
    pick.choose('Approve and Start');
    assert.deepEqual(await asked, ['1']);
  });

  it('shows everything, whatever is typed, and takes no text of a server for an answer', () => {
    const listed = servers.map((server) => listedServer(server, 200));
    const rows: readonly Row[] = approvalRows(listed, new Set(['1', '2']), ['note']);
    const shown = rows.filter(({ kind }) => kind === undefined);
    assert.ok(shown.every(({ alwaysShow }) => alwaysShow));
    assert.equal(rows.filter(({ does }) => does === 'approve').length, 1);
    assert.ok(shown.every(({ label }) => !label.includes('\n')));
    const foreign = shown.filter(({ does }) => typeof does === 'object').map(({ label }) => label);
    assert.equal(foreign.filter((label) => /\$\((?:check|close)\)/.test(label)).length, 0);
    assert.equal(foreign.join('').match(/x/g)?.length, 80);
    assert.equal(rows.at(-1)?.label, 'note');
  });

  it('has the names of all servers and the end of what runs in sight, however long an argument is, and shows all of it', async () => {
    const long = { id: 'long', name: 'long', from: 'x', lines: [`Runs: ${'y'.repeat(300_000)}`, '⚠ Last'] };
    const asked = askWhichRun([long, ...servers], []);
    await Promise.resolve();
    const places = ['long', 'notes', 'evil'].map((name) =>
      pick.items.findIndex(({ label, kind }) => kind === undefined && label.includes(name)),
    );
    assert.deepEqual(places, [3, 4, 5]);
    assert.ok(pick.items.length < 60, `${pick.items.length} rows`);
    assert.ok(pick.items.some(({ label }) => label === '⚠ Last'));
    pick.choose('long');
    assert.match(pick.activeItems[0]?.label ?? '', /\$\(circle-large-outline\) long/);
    for (let times = 0; pick.items.some(({ label }) => label.includes('Full text')); times += 1) {
      assert.ok(times < 5);
      pick.choose('Full text');
      assert.equal(pick.activeItems.length, 1);
    }
    const shown = pick.items.map(({ label }) => label).join('');
    assert.equal(shown.match(/y/g)?.length, 300_000);
    pick.choose('Approve and Start');
    assert.deepEqual(await asked, ['1', '2']);
  });
});
