// Loaded with the first server.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Host } from '../../../host/host.ts';

/**
 * Completes the steps of *Get Started with MCP Switchboard* (`contributes.walkthroughs`) as the user gets there. What was so before
 * the editor first opened a walkthrough stays open there: VS Code 1.139 looks only for changes.
 */
export function completeWalkthroughSteps(host: Host): Disposable {
  const store = new DisposableStore();
  const done = new Set<string>();
  const complete = (key: string): void => {
    if (done.has(key)) return;
    done.add(key);
    void vscode.commands.executeCommand('setContext', key, true);
  };
  const update = (): void => {
    if (host.servers.definitions.length > 0) complete('mcpSwitchboard.hasServers');
    if (!host.pool.all.some(({ state }) => state.kind === 'connected')) return;
    complete('mcpSwitchboard.hasConnected');
    changes.dispose();
  };
  const changes = store.add(host.onDidChange(update));
  const calls = store.add(
    host.calls.onDidHappen(({ type }) => {
      if (type !== 'tool.call') return;
      complete('mcpSwitchboard.hasCalled');
      calls.dispose();
    }),
  );
  update();
  return store;
}
