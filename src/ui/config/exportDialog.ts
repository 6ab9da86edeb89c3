// Loaded when servers are exported.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { inLines, LINE_LENGTH } from '../../bridge/dialogs/dialogLines.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { notifyNone } from '../nothingToShow.ts';
import { conventionsFor } from '../../config/clients/clientConventions.ts';
import { CLIENT_FORMS } from '../../config/clients/clientForms.ts';
import { exportLink, LINK_KINDS, type LinkKind } from '../../config/clients/exportLinks.ts';
import { exportServers } from '../../config/clients/exportServers.ts';
import { CLIENTS, type ClientId, type ServerEntry } from '../../config/configTypes.ts';
import type { Host } from '../../host/host.ts';
import { askChoice } from '../askChoice.ts';
import { launchLine } from '../servers/serverLabels.ts';

type Form = { readonly client: ClientId } | { readonly link: LinkKind };

/**
 * *Export…*: shows servers in the form of a client, in an editor of their own, or copies a link that adds them. No secret is
 * in it, and what its reader has to do is said.
 * @param given the server of the row that the command was run on
 * @param extensionId for links to this extension
 */
export async function exportInteractively(
  host: Host,
  given: ServerEntry | undefined,
  extensionId: string,
): Promise<void> {
  const entries = given ? [given] : await pickEntries(host);
  if (!entries || entries.length === 0) return;
  const form = await askForm(entries.length);
  if (!form) return;
  await ('client' in form
    ? showExport(entries, form.client)
    : copyLinks(entries, form.link, `${vscode.env.uriScheme}://${extensionId}`));
}

async function pickEntries(host: Host): Promise<readonly ServerEntry[] | undefined> {
  const { t } = vscode.l10n;
  const all = host.views.map(({ definition }) => definition.entry).filter(({ transport }) => transport.type !== 'sdk');
  if (all.length === 0) {
    void notifyNone(host, t('No servers configured.'));
    return undefined;
  }
  const items = all.map((entry) => ({
    label: plainText(entry.name),
    description: plainText(localized(entry.source.label)),
    detail: plainText(launchLine(entry)),
    entry,
  }));
  const options = { canPickMany: true, title: t('Export MCP Servers: Select Servers'), ignoreFocusOut: true } as const;
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, options));
  return picked?.map(({ entry }) => entry);
}

function askForm(count: number): Promise<Form | undefined> {
  const { t } = vscode.l10n;
  const titles = {
    vscode: t('Add Link for VS Code'),
    cursor: t('Add Link for Cursor'),
    switchboard: t('Add Link for MCP Switchboard'),
  } as const;
  const links = LINK_KINDS.map((link) => ({
    label: `$(link) ${titles[link]}`,
    detail: t('Copied; for a README or a message'),
    value: { link } as Form,
  }));
  const clients = CLIENTS.map((client) => ({
    label: `$(json) ${conventionsFor(client).name}`,
    description: CLIENT_FORMS[client].place,
    value: { client } as Form,
  }));
  return askChoice<Form>({
    title: count === 1 ? t('Export 1 Server') : t('Export {0} Servers', count),
    placeHolder: t('Select a form'),
    choices: [...clients, ...links],
    about: t('Secrets'),
    lines: inLines(t('They are left out. What has to be set in their place is shown.'), LINE_LENGTH),
  });
}

async function showExport(entries: readonly ServerEntry[], client: ClientId): Promise<void> {
  const { t } = vscode.l10n;
  const { text, language, notes } = exportServers(entries, client);
  const sign = language === 'toml' ? '#' : '//';
  const { place } = CLIENT_FORMS[client];
  const remarks = [t('For {0} of {1}', place, conventionsFor(client).name), ...notes.map(localized)];
  const content = `${remarks.map((note) => `${sign} ${plainText(note)}\n`).join('')}${text}`;
  await showReadOnlyText(`${client}.${language === 'toml' ? 'toml' : 'jsonc'}`, content);
  await vscode.env.clipboard.writeText(text);
  tell(t('Copied. Paste it into {0}.', place), notes);
}

async function copyLinks(entries: readonly ServerEntry[], kind: LinkKind, place: string): Promise<void> {
  const { t } = vscode.l10n;
  const links = entries.flatMap((entry) => exportLink(entry, kind, place) ?? []);
  await vscode.env.clipboard.writeText(links.map(({ link }) => link).join('\n'));
  tell(
    links.length === 1 ? t('Link copied.') : t('{0} links copied.', links.length),
    links.flatMap(({ notes }) => notes),
  );
}

function tell(done: string, notes: readonly string[]): void {
  void notify(notes.length > 0 ? 'warning' : 'information', [done, ...notes.map(localized)].join(' '));
}
