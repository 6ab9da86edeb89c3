import assert from 'node:assert/strict';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

interface Row {
  readonly label: string;
  readonly description?: string;
  readonly kind?: number;
  readonly does?: 'cancel' | 'approve' | { readonly tick: string };
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
const { askWhichRun, approvalRows } = await withStubbedEditor(
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
    const rows: readonly Row[] = approvalRows(servers, new Set(['1', '2']), ['note']);
    const shown = rows.filter(({ kind }) => kind === undefined);
    assert.ok(shown.every(({ alwaysShow }) => alwaysShow));
    assert.equal(rows.filter(({ does }) => does === 'approve').length, 1);
    assert.ok(shown.every(({ label }) => !label.includes('\n')));
    const foreign = shown.filter(({ does }) => typeof does === 'object').map(({ label }) => label);
    assert.equal(foreign.filter((label) => /\$\((?:check|close)\)/.test(label)).length, 0);
    assert.equal(foreign.join('').match(/x/g)?.length, 80);
    assert.equal(rows.at(-1)?.label, 'note');
  });
});
