import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import type { AgentWindow } from './agentWindow.ts';

/** The page in the tab of this title, as soon as it shows something. */
export async function pageNamed(window: AgentWindow, title: string): Promise<Frame> {
  await window.page.locator('.tab.active', { hasText: title }).waitFor();
  let found: Frame | undefined;
  await window.until(async () => {
    for (const frame of window.page.frames()) {
      const heading = frame.locator('#page[aria-busy="false"] h1', { hasText: title });
      if ((await heading.count().catch(() => 0)) > 0 && (await heading.isVisible())) found = frame;
    }
    return found !== undefined;
  });
  assert.ok(found);
  return found;
}

/** *Doctor*'s report, as the editor renders it, as soon as it has a text. */
export async function doctorReport(window: AgentWindow, text: RegExp): Promise<Frame> {
  let found: Frame | undefined;
  await window.until(async () => {
    for (const frame of window.page.frames()) {
      // The editor's own window says the same in other places.
      if (frame === window.page.mainFrame()) continue;
      const report = frame.locator('body:has(h1)', { hasText: 'MCP Switchboard: Doctor' }).filter({ hasText: text });
      if (await report.isVisible().catch(() => false)) found = frame;
    }
    return found !== undefined;
  });
  assert.ok(found);
  return found;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in the page: a line for each fault and place (WCAG 2.2 A and AA, and its good practices). */
export async function axeFaults(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(axe);
  return frame.evaluate(async () => {
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
    );
  });
}

interface Axe {
  run(): Promise<{ readonly violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}
