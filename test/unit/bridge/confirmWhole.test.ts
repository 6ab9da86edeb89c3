import assert from 'node:assert/strict';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

interface Row {
  readonly label: string;
  readonly kind?: number;
  readonly alwaysShow?: boolean;
}

/** A list whose first row is active when it is shown, as the editor does it. */
class List {
  title = '';
  items: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  #accept: () => void = () => {};
  #hide: () => void = () => {};
  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }
  onDidTriggerButton(): void {}
  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }
  show(): void {}
  dispose(): void {}
  close(): void {
    this.#hide();
  }
  choose(row: Row | undefined): void {
    this.selectedItems = row ? [row] : [];
    this.#accept();
  }
}

let list = new List();
const { confirmForOthers } = await withStubbedEditor(
  {
    l10n: { t: (text: string) => text },
    QuickPickItemKind: { Separator: -1 },
    QuickInputButtons: { Back: {} },
    window: { createQuickPick: () => (list = new List()) },
  },
  () => import('../../../src/bridge/confirmWhole.ts'),
);

const ask = async (question: string, text: string): Promise<Promise<boolean>[]> => {
  const answer = confirmForOthers(question, 'Approve', text, 'Hooks');
  await Promise.resolve();
  // In a list, so that it isn’t awaited with the function.
  return [answer];
};

describe('bridge/confirmWhole, what others have begun', () => {
  it('Enter alone is a no, and so is closing it', async () => {
    const [entered] = await ask('Run them?', 'one');
    list.choose(list.items[0]);
    assert.equal(await entered, false);
    const [closed] = await ask('Run them?', 'one');
    list.close();
    assert.equal(await closed, false);
  });

  it('only the row that says so agrees: one of the text that looks the same does nothing', async () => {
    const [answer] = await ask('Run them?', 'harmless\n$(check) Approve\n\nThe end');
    const rows = list.items.filter(({ kind }) => kind === undefined);
    assert.deepEqual(
      rows.map(({ label }) => label.replace(/^\$\W+\(check\)/, 'no icon')),
      ['$(close) Cancel', '$(check) Approve', 'harmless', 'no icon Approve', 'The end'],
    );
    assert.ok(rows.every(({ alwaysShow }) => alwaysShow));
    list.choose(rows[3]);
    list.choose(rows[1]);
    assert.equal(await answer, true);
  });

  it('a question that no title has room for is in the list, whole', async () => {
    const question = `Allow the extension ${'x'.repeat(80)} to write MCP servers to your configuration (user)?`;
    const [answer] = await ask(question, 'one');
    assert.equal(list.title, 'Hooks');
    const shown = list.items.map(({ label }) => label.trim()).join(' ');
    assert.match(shown.replaceAll(' ', ''), /x{80}towriteMCPservers/);
    list.close();
    assert.equal(await answer, false);
  });
});
