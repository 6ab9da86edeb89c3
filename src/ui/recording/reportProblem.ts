import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { saveRecording } from '../../connection/recording/recordingWriter.ts';
import { doctorText, type DoctorPorts } from '../config/doctorCommand.ts';
import { pickServer } from '../servers/serverActions.ts';
import { serverIdOf } from '../servers/chosenServers.ts';
import { datedName, recordingOptions } from './recordingPlace.ts';
import type { RecordingPorts } from './recordSession.ts';

/**
 * *Report a Problem with a Server…*: what just happened with it, what *Doctor* says and the versions, in a folder that the user
 * looks through. Nothing is sent.
 * @param target a row of the view, or a server by name
 */
export async function reportProblem(
  { host, extension }: RecordingPorts,
  doctor: DoctorPorts,
  target: unknown,
): Promise<void> {
  const { t } = vscode.l10n;
  const named = serverIdOf(host, target);
  const view =
    named === undefined
      ? await pickServer(host, host.views, t('Select the server with the problem'), t('No servers configured.'))
      : host.view(named);
  if (!view) return;
  const { id, name } = view.definition;
  const recorder = await host.recorder();
  const events = recorder.recent().filter(({ server }) => server === id);
  const [parent] =
    (await ownInputs.ask(() =>
      vscode.window.showOpenDialog({
        title: t('Select a Folder for the Report'),
        openLabel: t('Create Report'),
        canSelectFiles: false,
        canSelectFolders: true,
      }),
    )) ?? [];
  if (!parent) return;
  const folder = path.join(parent.fsPath, datedName(`report-${name}`, new Date()));
  await mkdir(folder, { mode: 0o700 });
  const options = recordingOptions(host, recorder, extension);
  await saveRecording(path.join(folder, 'recording.mcprec.jsonl'), events, options);
  await writeFile(path.join(folder, 'doctor.md'), options.mask(await doctorText(doctor)), { mode: 0o600 });
  const readMe = path.join(folder, 'README.md');
  await writeFile(readMe, aboutReport(name, events.length), { mode: 0o600 });
  await vscode.window.showTextDocument(vscode.Uri.file(readMe), { preview: true });
  const reveal = t('Show Folder');
  void notify('information', t('The report is in {0}. Nothing was sent.', plainText(folder)), reveal).then(
    async (answer) => {
      if (answer !== reveal) return;
      // In a browser there is no such command.
      const shown = vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(readMe));
      await Promise.resolve(shown).catch(() => undefined);
    },
  );
}

/** In English, as *Doctor* is: whoever gets the report reads it. */
function aboutReport(name: string, events: number): string {
  return `# Report about the MCP server ${plainText(name).replaceAll(/[\\`*_{}[\]()#+!|<>]/g, String.raw`\$&`)}

Look through these files before you give them to anybody. Nothing was sent.

- \`recording.mcprec.jsonl\`: ${events} events, each message between the server and MCP Switchboard among them. Secrets that were known are
  masked as \`•••\`; the data of the calls is not.
- \`doctor.md\`: the servers and files of this window, problems, and versions.

## What happened

## What should have happened
`;
}
