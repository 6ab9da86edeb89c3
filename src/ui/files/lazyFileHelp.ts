import * as vscode from 'vscode';
import { Debouncer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { SamplingConsents } from '../../bridge/sampling/samplingConsents.ts';
import type { Host } from '../../host/host.ts';

/** Servers and sources change together; one look sees both. */
const LOOK_DELAY_MS = 20;

export interface FileHelpPorts {
  readonly host: Host;
  /** With the schema that describes the fields. */
  readonly extensionFolder: vscode.Uri;
  readonly consents: SamplingConsents;
}

/** Helps with the files of servers; loaded when one is open, or has a problem. */
export function helpWithFiles(ports: FileHelpPorts): Disposable {
  const { host } = ports;
  const all = new DisposableStore();
  const waiting = all.add(new DisposableStore());
  const look = waiting.add(
    new Debouncer(LOOK_DELAY_MS, systemClock, () => {
      if (!vscode.workspace.textDocuments.some((document) => isOfSource(host, document)) && host.problems.length === 0)
        return;
      waiting.dispose();
      void import('./fileHelp.ts').then(({ FileHelp }) => all.add(new FileHelp(ports)));
    }),
  );
  for (const onDidHappen of [host.config.onDidChange, host.onDidChange, vscode.workspace.onDidOpenTextDocument])
    waiting.add(onDidHappen(() => look.trigger()));
  return all;
}

/** Whether servers are read from a document. */
function isOfSource(host: Host, { uri }: vscode.TextDocument): boolean {
  return host.config.snapshot.results.some(
    ({ source: { file } }) => file && vscode.Uri.file(file).fsPath === uri.fsPath,
  );
}
