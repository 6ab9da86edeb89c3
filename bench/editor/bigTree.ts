// The window's side: how soon a view of many servers is drawn, and how long the window is held up meanwhile.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, newPage, openWorkbench } from '../../scripts/lib/browser.mjs';
import { bundleModule } from '../../scripts/lib/bundle-module.mjs';
import { startEditor } from '../../scripts/lib/editor.mjs';
import { ensureEditor } from '../../scripts/lib/install-editor.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { scratchWorkspace } from '../../scripts/lib/workspace.mjs';
import { eventually } from '../../test/support/eventually.ts';

/** Names the folder where the sides tell each other how far they are. */
export const FOLDER_VARIABLE = 'SWITCHBOARD_BENCH_FOLDER';

/** In milliseconds, from the key or click until it is drawn; and the longest time that the window couldn't take another. */
interface Drawn {
  readonly drawnMs: number;
  readonly longestTaskMs: number;
}

export interface BigTreeFigures {
  /** The view, from a click at its icon. */
  readonly opened: Drawn;
  /** To the last server. */
  readonly scrolled: Drawn;
  /** A server and its tools. */
  readonly expanded: Drawn;
}

/** Opens the view *Servers* with 500 servers of 20 tools each in a real editor. */
export async function measureBigTree(): Promise<BigTreeFigures> {
  const testsPath = path.join(root, 'out', 'bench', 'bigTreeServers.js');
  await bundleModule('bench/editor/bigTreeServers.ts', testsPath, { format: 'cjs' });
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
  const workspace = scratchWorkspace('bench');
  const editor = await startEditor({
    editor: await ensureEditor(),
    extension: root,
    trust: false,
    env: { [FOLDER_VARIABLE]: folder },
  });
  const browser = await launchBrowser();
  try {
    const page = await newPage(browser);
    await openWorkbench(page, editor.url(workspace.path, { testsPath }));
    await eventually('the servers are there', () => existsSync(path.join(folder, 'ready')), 300_000);
    return await measured(page);
  } finally {
    writeFileSync(path.join(folder, 'done'), '');
    await browser.close();
    await editor.stop();
    workspace.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(page: Page): Promise<BigTreeFigures> {
  await page.evaluate(watchTasks);
  const rows = page.locator('.sidebar .monaco-list-row');
  const timed = async (act: () => Promise<void>, drawn: () => Promise<void>): Promise<Drawn> => {
    await page.evaluate(forgetTasks);
    const began = performance.now();
    await act();
    await drawn();
    const drawnMs = Math.round(performance.now() - began);
    return { drawnMs, longestTaskMs: Math.round(await page.evaluate(longestTask)) };
  };
  const opened = await timed(
    () => page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click(),
    () => rows.filter({ hasText: 'server-0' }).first().waitFor(),
  );
  const list = page.locator('.sidebar .pane', { hasText: 'Servers' }).locator('.monaco-list').first();
  await list.focus();
  const scrolled = await timed(
    () => page.keyboard.press('End'),
    () => rows.filter({ hasText: 'server-499' }).first().waitFor(),
  );
  const expanded = await timed(
    async () => {
      await page.keyboard.press('ArrowRight');
      await rows
        .filter({ hasText: /^Tools/ })
        .first()
        .waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
    },
    () => page.locator('.sidebar .monaco-list-row[aria-label^="Tool "]').first().waitFor(),
  );
  await page.screenshot({ path: path.join(root, 'out', 'screenshots', 'big-tree.png') });
  return { opened, scrolled, expanded };
}

interface Watched {
  longestTaskMs: number;
}

/** Runs in the page. Tasks of less than 50 ms aren't told (Long Tasks API). */
function watchTasks(): void {
  const watched = globalThis as unknown as Watched & {
    readonly PerformanceObserver: new (listener: (list: { getEntries(): { duration: number }[] }) => void) => {
      observe(options: object): void;
    };
  };
  watched.longestTaskMs = 0;
  new watched.PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longestTaskMs = Math.max(watched.longestTaskMs, duration);
  }).observe({ type: 'longtask' });
}

/** Runs in the page. */
function forgetTasks(): void {
  (globalThis as unknown as Watched).longestTaskMs = 0;
}

/** Runs in the page. */
function longestTask(): number {
  return (globalThis as unknown as Watched).longestTaskMs;
}
