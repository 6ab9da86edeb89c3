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
  #button: () => void = () => {};
  title = '';
  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }
  onDidTriggerButton(listener: () => void): void {
    this.#button = listener;
  }
  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }
  show(): void {}
  dispose(): void {}
  close(): void {
    this.#hide();
  }
  pressButton(): void {
    this.#button();
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
const documents: string[] = [];
const t = (text: string, ...values: readonly unknown[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_whole, place: string) => String(values[Number(place)]));
const { askWhichRun, approvalRows, listedServer } = await withStubbedEditor(
  {
    l10n: { t },
    QuickPickItemKind: { Separator: -1 },
    ThemeIcon: Object,
    Uri: { from: (parts: { readonly query: string }) => parts },
    window: {
      createQuickPick: () => (pick = new Pick()),
      showTextDocument: ({ query }: { readonly query: string }) => void documents.push(query),
    },
  },
  () => import('../../../../src/ui/servers/approvalList.ts'),
);

const servers = [
  { id: '1', name: 'notes', from: '.mcp.json', lines: ['Runs: node notes.js', 'node receives ${X} (env.X), now 1'] },
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
    pick.choose('node receives');
    assert.match(pick.activeItems[0]?.label ?? '', /node receives/, 'the row stays active');
    const notes = pick.items.find(({ label }) => label === '$(circle-large-outline) notes');
    assert.equal(notes?.description, 'Not selected · Runs: node notes.js', 'what it runs stands beside its name');
    assert.match(pick.items.find(({ does }) => does === 'approve')?.description ?? '', /^1 of 2 · /);
    pick.choose('evil');
    assert.ok(!pick.items.some(({ does }) => does === 'approve'), 'nothing is left to approve');
    pick.choose('notes');
    pick.choose('Approve and Start');
    assert.deepEqual(await asked, ['1']);
  });

  it('shows everything, whatever is typed, and takes no text of a server for an answer', () => {
    const listed = servers.map((server) => listedServer(server, 200, false));
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

  it('names the file that all are from in the title, and shows all of it in an editor', async () => {
    const asked = askWhichRun(servers, ['note']);
    await Promise.resolve();
    assert.equal(pick.title, 'Run 2 MCP Servers · .mcp.json');
    assert.ok(pick.items.every(({ kind, label }) => kind === undefined || label === ''));
    pick.pressButton();
    pick.close();
    assert.equal(await asked, undefined);
    const [whole = ''] = documents;
    for (const part of ['notes (.mcp.json)', 'node receives ${X} (env.X), now 1', 'note'])
      assert.ok(whole.includes(part));
    assert.equal(whole.match(/x/g)?.length, 80);
  });

  it('has one row for a server of one line, and under a file’s name all that are in it', () => {
    const simple = ['a', 'b', 'c'].map((name) => ({ id: name, name, from: '.mcp.json', lines: ['Runs: npx ' + name] }));
    const other = { id: 'd', name: 'd', from: '.vscode/mcp.json', lines: ['Runs: npx d'] };
    const listed = [...simple, other].map((server) => listedServer(server, 200, true));
    const rows: readonly Row[] = approvalRows(listed, new Set(['a', 'b', 'c', 'd']), []);
    assert.equal(rows.filter(({ kind }) => kind === undefined).length, 2 + 4);
    assert.deepEqual(
      rows.filter(({ kind }) => kind !== undefined).map(({ label }) => label),
      ['.mcp.json', '', '', '.vscode/mcp.json'],
    );
  });

  it('has the names of all servers and the end of what runs in sight, however long an argument is, and shows all of it', async () => {
    const long = { id: 'long', name: 'long', from: 'x', lines: [`Runs: ${'y'.repeat(300_000)}`, '⚠ Last'] };
    const asked = askWhichRun([long, ...servers], []);
    await Promise.resolve();
    const places = ['long', 'notes', 'evil'].map((name) =>
      pick.items.findIndex(({ label, kind }) => kind === undefined && label.includes(name)),
    );
    // The long one can’t push the others away: it is the last.
    assert.ok((places[0] ?? 0) > Math.max(places[1] ?? 99, places[2] ?? 99), String(places));
    assert.ok(Math.max(places[1] ?? 99, places[2] ?? 99) < 12, String(places));
    assert.ok(pick.items.length < 60, `${pick.items.length} rows`);
    assert.ok(pick.items.some(({ label }) => label.endsWith('⚠ Last')));
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
