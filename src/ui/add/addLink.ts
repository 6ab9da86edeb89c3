// Loaded with the first link that adds a server.
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { readLink } from '../../config/paste/ownLinks.ts';
import type { Host } from '../../host/host.ts';
import { askChoice } from '../askChoice.ts';
import { addChosen, whatRuns } from './addChosen.ts';
import { addPortsOf, offerOf, pasteContext, type ExtensionStorage } from './addServer.ts';
import { localized } from '../../bridge/text/localized.ts';

/** One question at a time: a page that opens links by the hundred gets no more. */
const asking = new WeakSet<Host>();

/**
 * A link `vscode://…/add?…`, from any page or program: one question shows everything that would run, with *Cancel* first;
 * nothing is fetched, started or written before. What comes while one is asked about is dropped.
 */
export async function addFromLink(host: Host, storage: ExtensionStorage, { query }: vscode.Uri): Promise<void> {
  const { t } = vscode.l10n;
  if (asking.has(host)) return;
  asking.add(host);
  try {
    const pasted = readLink(query, await pasteContext(host));
    if ('message' in pasted) {
      void notify(
        'warning',
        t(
          'A link to add a server can’t be read. {0}',
          plainText(`${localized(pasted.message)} ${localized(pasted.fix)}`),
        ),
      );
      return;
    }
    const { servers } = pasted;
    const answer = await askChoice<'add' | 'cancel'>({
      title:
        servers.length === 1
          ? t('A Link Wants to Add an MCP Server')
          : t('A Link Wants to Add {0} MCP Servers', servers.length),
      placeHolder: t('Only go on if you trust the page that the link is from.'),
      choices: [
        { label: `$(close) ${t('Cancel')}`, value: 'cancel' },
        { label: `$(add) ${t('Add…')}`, value: 'add' },
      ],
      about: t('What would run'),
      lines: await whatRuns(host, servers, pasted.leftOut),
    });
    if (answer === 'add') await addChosen(host, addPortsOf(host, storage).options, offerOf(pasted));
  } catch (error) {
    void notify('error', localized(messageOf(error)));
  } finally {
    asking.delete(host);
  }
}
