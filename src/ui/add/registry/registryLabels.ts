import { localized } from '../../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { plainText } from '../../../bridge/text/safeText.ts';
import type { ServerEntry } from '../../../config/configTypes.ts';
import type { RegistryEntry } from '../../../config/registry/registryEntry.ts';
import { serverOptions, shortName, type ServerOption } from '../../../config/registry/serverJson.ts';
import { launchLines } from '../../../bridge/text/launchLines.ts';
import { builtServer } from '../builtServer.ts';

/** Longest title in the list, in UTF-16 units: what is behind it has to be seen. */
const MAX_LABEL = 60;

/** Who may publish under a name: the owner of a domain or of a GitHub account, as the official registry checks it. */
export function publisherOf(name: string): string {
  const [namespace = ''] = name.split('/');
  const account = /^io\.github\.(.+)$/.exec(namespace)?.[1];
  return account === undefined ? namespace.split('.').toReversed().join('.') : `github.com/${account}`;
}

/** The version of a server that is configured here; `undefined`: none is. */
export function installedVersion(name: string, entries: readonly ServerEntry[]): string | undefined {
  return entries.find(({ registry }) => registry?.name === name)?.registry?.version;
}

/** A row of the list. */
export function registryItem(
  entry: RegistryEntry,
  entries: readonly ServerEntry[],
): vscode.QuickPickItem & { readonly entry: RegistryEntry } {
  const { t } = vscode.l10n;
  const installed = installedVersion(entry.name, entries);
  const marks = [
    ...(entry.status === 'deprecated' ? [`⚠ ${t('deprecated')}`] : []),
    publisherOf(entry.name),
    entry.version,
    ...(installed === undefined
      ? []
      : [installed === entry.version ? t('✓ added') : t('✓ added, version {0}', installed)]),
  ];
  return {
    label: plainText(entry.title ?? entry.name.split('/')[1] ?? entry.name).slice(0, MAX_LABEL),
    description: plainText(marks.join(' · ')),
    detail: plainText(entry.description),
    buttons: [{ iconPath: new vscode.ThemeIcon('info'), tooltip: t('Details') }],
    alwaysShow: true,
    entry,
  };
}

/** All that a registry says of a server, and what it would run, a line each. */
export function registryLines(entry: RegistryEntry): readonly string[] {
  const { t } = vscode.l10n;
  const line = (label: string, text: string | undefined): string[] => (text === undefined ? [] : [`${label}: ${text}`]);
  const options = serverOptions(entry.server, shortName(entry.server));
  return [
    ...(entry.status === 'deprecated'
      ? [`⚠ ${t('Deprecated')}${entry.statusMessage === undefined ? '' : `: ${entry.statusMessage}`}`]
      : []),
    ...(entry.description === '' ? [] : [entry.description]),
    ...line(t('Publisher'), publisherOf(entry.name)),
    ...options.flatMap((option) => ['', ...optionLines(entry, option)]),
    '',
    ...line(t('Name'), entry.name),
    ...line(t('Version'), entry.version),
    ...line(t('Published'), entry.publishedAt),
    ...line(t('Updated'), entry.updatedAt),
    ...line(t('Repository'), entry.repository),
    ...line(t('Website'), entry.websiteUrl),
  ].map(plainText);
}

/** What one package or address would run, and what it takes. */
export function optionLines(entry: RegistryEntry, option: ServerOption): readonly string[] {
  const { t } = vscode.l10n;
  const head =
    option.kind === 'remote' ? t('Address: {0}', option.label) : t('{0} package: {1}', option.kind, option.label);
  if (option.refusal !== undefined) return [head, `⚠ ${localized(option.refusal)}`];
  const server = option.bundle ? undefined : builtServer(entry, option);
  const asked = option.questions.map(({ label, description, isRequired, isSecret }) => {
    const marks = [isRequired ? t('required') : t('optional'), ...(isSecret ? [t('secret')] : [])].join(', ');
    return `${label} (${marks})${description === undefined ? '' : `: ${description}`}`;
  });
  return [
    head,
    ...(server && 'entry' in server ? launchLines(server.entry) : []),
    ...(option.bundle ? [t('Fetched when you select it; what it runs stands in it.')] : []),
    ...(asked.length > 0 ? [t('Takes:'), ...asked.map((text) => `  ${text}`)] : []),
  ];
}
