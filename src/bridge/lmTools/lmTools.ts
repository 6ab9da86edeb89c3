import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import type { LmToolSettings } from './lmToolRuns.ts';

/** What the manifest declares of a language model tool. */
export interface LmToolDeclaration {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/**
 * Registers the language model tools. Their names, descriptions and schemas are the manifest's (the editor takes no
 * others), and `declarations` are what it says.
 * @param offerSignIn shows the user the button to sign in to a server
 */
export function registerLmTools(
  host: Host,
  declarations: readonly LmToolDeclaration[],
  settings: () => LmToolSettings,
  offerSignIn: (serverId: string) => Promise<void>,
): Disposable {
  const store = new DisposableStore();
  store.add(
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('mcpSwitchboard') && host.settingsChanged(),
    ),
  );
  // With the first server: before, there is nothing that they could be needed for.
  const known = store.add(
    host.onDidChange(() => {
      known.dispose();
      void import('./neededTools.ts').then((loaded) => store.isDisposed || store.add(loaded.offerNeededTools(host)));
    }),
  );
  for (const { name, inputSchema } of declarations) {
    const tool = { name, schema: inputSchema, host, settings, offerSignIn };
    store.add(
      vscode.lm.registerTool<JsonObject>(name, {
        prepareInvocation: async ({ input }) => (await import('./invocationMessages.ts')).prepared(name, input),
        invoke: async (options, token) => (await import('./lmToolRuns.ts')).invoke(tool, options, token),
      }),
    );
  }
  return store;
}
