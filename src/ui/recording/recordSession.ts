import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { RecordingWriter, saveRecording } from '../../connection/recording/recordingWriter.ts';
import type { Host } from '../../host/host.ts';
import type { Extension } from 'vscode';
import { makeStatusItem } from '../statusItem.ts';
import { askRecordingFile, recordingOptions } from './recordingPlace.ts';

/** What commands about recordings need. */
export interface RecordingPorts {
  readonly host: Host;
  readonly extension: Extension<unknown>;
}

/** The session that is being recorded: one at a time. */
interface RunningSession {
  stop(): Promise<void>;
}

let running: RunningSession | undefined;
let isBeginning = false;

/** Menus offer to stop or to start by this. */
const CONTEXT_KEY = 'mcpSwitchboard.recording';
/** The file is as good as full when nobody thinks of it any more: the status says how far it is. */
const TOLD_EACH = 100;
/** So long a server may take to list its tools for a recording, in milliseconds. */
const LIST_MS = 15_000;

/**
 * *Record Session…*: writes everything that passes from now on to a file of the user's choice, until it is stopped.
 * @param serverId only of this server; `undefined`: of all
 */
export async function startRecording({ host, extension }: RecordingPorts, serverId: string | undefined): Promise<void> {
  const { t } = vscode.l10n;
  if (running || isBeginning) {
    void notify('information', t('A session is being recorded already. Stop it first.'));
    return;
  }
  isBeginning = true;
  try {
    const name = serverId === undefined ? undefined : host.servers.get(serverId)?.name;
    const file = await askRecordingFile(name ?? 'mcp-session');
    if (file === undefined) return;
    const recorder = await host.recorder();
    const writer = await RecordingWriter.begin(file, recordingOptions(host, recorder, extension));
    const disposables = new DisposableStore();
    const item = makeStatusItem('mcpSwitchboard.recording', 90, {
      name: t('MCP Recording'),
      command: 'mcpSwitchboard.stopRecording',
    });
    disposables.add(item);
    const show = (): void => {
      item.text = `$(record) ${t('Recording MCP')}`;
      const lines = [
        t('{0} events, {1} KB: {2}', writer.events, Math.ceil(writer.bytes / 1024), plainText(file)),
        ...(writer.leftOut > 0 ? [t('{0} were left out: too many at once.', writer.leftOut)] : []),
        t('Select to stop.'),
      ];
      item.tooltip = lines.join('\n');
    };
    item.accessibilityInformation = { label: t('MCP servers are being recorded. Select to stop.'), role: 'button' };
    show();
    item.show();
    let heard = 0;
    disposables.add(
      recorder.onEvent((event) => {
        if (serverId !== undefined && event.server !== serverId) return;
        writer.add(event);
        heard += 1;
        if (heard % TOLD_EACH === 1) show();
      }),
    );
    const end = async (): Promise<void> => {
      running = undefined;
      disposables.dispose();
      void vscode.commands.executeCommand('setContext', CONTEXT_KEY, false);
      await writer.stop();
    };
    disposables.add(recorder.onClose(end));
    running = {
      stop: async () => {
        await end();
        tellSaved(file, writer.events, writer.leftOut);
      },
    };
    writer.onEnd = () => {
      const why = writer.end === 'full' ? t('The recording is full: 256 MB.') : t('The recording can’t be written.');
      // What writes it waits for this.
      setImmediate(() => void end().catch(() => undefined));
      void notify('warning', `${why} ${plainText(file)}`);
    };
    void vscode.commands.executeCommand('setContext', CONTEXT_KEY, true);
    const recorded = host.pool.all.filter(({ id }) => serverId === undefined || id === serverId);
    for (const event of recorded.flatMap(({ id }) => recorder.openingOf(id))) writer.add(event);
    // Asked anew, so that they are in the recording; what comes of it there is no matter here.
    for (const { session } of recorded) void session?.listTools(LIST_MS).catch(() => undefined);
  } finally {
    isBeginning = false;
  }
}

/** *Stop Recording* */
export async function stopRecording(): Promise<void> {
  if (running) await running.stop();
  else void notify('information', vscode.l10n.t('No session is being recorded.'));
}

/**
 * *Save What Just Happened…*: what is in memory of the last minutes, as a recording.
 * @param serverId only of this server; `undefined`: of all
 */
export async function saveRecent({ host, extension }: RecordingPorts, serverId: string | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const recorder = await host.recorder();
  // What happens while the user chooses a place isn't what just happened.
  const events = recorder.recent().filter(({ server }) => serverId === undefined || server === serverId);
  const ids = new Set(events.map(({ server }) => server));
  const seen = new Set(events.map(({ seq }) => seq));
  const openings = [...ids].flatMap((id) => recorder.openingOf(id)).filter(({ seq }) => !seen.has(seq));
  if (events.length === 0) {
    void notify('information', t('Nothing is in memory. See the setting “Recorder: Minutes”.'));
    return;
  }
  const name = serverId === undefined ? undefined : host.servers.get(serverId)?.name;
  const file = await askRecordingFile(name ?? 'mcp');
  if (file === undefined) return;
  await saveRecording(file, [...openings, ...events], recordingOptions(host, recorder, extension));
  tellSaved(file, events.length, 0);
}

function tellSaved(file: string, events: number, leftOut: number): void {
  const { t } = vscode.l10n;
  const open = t('Open');
  const where = plainText(file);
  const saved =
    events === 1
      ? t('1 event saved, known secrets masked: {0}', where)
      : t('{0} events saved, known secrets masked: {1}', events, where);
  const text = leftOut > 0 ? `${saved} ${t('{0} were left out: too many at once.', leftOut)}` : saved;
  void notify('information', text, open).then(async (answer) => {
    if (answer !== open) return;
    try {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
    } catch (error) {
      void notify('error', messageOf(error));
    }
  });
}
