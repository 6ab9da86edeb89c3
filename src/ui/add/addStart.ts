// Loaded when servers are added.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { plainText } from '../../bridge/safeText.ts';
import type { PasteContext } from '../../config/paste/readPasted.ts';
import { readEntered, type ReadText } from './pasteBox.ts';

/** Ways to add servers that lead to further questions. */
export type AddWay = 'line' | 'npm' | 'pypi' | 'docker' | 'bundle' | 'registry' | 'import';

type Item = vscode.QuickPickItem & { readonly way?: AddWay; readonly read?: ReadText };

/** Longest text that is shown of what was entered, in UTF-16 units. */
const MAX_SHOWN = 80;

/**
 * The start of *Add Server…*: a list of ways, whose box takes the servers themselves, too: what can be read of a text that
 * is typed or pasted is offered above the ways, and why it can't be read is said.
 * @param text to begin with: whoever runs the command may give it, so it is only shown
 */
export async function askStart(text: string, context: PasteContext): Promise<ReadText | AddWay | undefined> {
  const { t } = vscode.l10n;
  const copied = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
  const clipboard = copied.trim() === '' ? undefined : await readEntered(copied, context);
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = t('Add MCP Server');
  pick.placeholder = t('Paste or type a command, a URL or JSON, or select a way');
  pick.ignoreFocusOut = true;
  const fromClipboard: Item[] =
    clipboard && 'pasted' in clipboard
      ? [{ label: `$(clippy) ${t('From the Clipboard')}`, detail: namesIn(clipboard), read: clipboard }]
      : [];
  const ways = [...fromClipboard, ...wayItems()].map((item) => ({ ...item, alwaysShow: true }));
  const show = async (value: string): Promise<void> => {
    const read = value.trim() === '' ? undefined : await readEntered(value, context);
    if (pick.value !== value) return;
    const first: Item[] = !read
      ? []
      : 'pasted' in read
        ? [{ label: `$(add) ${t('Add {0}', namesIn(read))}`, read }]
        : [{ label: `$(warning) ${plainText(read.message)}`, detail: plainText(read.fix) }];
    pick.items = [...first.map((item) => ({ ...item, alwaysShow: true })), ...ways];
    pick.activeItems = pick.items.slice(0, 1);
  };
  try {
    return await ownInputs.ask(
      () =>
        new Promise<ReadText | AddWay | undefined>((resolve) => {
          pick.onDidChangeValue((value) => void show(value));
          pick.onDidHide(() => resolve(undefined));
          pick.onDidAccept(async () => {
            const { value } = pick;
            const [item] = pick.selectedItems;
            if (item?.way ?? item?.read) return resolve(item?.way ?? item?.read);
            // Enter may be faster than the list.
            const read = value.trim() === '' ? undefined : await readEntered(value, context);
            if (read && 'pasted' in read) resolve(read);
            else await show(value);
          });
          pick.value = text;
          pick.items = ways;
          void show(text);
          pick.show();
        }),
    );
  } finally {
    pick.dispose();
  }
}

function namesIn({ pasted }: ReadText): string {
  const names = pasted.servers.map(({ entry }) => entry.name).join(', ');
  return plainText(names.length > MAX_SHOWN ? `${names.slice(0, MAX_SHOWN)}…` : names);
}

function wayItems(): readonly Item[] {
  const { t } = vscode.l10n;
  return [
    {
      way: 'line',
      label: `$(terminal) ${t('Command or URL…')}`,
      detail: t('npx, uvx, docker run, https://…; also JSON, TOML or YAML of any client, and install links'),
    },
    { way: 'registry', label: `$(library) ${t('Browse MCP Registry…')}`, description: t('Search published servers') },
    { way: 'npm', label: `$(package) ${t('npm Package…')}`, description: t('Runs with npx') },
    { way: 'pypi', label: `$(package) ${t('PyPI Package…')}`, description: t('Runs with uvx') },
    { way: 'docker', label: `$(server-environment) ${t('Docker Image…')}`, description: t('Runs with docker run') },
    { way: 'bundle', label: `$(file-zip) ${t('Bundle…')}`, description: t('A local .mcpb or .dxt file') },
    {
      way: 'import',
      label: `$(cloud-download) ${t('Other Clients’ Servers…')}`,
      description: t('Copies definitions that this machine has'),
    },
  ];
}
