import * as vscode from 'vscode';
import { delay } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { editorNameOf } from '../../catalog/names/toolNames.ts';
import type { Host } from '../../host/host.ts';

/** How long the editor may take to list a tool that joined; it takes about 0.2 s. In milliseconds. */
const MOST_MS = 1_000;
const STEP_MS = 20;

/**
 * Does something that may make tools join the agent's own list, and comes back when the editor has them: what the agent
 * may call is settled when its next step begins, which is at once.
 *
 * @param isNative whether the editor is offered any tools natively
 */
export async function withJoinedTools<T>(host: Host, isNative: boolean, run: () => Promise<T>): Promise<T> {
  const before = new Set(host.loaded.joined);
  const result = await run();
  const joined = isNative ? host.loaded.joined.filter((name) => !before.has(name)) : [];
  const wanted = joined.map((name) => editorNameOf(name, host.catalog.format));
  for (let waited = 0; waited < MOST_MS && !areListed(wanted); waited += STEP_MS) await delay(STEP_MS, systemClock);
  return result;
}

function areListed(names: readonly string[]): boolean {
  if (names.length === 0) return true;
  const listed = new Set(vscode.lm.tools.map(({ name }) => name));
  return names.every((name) => listed.has(name));
}
