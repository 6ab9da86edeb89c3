import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { inSlices } from '../../base/timeSlices.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { readOnlyText } from '../../bridge/readOnlyText.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { EventMask } from '../../connection/recording/eventMask.ts';
import { readRecording } from '../../connection/recording/replay/readRecording.ts';
import { answerAmong, recordedCalls, type RecordedCall } from '../../connection/recording/replay/recordedCalls.ts';
import type { RecordedEvent } from '../../connection/recording/recordedEvent.ts';
import type { Host } from '../../host/host.ts';
import { pickServer } from '../servers/serverActions.ts';
import { withCancel } from '../withCancel.ts';
import { pickRecordedServer, pickRecordingFile, recordingOptions } from './recordingPlace.ts';
import type { RecordingPorts } from './recordSession.ts';

/** So much of an answer is compared, and of all together, in characters: the address of a document holds its text. */
const MAX_ANSWER = 20_000;
const MAX_ANSWERS = 400_000;
const MAX_ARGS = 200;
const MAX_CALLS = 200;

/** *Replay Calls…*: makes recorded calls again, under the same policy as any call, and shows what is different now. */
export async function replayCalls({ host, extension }: RecordingPorts, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const file = await pickRecordingFile(given);
  if (file === undefined) return;
  const recording = await readRecording(file);
  const server = await pickRecordedServer(recording, t('Select the server whose calls are made again'));
  if (server === undefined) return;
  const all = recordedCalls(recording.lines, server).slice(0, MAX_CALLS);
  const possible = all.filter(({ isMasked }) => !isMasked);
  if (possible.length === 0) {
    void notify('information', t('The recording has no calls that can be made again.'));
    return;
  }
  const target = await liveServer(host, server);
  if (!target) return;
  const { id, name } = target;
  const calls = await pickCalls(possible, all.length - possible.length, name);
  if (!calls || calls.length === 0) return;
  const most = Math.min(MAX_ANSWER, Math.floor(MAX_ANSWERS / calls.length));
  const recorder = await host.recorder();
  const answers: string[] = [];
  await withCancel(t('Making recorded calls to {0}', plainText(name)), async (signal) => {
    const mask = new EventMask(recordingOptions(host, recorder, extension).mask);
    for (const call of calls) {
      if (signal.aborted) return;
      const events: RecordedEvent[] = [];
      const subscription = recorder.onEvent((event) => event.server === id && events.push(event));
      try {
        answers.push(shown(await run(host, id, call, signal), await answerOf(events, call, mask), most));
      } finally {
        subscription.dispose();
      }
    }
  });
  const made = calls.slice(0, answers.length);
  const recorded = made.map(({ answer }) => shown(undefined, answer, most));
  const different = recorded.filter((text, index) => text !== answers[index]).length;
  if (different > 0)
    await vscode.commands.executeCommand(
      'vscode.diff',
      readOnlyText('recorded.jsonc', document(made, recorded)),
      readOnlyText('now.jsonc', document(made, answers)),
      t('{0}: Recorded ↔ Now', plainText(server)),
    );
  void notify('information', toldOf(made.length, different));
}

function toldOf(calls: number, different: number): string {
  const { t } = vscode.l10n;
  if (calls === 1)
    return different === 0
      ? t('1 call made again: it gave the same.')
      : t('1 call made again: it gave something else.');
  if (different === 0) return t('{0} calls made again: all gave the same.', calls);
  return t('{0} calls made again: {1} gave something else.', calls, different);
}

/**
 * Which of them. None is ticked: a stranger may have recorded them.
 * @param masked how many can't be made again
 * @param server that is called
 */
async function pickCalls(
  possible: readonly RecordedCall[],
  masked: number,
  server: string,
): Promise<readonly RecordedCall[] | undefined> {
  const { t } = vscode.l10n;
  const items = possible.map((call) => {
    const args = JSON.stringify(call.args);
    const rest = args.length <= MAX_ARGS ? '' : ` ${t('({0} more characters)', args.length - MAX_ARGS)}`;
    return { label: plainText(call.tool), description: `${plainText(args.slice(0, MAX_ARGS))}${rest}`, call };
  });
  const to = plainText(server);
  const title =
    masked === 0
      ? t('Replay Calls to {0}', to)
      : t('Replay Calls to {0}: {1} have secrets taken out of them and are not offered', to, masked);
  const options = { canPickMany: true, title, ignoreFocusOut: true, placeHolder: t('Select the calls to make again') };
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, { ...options, canPickMany: true }));
  return picked?.map(({ call }) => call);
}

/** The server of that name, or one that the user picks. */
async function liveServer(
  host: Host,
  name: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { t } = vscode.l10n;
  const ready = host.views.filter(({ definition }) => definition.status.kind === 'ready');
  const same = ready.find(({ definition }) => definition.name === name);
  const view = same ?? (await pickServer(host, ready, t('Select the server to call'), t('No servers to call.')));
  return view?.definition;
}

/** @returns why it didn't run, or gave nothing */
async function run(host: Host, id: string, call: RecordedCall, signal: AbortSignal): Promise<string | undefined> {
  const isMeant = (tool: CatalogTool): boolean => tool.serverId === id && underlyingOf(tool).name === call.tool;
  const tool = host.catalog.tools.find(isMeant);
  if (!tool) return vscode.l10n.t('The server has no such tool now.');
  try {
    await host.broker.call({ name: tool.name, args: call.args, surface: 'run-again', signal });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function answerOf(events: readonly RecordedEvent[], call: RecordedCall, mask: EventMask): Promise<unknown> {
  const masked = await Promise.all(events.map((event) => inSlices(mask.masked(event))));
  return answerAmong(masked, call);
}

/** An answer as it is compared; without one, why there is none. */
function shown(why: string | undefined, answer: unknown, most: number): string {
  const text = answer === undefined ? (why ?? vscode.l10n.t('No answer.')) : JSON.stringify(answer, undefined, 2);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function document(calls: readonly RecordedCall[], answers: readonly string[]): readonly string[] {
  return calls.flatMap(({ tool, args }, index) => [
    `// ${index + 1}. ${plainText(tool)} ${plainText(JSON.stringify(args).slice(0, MAX_ARGS))}`,
    ...(answers[index] ?? '').split('\n'),
    '',
  ]);
}
