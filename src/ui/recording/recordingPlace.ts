// Loaded with the first command about recordings.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { Recording } from '../../connection/recording/replay/readRecording.ts';
import { serversIn } from '../../connection/recording/replay/recordedScript.ts';
import type { RecordingOptions } from '../../connection/recording/recordingWriter.ts';
import type { Host } from '../../host/host.ts';
import type { Recorder } from '../../connection/recording/recorder.ts';

const FILTER = 'mcprec.jsonl';

/** What a recording of a host is written with. */
export function recordingOptions(
  host: Host,
  recorder: Recorder,
  { packageJSON }: vscode.Extension<unknown>,
): RecordingOptions {
  const { version } = packageJSON as { readonly version: string };
  return {
    by: { name: 'mcp-switchboard', version },
    platform: process.platform,
    nameOf: (server) => host.servers.get(server)?.name ?? server.split(/[/\\:]/).at(-1) ?? server,
    mask: (text) => host.mask(recorder.mask(host.pool.mask(text))),
  };
}

/** A name for a file or a folder, from a server's name and the time; usable on every system. */
export function datedName(about: string, now: Date): string {
  const name = about.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 40);
  return `${name || 'mcp'}-${now.toISOString().slice(0, 19).replaceAll(/[T:]/g, '-')}`;
}

/** Asks where a recording is saved. @param about what it is of, for its name */
export async function askRecordingFile(about: string): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${datedName(about, new Date())}.${FILTER}`;
  const uri = await ownInputs.ask(() =>
    vscode.window.showSaveDialog({
      title: t('Save Recording'),
      filters: { [t('MCP recordings')]: ['jsonl'] },
      ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
    }),
  );
  return uri?.fsPath;
}

/** Asks for a recording. @param given its file, where it is known */
export async function pickRecordingFile(given: unknown): Promise<string | undefined> {
  if (typeof given === 'string') return given;
  if (given instanceof vscode.Uri) return given.fsPath;
  const { t } = vscode.l10n;
  const picked = await ownInputs.ask(() =>
    vscode.window.showOpenDialog({ title: t('Select a Recording'), filters: { [t('MCP recordings')]: ['jsonl'] } }),
  );
  return picked?.[0]?.fsPath;
}

/** One of the servers of a recording. @throws SwitchboardError where it has none */
export async function pickRecordedServer(recording: Recording, placeHolder: string): Promise<string | undefined> {
  const servers = serversIn(recording.lines);
  if (servers.length === 0)
    throw new SwitchboardError('unsupported', vscode.l10n.t('The recording has no message of a server.'));
  if (servers.length === 1) return servers[0];
  const items = servers.map((server) => ({ label: plainText(server), server }));
  return (await ownInputs.ask(() => vscode.window.showQuickPick(items, { placeHolder })))?.server;
}
