// Loaded with the first server.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Host } from '../../../host/host.ts';

/**
 * Completes the steps of *Get Started with MCP Switchboard* (`contributes.walkthroughs`) as the user gets there. VS Code 1.139 takes
 * what is so before it has read the walkthroughs for old news, so their conditions also name the page that shows them.
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
  store.add(
    host.signIns.onDidChange((id) => {
      if (host.signIns.view(id)?.account) complete('mcpSwitchboard.hasSignedIn');
    }),
  );
  const calls = store.add(
    host.calls.onDidHappen((event) => {
      // One that waits for an answer, or was denied, has used nothing yet.
      if (event.type !== 'tool.result' || !event.ok) return;
      complete('mcpSwitchboard.hasCalled');
      calls.dispose();
    }),
  );
  update();
  return store;
}
