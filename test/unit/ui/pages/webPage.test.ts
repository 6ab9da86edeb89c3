import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageContent } from '../../../../src/ui/pages/pageContent.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

type Listener = (value: unknown) => Promise<void>;

const page = { receive: undefined as Listener | undefined, dispose: (): void => undefined };
const errors: string[] = [];
const setting = { value: undefined as readonly string[] | undefined };
const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = { dispose: (): void => undefined };

const stub = {
  ViewColumn: { Active: -1 },
  ConfigurationTarget: { Global: 1 },
  Uri: { joinPath: (base: { fsPath: string }, ...parts: string[]) => ({ fsPath: join(base.fsPath, ...parts) }) },
  env: { language: 'en' },
  l10n: { t: (text: string) => text },
  window: {
    setStatusBarMessage: () => never,
    showErrorMessage: async (text: string) => void errors.push(text),
    createWebviewPanel: () => ({
      visible: true,
      onDidDispose: (listener: () => void) => {
        const { dispose } = page;
        page.dispose = () => (dispose(), listener());
        return never;
      },
      webview: {
        html: '',
        postMessage: async () => true,
        onDidReceiveMessage: (listener: Listener) => {
          page.receive = listener;
          return never;
        },
      },
    }),
  },
  workspace: {
    getConfiguration: () => ({
      get: () => setting.value,
      inspect: () => ({ globalValue: { searchOnlyTools: setting.value } }),
      update: async (_key: string, value: readonly string[] | undefined) => {
        await later();
        setting.value = value;
      },
    }),
  },
};

describe('ui/webPage', () => {
  const root = mkdtempSync(join(tmpdir(), 'switchboard-page-'));
  mkdirSync(join(root, 'dist'));
  for (const name of ['page.js', 'page.css']) writeFileSync(join(root, 'dist', name), '');
  after(() => rmSync(root, { recursive: true }));

  it('tells once that it can’t be drawn, and queues one drawing however often the page is ready', async () => {
    const { showPage } = await withStubbedEditor(stub, () => import('../../../../src/ui/pages/webPage.ts'));
    let drawn = 0;
    let fault: string | undefined = 'No tokens';
    const content = async (): Promise<PageContent> => {
      drawn += 1;
      await later();
      if (fault !== undefined) throw new Error(fault);
      return { title: 't', language: 'en', words: {}, blocks: [] } as unknown as PageContent;
    };
    const source = { viewType: 'v', title: 't', content, watch: () => never, take: async () => undefined };
    await showPage(source, { fsPath: root } as never);
    const ready = (count: number): Promise<unknown> =>
      Promise.all(Array.from({ length: count }, async () => page.receive?.({ type: 'ready' })));
    await ready(50);
    // The first has begun, or all of them wait for one.
    assert.ok(drawn >= 1 && drawn <= 2, `${drawn}`);
    await ready(1);
    await ready(1);
    assert.deepEqual(errors, ['No tokens']);
    fault = undefined;
    await ready(1);
    fault = 'Again';
    await ready(1);
    assert.equal(errors.length, 2);
    page.dispose();
  });

  it('moves each of two tools to search that are moved at once', async () => {
    const { setSearchOnly } = await withStubbedEditor(
      stub,
      () => import('../../../../src/ui/pages/budget/searchOnlyTools.ts'),
    );
    await Promise.all([setSearchOnly('a', true), setSearchOnly('b', true)]);
    assert.deepEqual(setting.value, ['a', 'b']);
  });
});
