// Loaded with the first server.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { hasSkills } from '../../catalog/skills/skillEntry.ts';
import type { Host } from '../../host/host.ts';

/**
 * The model has the tool that asks for tasks only where there are any, or a call may become one in this very turn; and the one that
 * loads skills only where a server says that it has some. From then on they stay.
 */
export function offerNeededTools(host: Host): Disposable {
  const { broker, catalog } = host;
  const store = new DisposableStore();
  store.add(offer('hasTasks', broker.onDidKeepTask, () => true));
  const tasked = (): boolean => catalog.tools.some(({ tool: { needsTask, canTask } }) => needsTask ?? canTask);
  store.add(offer('hasTasks', catalog.onDidChange, tasked));
  const skilled = (): boolean =>
    host.pool.all.some(({ state }) => state.kind === 'connected' && hasSkills(state.info.capabilities));
  store.add(offer('hasSkills', host.onDidChange, skilled));
  return store;
}

/** Sets a context key, once, when the event finds that it is needed; or now. */
function offer(key: string, event: Event<unknown>, isNeeded: () => boolean): Disposable {
  const waiting = new DisposableStore();
  const look = (): void => {
    if (!isNeeded()) return;
    waiting.dispose();
    void vscode.commands.executeCommand('setContext', `mcpSwitchboard.${key}`, true);
  };
  waiting.add(event(look));
  return waiting;
}
