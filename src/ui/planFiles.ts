import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import type { PlannedCall } from '../calls/planMode.ts';
import type { Host } from '../host.ts';

export const PLAN_SCHEME = 'mcp-switchboard-plan';

/** The document of a planned call's arguments. */
export function planUri({ id, tool }: PlannedCall): vscode.Uri {
  return vscode.Uri.from({ scheme: PLAN_SCHEME, authority: id, path: `/${tool.replaceAll('/', '_')}.json` });
}

/** The call whose arguments a document holds; `undefined` where it is no longer planned. */
export function plannedAt(host: Host, { authority }: vscode.Uri): PlannedCall | undefined {
  return host.calls.plan.queue.find(({ id }) => id === authority);
}

/** The arguments that a text holds, and what is wrong with them, a sentence each. */
export async function checkArguments(
  host: Host,
  { tool }: PlannedCall,
  text: string,
): Promise<{ readonly args?: JsonObject; readonly mistakes: readonly string[] }> {
  let args: unknown;
  try {
    args = JSON.parse(text);
  } catch (error) {
    return { mistakes: [vscode.l10n.t('This isn’t JSON: {0}', error instanceof Error ? error.message : '')] };
  }
  if (!isRecord(args)) return { mistakes: [vscode.l10n.t('Arguments are a JSON object.')] };
  const schema = host.catalog.find(tool)?.tool.inputSchema;
  return { args: args as JsonObject, mistakes: schema ? await host.validate(schema, args as JsonObject) : [] };
}

/**
 * Has the editor open the arguments of planned calls as JSON documents. Saving checks them against the tool's schema:
 * what doesn't fit is not taken, is said, and stays in the editor.
 */
export function registerPlanFiles(host: Host): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  const times = new Map<string, number>();
  let queue = host.calls.plan.queue;
  let help: Promise<void> | undefined;
  const { plan } = host.calls;
  store.add(
    plan.onDidChange(() => {
      const events = changesBetween(queue, plan.queue);
      queue = plan.queue;
      for (const { uri } of events) times.set(uri.authority, Date.now());
      if (events.length > 0) changed.fire(events);
    }),
  );
  const find = (uri: vscode.Uri): PlannedCall => {
    const planned = plannedAt(host, uri);
    if (planned) return planned;
    throw vscode.FileSystemError.FileNotFound(uri);
  };
  const bytesOf = (uri: vscode.Uri): Uint8Array => Buffer.from(`${JSON.stringify(find(uri).args, undefined, 2)}\n`);
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: (uri) => ({
      type: vscode.FileType.File,
      ctime: find(uri).at,
      mtime: times.get(uri.authority) ?? find(uri).at,
      size: bytesOf(uri).length,
    }),
    readFile: (uri) => {
      help ??= import('./planHelp.ts').then(({ registerPlanHelp }) => void store.add(registerPlanHelp(host)));
      return bytesOf(uri);
    },
    writeFile: async (uri, content) => {
      const planned = find(uri);
      const { args, mistakes } = await checkArguments(host, planned, Buffer.from(content).toString('utf8'));
      if (!args || mistakes.length > 0) throw new vscode.FileSystemError(mistakes.join('; '));
      await plan.update(planned.id, { args });
      void vscode.window.setStatusBarMessage(vscode.l10n.t('The planned call has its new arguments.'), 5_000);
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  store.add(vscode.workspace.registerFileSystemProvider(PLAN_SCHEME, provider, { isCaseSensitive: true }));
  return store;
}

/** What of the documents is another, or gone. */
function changesBetween(before: readonly PlannedCall[], after: readonly PlannedCall[]): vscode.FileChangeEvent[] {
  return before.flatMap((planned) => {
    const now = after.find(({ id }) => id === planned.id);
    if (now?.args === planned.args) return [];
    const type = now ? vscode.FileChangeType.Changed : vscode.FileChangeType.Deleted;
    return [{ type, uri: planUri(planned) }];
  });
}
