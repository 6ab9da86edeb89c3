import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { inSlices } from '../../base/timeSlices.ts';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { readOnlyText } from '../../bridge/readOnlyText.ts';
import { plainText } from '../../bridge/safeText.ts';
import { notify } from '../../bridge/showNotification.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { EventMask } from '../../connection/recording/eventMask.ts';
import { readRecording } from '../../connection/recording/readRecording.ts';
import { answerAmong, recordedCalls, type RecordedCall } from '../../connection/recording/recordedCalls.ts';
import type { RecordedEvent } from '../../connection/recording/recordedEvent.ts';
import type { Host } from '../../host/host.ts';
import { pickServer } from '../servers/serverActions.ts';
import { withCancel } from '../withCancel.ts';
import { pickRecordedServer, pickRecordingFile, recordingOptions } from './recordingPlace.ts';
import type { RecordingPorts } from './recordSession.ts';

/** So much of an answer is compared, in characters: the address of a document holds its text. */
const MAX_ANSWER = 20_000;
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
  const calls = await pickCalls(recordedCalls(recording.lines, server));
  if (!calls || calls.length === 0) return;
  const id = await liveServer(host, server);
  if (id === undefined) return;
  const recorder = await host.recorder();
  const answers: string[] = [];
  await withCancel(t('Making recorded calls to {0}', plainText(server)), async (signal) => {
    const mask = new EventMask(recordingOptions(host, recorder, extension).mask);
    for (const call of calls) {
      if (signal.aborted) return;
      const events: RecordedEvent[] = [];
      const subscription = recorder.onEvent((event) => event.server === id && events.push(event));
      try {
        answers.push(shown(await run(host, id, call, signal), await answerOf(events, call, mask)));
      } finally {
        subscription.dispose();
      }
    }
  });
  const made = calls.slice(0, answers.length);
  const recorded = made.map(({ answer }) => shown(undefined, answer));
  const different = recorded.filter((text, index) => text !== answers[index]).length;
  if (different > 0)
    await vscode.commands.executeCommand(
      'vscode.diff',
      readOnlyText('recorded.jsonc', document(made, recorded)),
      readOnlyText('now.jsonc', document(made, answers)),
      t('{0}: Recorded ↔ Now', plainText(server)),
    );
  const text =
    different === 0
      ? t('{0} calls made again: all gave the same.', made.length)
      : t('{0} calls made again: {1} gave something else.', made.length, different);
  void notify('information', text);
}

/** Which of them, with those marked that can't be made again. */
async function pickCalls(all: readonly RecordedCall[]): Promise<readonly RecordedCall[] | undefined> {
  const { t } = vscode.l10n;
  const calls = all.slice(0, MAX_CALLS);
  const possible = calls.filter(({ isMasked }) => !isMasked);
  if (possible.length === 0) {
    void notify('information', t('The recording has no calls that can be made again.'));
    return undefined;
  }
  const items = possible.map((call) => {
    const args = JSON.stringify(call.args);
    const isWhole = args.length <= MAX_ARGS;
    const rest = isWhole ? '' : ` ${t('({0} more characters)', args.length - MAX_ARGS)}`;
    const label = plainText(call.tool);
    // What can't be seen is chosen on purpose.
    return { label, description: `${plainText(args.slice(0, MAX_ARGS))}${rest}`, picked: isWhole, call };
  });
  const masked = calls.length - possible.length;
  const title =
    masked === 0
      ? t('Replay Calls')
      : t('Replay Calls: {0} have secrets taken out of them and are not offered', masked);
  const options = { canPickMany: true, title, ignoreFocusOut: true, placeHolder: t('Select the calls to make again') };
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, { ...options, canPickMany: true }));
  return picked?.map(({ call }) => call);
}

/** The server of that name, or one that the user picks. */
async function liveServer(host: Host, name: string): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const ready = host.views.filter(({ definition }) => definition.status.kind === 'ready');
  const same = ready.find(({ definition }) => definition.name === name);
  const view = same ?? (await pickServer(ready, t('Select the server to call'), t('No servers to call.')));
  return view?.definition.id;
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
function shown(why: string | undefined, answer: unknown): string {
  if (answer === undefined) return why ?? vscode.l10n.t('No answer.');
  const text = JSON.stringify(answer, undefined, 2);
  return text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER)}…` : text;
}

function document(calls: readonly RecordedCall[], answers: readonly string[]): readonly string[] {
  return calls.flatMap(({ tool, args }, index) => [
    `// ${index + 1}. ${plainText(tool)} ${plainText(JSON.stringify(args).slice(0, MAX_ARGS))}`,
    ...(answers[index] ?? '').split('\n'),
    '',
  ]);
}
