// Loaded with the first server.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { hasSkills } from '../../catalog/skills/skillEntry.ts';
import type { Host } from '../../host/host.ts';

/**
 * The model has the tool that asks for tasks only where there are any, or a call may become one in this very turn; and the one that
 * loads skills only while a server says that it has some.
 */
export function offerNeededTools(host: Host): Disposable {
  const { broker, catalog } = host;
  const store = new DisposableStore();
  store.add(offer('hasTasks', broker.onDidKeepTask, () => true));
  const tasked = (): boolean => catalog.tools.some(({ tool: { needsTask, canTask } }) => needsTask ?? canTask);
  store.add(offer('hasTasks', catalog.onDidChange, tasked, true));
  const skilled = (): boolean =>
    host.pool.all.some(({ state }) => state.kind === 'connected' && hasSkills(state.info.capabilities));
  let hasThem = false;
  const look = (): void => {
    if (skilled() === hasThem) return;
    hasThem = !hasThem;
    void vscode.commands.executeCommand('setContext', 'mcpSwitchboard.hasSkills', hasThem);
  };
  store.add(host.onDidChange(look));
  look();
  return store;
}

/** Sets a context key, once, when an event finds that it is needed. */
function offer(key: string, event: Event<unknown>, isNeeded: () => boolean, now = false): Disposable {
  const waiting = new DisposableStore();
  const look = (): void => {
    if (!isNeeded()) return;
    waiting.dispose();
    void vscode.commands.executeCommand('setContext', `mcpSwitchboard.${key}`, true);
  };
  waiting.add(event(look));
  if (now) look();
  return waiting;
}
