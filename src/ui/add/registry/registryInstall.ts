// Loaded with the first server of a registry that is selected.
import { say } from '../../../base/say.ts';
import * as vscode from 'vscode';
import { LINE_LENGTH, wrapped } from '../../../bridge/dialogs/dialogLines.ts';
import { plainText } from '../../../bridge/text/safeText.ts';
import type { RegistryClient } from '../../../config/registry/registryClient.ts';
import type { RegistryEntry } from '../../../config/registry/registryEntry.ts';
import { serverOptions, shortName, type ServerOption } from '../../../config/registry/serverJson.ts';
import { askChoice, type Choice } from '../../askChoice.ts';
import { addChosen, type AddOutcome } from '../addChosen.ts';
import type { AddPorts } from '../addServer.ts';
import { builtServer } from '../builtServer.ts';
import { unlessCancelled } from '../../withCancel.ts';
import { registryLines } from './registryLabels.ts';
import { askSetup } from '../setupDialog.ts';

type Answer = ServerOption | 'versions' | 'back';

/** Shows a server of a registry with all that it would run, asks for what it takes, and adds it. @returns `edit` for *Back* */
export async function installEntry(ports: AddPorts, client: RegistryClient, found: RegistryEntry): Promise<AddOutcome> {
  const { t } = vscode.l10n;
  for (let entry = found; ;) {
    const options = serverOptions(entry.server, shortName(entry.server));
    const answer = await askChoice<Answer>({
      title: plainText(`${entry.title ?? entry.name} ${entry.version}`),
      placeHolder: t('Select what to add'),
      choices: [
        ...options.filter(({ refusal }) => refusal === undefined).map(optionChoice),
        { label: `$(history) ${t('Other Versions…')}`, value: 'versions' },
      ],
      about: t('From the registry; nothing of it is checked here'),
      lines: registryLines(entry).flatMap((line) => wrapped(line, LINE_LENGTH)),
      back: 'back',
    });
    if (answer === undefined) return undefined;
    if (answer === 'back') return 'edit';
    if (answer === 'versions') {
      entry = (await pickVersion(client, entry)) ?? entry;
      continue;
    }
    const outcome = await addOption(ports, entry, answer);
    if (outcome !== 'edit') return outcome;
  }
}

function optionChoice(option: ServerOption): Choice<Answer> {
  const { t } = vscode.l10n;
  const { kind, label } = option;
  return kind === 'remote'
    ? { label: `$(globe) ${t('Add Address')}`, description: plainText(label), value: option }
    : { label: `$(package) ${t('Add {0} Package', plainText(kind))}`, description: plainText(label), value: option };
}

async function pickVersion(client: RegistryClient, entry: RegistryEntry): Promise<RegistryEntry | undefined> {
  const { t } = vscode.l10n;
  const versions = await unlessCancelled(t('Reading the versions of {0}', plainText(entry.name)), (signal) =>
    client.versions(entry.name, signal),
  );
  return (
    versions &&
    askChoice<RegistryEntry>({
      title: plainText(entry.name),
      placeHolder: t('Select a version'),
      choices: versions.slice(0, 200).map((each) => ({
        label: plainText(each.version),
        description: plainText(
          [each.publishedAt?.slice(0, 10) ?? '', each.status === 'deprecated' ? t('deprecated') : '']
            .filter(Boolean)
            .join(' · '),
        ),
        value: each,
      })),
      about: t('Versions'),
      lines: [String(versions.length)],
    })
  );
}

async function addOption(ports: AddPorts, entry: RegistryEntry, option: ServerOption): Promise<AddOutcome> {
  if (option.bundle) {
    const { addFetchedBundle } = await import('../addBundle.ts');
    return addFetchedBundle(ports, option.bundle, { name: entry.name, version: entry.version });
  }
  const notes =
    entry.status === 'deprecated'
      ? [vscode.l10n.t('Deprecated by its publisher. {0}', entry.statusMessage ?? '').trim()]
      : [];
  for (;;) {
    const answers = await askSetup(entry.title ?? entry.name, option.questions);
    if (answers === undefined) return undefined;
    if (answers === 'back') return 'edit';
    const server = builtServer(entry, option, answers);
    if ('message' in server) throw new Error(say`${server.message} ${server.fix}`);
    const outcome = await addChosen(ports.host, ports.options, { servers: [server], notes });
    // Without questions there is none to go back to.
    if (outcome !== 'edit' || option.questions.length === 0) return outcome;
  }
}
