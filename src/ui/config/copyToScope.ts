// Loaded when the first server is copied or moved by a command.
import { localized } from '../../bridge/text/localized.ts';
import { say } from '../../base/say.ts';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors.ts';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogs/dialogLines.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import type { Host } from '../../host/host.ts';
import { launchLines } from '../../bridge/text/launchLines.ts';
import { askChoice } from '../askChoice.ts';
import { canBeRemoved } from '../servers/canBeRemoved.ts';
import { pickServer } from '../servers/serverActions.ts';
import { copyServers } from './edit/copyServer.ts';
import { savePlaceOf } from './savePlace.ts';
import { availableTargets, targetItem, type Target } from './writeConfig.ts';

/** *Copy to Scope…* and *Move to Scope…*: asks for the scope, which says who sees it, and for the server where none is given. */
export async function copyToScope(
  host: Host,
  options: SourceOptions,
  given: ServerEntry | undefined,
  kind: 'copy' | 'move',
): Promise<void> {
  const { t } = vscode.l10n;
  const isMove = kind === 'move';
  const views = host.views.filter(
    (view) => view.definition.entry.transport.type !== 'sdk' && (!isMove || canBeRemoved(view)),
  );
  const entry =
    given ??
    (
      await pickServer(
        host,
        views,
        isMove ? t('Select a server to move') : t('Select a server to copy'),
        t('No servers configured.'),
      )
    )?.definition.entry;
  if (!entry) return;
  if (!views.some(({ definition }) => definition.entry === entry))
    throw new SwitchboardError(
      'unsupported',
      isMove
        ? say`“${entry.name}” can’t be moved: it is ${entry.source.label}.`
        : say`“${entry.name}” can’t be copied: it is ${entry.source.label}.`,
    );
  const isOneFolder = (vscode.workspace.workspaceFolders?.length ?? 0) <= 1;
  const targets = availableTargets(options).filter(
    (target) => target !== 'session' && !(isOneFolder && isIn(entry, target)),
  );
  const target = await askChoice<Target>({
    title: isMove ? t('Move “{0}” to Scope', plainText(entry.name)) : t('Copy “{0}” to Scope', plainText(entry.name)),
    placeHolder: t('Where to save?'),
    choices: targets.map((each) => ({ ...targetItem<Target>(each), value: each })),
    about: t('Now in {0}', plainText(localized(entry.source.label))),
    lines: launchLines(entry).flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText)),
  });
  const place = target && (await savePlaceOf(target, options));
  if (place) await copyServers(host, [entry], place, { isMove });
}

/** Whether it stands there already. Of the user there are several places: the setting, and files of other clients. */
function isIn({ scope, source }: ServerEntry, target: Target): boolean {
  const isCopilots = source.client === 'copilot';
  if (target === 'repository') return isCopilots && scope === 'workspace';
  if (target === 'copilot') return isCopilots && scope === 'user';
  return target === scope && target !== 'user' && !isCopilots;
}
