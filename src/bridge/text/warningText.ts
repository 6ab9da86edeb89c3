import * as vscode from 'vscode';
import { oneLine } from '../../base/text/showInvisible.ts';
import type { ToolWarning } from '../../catalog/names/lookAlikeTools.ts';
import type { NameWarning } from '../../servers/trust/lookAlikeNames.ts';

/** What is odd about the name of a server, as a sentence. */
export function serverWarning(name: string, warning: NameWarning): string {
  const { t } = vscode.l10n;
  switch (warning.kind) {
    case 'invisible':
      return t('The server’s name has invisible characters: {0}.', written(name));
    case 'scripts':
      return t('The server’s name mixes letters of different scripts: {0}.', warning.scripts.join(', '));
    case 'like':
      return t('The server’s name looks like the name of another server, {0}.', written(warning.other));
  }
}

/** What is odd about a name, in a few words. */
export function warningMark(warning: NameWarning): string {
  const { t } = vscode.l10n;
  switch (warning.kind) {
    case 'invisible':
      return t('invisible characters in its name');
    case 'scripts':
      return t('letters of different scripts');
    case 'like':
      return t('looks like {0}', written(warning.other));
  }
}

/** What is odd about the names of a tool and its server, as a sentence. */
export function toolWarning(serverName: string, toolName: string, { of, warning, server }: ToolWarning): string {
  if (of === 'server') return serverWarning(serverName, warning);
  const { t } = vscode.l10n;
  switch (warning.kind) {
    case 'invisible':
      return t('The tool’s name has invisible characters: {0}.', written(toolName));
    case 'scripts':
      return t('The tool’s name mixes letters of different scripts: {0}.', warning.scripts.join(', '));
    case 'like':
      return t('The tool’s name looks like {0} on the server {1}.', written(warning.other), written(server ?? ''));
  }
}

/** A name with all in it that isn't seen written out, blanks at its ends, too. */
function written(name: string): string {
  return oneLine(name).replaceAll(/^ +| +$| {2,}/g, (blanks) => String.raw`\u{20}`.repeat(blanks.length));
}
