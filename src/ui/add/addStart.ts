// Loaded when servers are added.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { PasteFault } from '../../config/paste/pasteFault.ts';
import type { PasteContext } from '../../config/paste/readPasted.ts';
import { readEntered, readTyped, type ReadText } from './pasteBox.ts';

/** Ways to add servers that lead to further questions. */
export type AddWay = 'line' | 'npm' | 'pypi' | 'docker' | 'bundle' | 'registry' | 'import';

type Item = vscode.QuickPickItem & { readonly way?: AddWay | 'clipboard'; readonly read?: ReadText };

/** Longest text that is shown of what was entered, in UTF-16 units. */
const MAX_SHOWN = 80;

/**
 * The start of *Add Server…*: a list of ways, whose box takes the servers themselves, too: what can be read of a text that
 * is typed or pasted is offered above the ways, and why it can't be read is said.
 * @param text to begin with: whoever runs the command may give it, so it is only shown
 */
export async function askStart(text: string, context: PasteContext): Promise<ReadText | AddWay | undefined> {
  const { t } = vscode.l10n;
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = t('Add MCP Server');
  pick.placeholder = t('Paste or type a command, a URL or JSON, or select a way');
  pick.ignoreFocusOut = true;
  let ways = wayItems();
  let entered = text;
  let shownFor = '';
  const show = (read?: ReadText | PasteFault): void => {
    const first: Item[] = !read
      ? []
      : 'pasted' in read
        ? [{ label: `$(add) ${t('Add {0}', namesIn(read))}`, read }]
        : [{ label: `$(warning) ${plainText(localized(read.message))}`, detail: plainText(localized(read.fix)) }];
    pick.items = [...first, ...ways].map((item) => ({ ...item, alwaysShow: true }));
    pick.activeItems = pick.items.slice(0, 1);
  };
  const look = (value: string): void => {
    entered = value;
    shownFor = value;
    show(value.trim() === '' ? undefined : readTyped(value, context));
  };
  const take = async (value: string): Promise<ReadText | PasteFault | undefined> => {
    entered = value;
    const read = value.trim() === '' ? undefined : await readEntered(value, context);
    if (entered !== value) return read;
    shownFor = value;
    show(read);
    return read;
  };
  const nameClipboard = async (): Promise<void> => {
    const read = readTyped(await copiedText(), context);
    if (!('pasted' in read)) return;
    ways = ways.map((item) => (item.way === 'clipboard' ? { ...item, description: namesIn(read) } : item));
    if (entered.trim() === '') show();
  };
  try {
    return await ownInputs.ask(
      () =>
        new Promise<ReadText | AddWay | undefined>((resolve) => {
          pick.onDidChangeValue(look);
          pick.onDidHide(() => resolve(undefined));
          pick.onDidAccept(async () => {
            // Enter may be faster than the list.
            const [item] = pick.value.trim() === '' || shownFor === pick.value ? pick.selectedItems : [];
            if (item?.way === 'clipboard') {
              const read = readTyped(await copiedText(), context);
              if ('pasted' in read) resolve(read);
              else show(read);
            } else if (item?.way ?? item?.read) resolve(item?.way ?? item?.read);
            else {
              const read = await take(pick.value);
              if (read && 'pasted' in read) resolve(read);
            }
          });
          pick.value = text;
          look(text);
          // In a browser, looking into it asks the user.
          if (vscode.env.uiKind === vscode.UIKind.Desktop) void nameClipboard();
          pick.show();
        }),
    );
  } finally {
    pick.dispose();
  }
}

async function copiedText(): Promise<string> {
  return Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
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
      detail: t('npx, uvx, docker run, https://…, JSON, TOML, YAML, links'),
    },
    { way: 'clipboard', label: `$(clippy) ${t('From the Clipboard')}` },
    { way: 'registry', label: `$(library) ${t('Browse MCP Registry…')}`, description: t('Search published servers') },
    { way: 'npm', label: `$(package) ${t('npm Package…')}`, description: t('Runs with npx') },
    { way: 'pypi', label: `$(package) ${t('PyPI Package…')}`, description: t('Runs with uvx') },
    { way: 'docker', label: `$(server-environment) ${t('Docker Image…')}`, description: t('Runs with docker run') },
    { way: 'bundle', label: `$(file-zip) ${t('Bundle…')}`, description: t('A local .mcpb or .dxt file') },
    {
      way: 'import',
      label: `$(cloud-download) ${t('Other Clients’ Servers…')}`,
      description: t('Copied from this machine'),
    },
  ];
}
