// Loaded with the first header that is set.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { withOwnHeader } from '../../config/edit/ownHeader.ts';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import { askHeaderLine } from '../add/askHeader.ts';
import { writeUpdate } from '../add/registry/writeUpdate.ts';

/** *Set Header…*: asks for a header and writes it into the server's definition; a secret in it stays out of the file. */
export async function setHeader(host: Host, { definition: { entry } }: ServerView): Promise<void> {
  const header = await askHeaderLine(vscode.l10n.t('Set Header of “{0}”', plainText(entry.name)));
  const others = host.config.snapshot.results
    .filter(({ source }) => source.id === entry.source.id)
    .flatMap(({ entries }) => entries.filter(({ name }) => name !== entry.name));
  const next = header && withOwnHeader(entry, header.name, header.value, others);
  if (next) await writeUpdate(host, entry, next.server, { change: next.change, isExact: true });
}
