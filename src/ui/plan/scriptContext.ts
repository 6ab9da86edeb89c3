import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';

/** The models' tool is there only while this is set. */
const KEY = 'mcpSwitchboard.scriptsOn';

/** Says to the editor whether scripts are on. */
export function tellWhetherScriptsAreOn(host: Host): Disposable {
  const store = new DisposableStore();
  let told = false;
  // Where it can't be known, scripts stay off.
  host.calls.scripts().then(
    (scripts) => {
      if (store.isDisposed) return;
      const tell = (): void => {
        if (scripts.on === told) return;
        told = scripts.on;
        void vscode.commands.executeCommand('setContext', KEY, told);
      };
      store.add(scripts.onDidChange(tell));
      store.add(vscode.workspace.onDidGrantWorkspaceTrust(tell));
      tell();
    },
    () => undefined,
  );
  return store;
}
