// Loaded when the first planned call is edited.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import type { Host } from '../../host/host.ts';
import { checkArguments, plannedAt, planUri } from './plannedArguments.ts';
import { registerPlanHelp } from './planHelp.ts';

/**
 * The arguments of planned calls as JSON documents. Saving checks them against the tool's schema; arguments that don't fit
 * are refused with a message, and the text stays in the editor.
 */
export class PlanDocuments implements Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  /** Time of the last change, by the call's id. */
  readonly #times = new Map<string, number>();

  /** @param tell reports changed and removed documents */
  constructor(host: Host, tell: (events: vscode.FileChangeEvent[]) => void) {
    this.#host = host;
    const { plan } = host.calls;
    let { queue } = plan;
    this.#disposables.add(
      plan.onDidChange(() => {
        const events = changesBetween(queue, plan.queue);
        ({ queue } = plan);
        for (const { uri } of events) this.#times.set(uri.authority, Date.now());
        if (events.length > 0) tell(events);
      }),
    );
    this.#disposables.add(registerPlanHelp(host));
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { id, at } = this.#find(uri);
    return {
      type: vscode.FileType.File,
      ctime: at,
      mtime: this.#times.get(id) ?? at,
      size: this.read(uri).length,
    };
  }

  read(uri: vscode.Uri): Uint8Array {
    return Buffer.from(`${JSON.stringify(this.#find(uri).args, undefined, 2)}\n`);
  }

  /** Updates the call's arguments. @throws if they don't match the schema, with the reasons */
  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const planned = this.#find(uri);
    const { args, mistakes } = await checkArguments(this.#host, planned, Buffer.from(content).toString('utf8'));
    if (!args || mistakes.length > 0) throw new vscode.FileSystemError(mistakes.join('; '));
    await this.#host.calls.plan.update(planned.id, { args });
    void vscode.window.setStatusBarMessage(vscode.l10n.t('Planned call updated.'), 5_000);
  }

  #find(uri: vscode.Uri): PlannedCall {
    const planned = plannedAt(this.#host, uri);
    if (planned) return planned;
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The documents that changed or were removed. */
function changesBetween(before: readonly PlannedCall[], after: readonly PlannedCall[]): vscode.FileChangeEvent[] {
  return before.flatMap((planned) => {
    const now = after.find(({ id }) => id === planned.id);
    if (now?.args === planned.args) return [];
    const type = now ? vscode.FileChangeType.Changed : vscode.FileChangeType.Deleted;
    return [{ type, uri: planUri(planned) }];
  });
}
