import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { installScript, outsideCommand } from '../../bridge/gateway/outside/outsideCommand.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { variablesIn } from '../../config/variables/variableSyntax.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { readRecording } from '../../connection/recording/replay/readRecording.ts';
import { serverOf } from '../../config/paste/readPasted.ts';
import type { Host } from '../../host/host.ts';
import { addPortsOf, type ExtensionStorage } from '../add/addServer.ts';
import { addChosen } from '../add/addChosen.ts';
import { pickRecordedServer, pickRecordingFile } from './recordingPlace.ts';

/**
 * *Replay as Server…*: adds a server that answers as a recorded one did, in the way of *Add Server…*.
 * @param given the file of the recording
 * @returns its name; `undefined` if the user cancelled
 */
export async function replayAsServer(
  host: Host,
  storage: ExtensionStorage,
  given: unknown,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const file = await pickRecordingFile(given);
  if (file === undefined) return undefined;
  const server = await pickRecordedServer(await readRecording(file), t('Select the server to replay'));
  if (server === undefined) return undefined;
  // A stranger named them, and variables are looked up, and commands run, when a server of the user's starts.
  for (const text of [file, server])
    if (variablesIn(text, { percent: true }).length > 0)
      throw new SwitchboardError(
        'unsupported',
        t('“{0}” has a variable in it and can’t be replayed.', plainText(text)),
        {
          remedy: t('Rename it in the recording, or rename the file.'),
        },
      );
  const speeds = [
    { label: t('At the Recorded Speed'), args: [] },
    { label: t('As Fast as Possible'), args: ['--fast'] },
  ];
  const speed = await ownInputs.ask(() => vscode.window.showQuickPick(speeds, { title: t('Replay as Server') }));
  if (!speed) return undefined;
  const folder = path.join(storage.globalStorageUri.fsPath, 'replay');
  const script = path.join(folder, 'replay.js');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await installScript(vscode.Uri.joinPath(storage.extension.extensionUri, 'dist', 'replay.js').fsPath, script);
  const editor = {
    execPath: process.execPath,
    isElectron: process.versions['electron'] !== undefined,
    platform: process.platform,
    searchPath: process.env['PATH'] ?? '',
  };
  const { command, args, env } = outsideCommand(editor, [script, file, '--server', server, ...speed.args]);
  const value = { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
  const made = serverOf({ name: `${server}-replay`, value }, [], new Map(), process.platform);
  if (!('entry' in made)) throw new SwitchboardError('invalid-arguments', t('The recording can’t be a server.'));
  const { options } = addPortsOf(host, storage);
  const outcome = await addChosen(host, options, { servers: [made], notes: [], isOfThisMachine: true });
  return typeof outcome === 'object' ? outcome.names : undefined;
}
