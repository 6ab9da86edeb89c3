// Loaded with the first command about the view itself.
import * as vscode from 'vscode';
import { ownInputs } from '../../../bridge/dialogs/ownInputs.ts';
import { SORTS, type ServerSort } from './arrangeServers.ts';
import type { ServersTree } from '../serversTree.ts';
import type { ServersTreeData } from './serversTreeData.ts';

/** Where all rows are gone, the button in their place gets the focus: the next key would go nowhere. */
const FOCUS = 'mcpSwitchboard.servers.focus';

/** *Filter Servers…*: shows what fits while the user types; Escape puts back what was there. */
export async function filterServers(data: ServersTreeData): Promise<void> {
  const { t } = vscode.l10n;
  const before = data.arrangement.filter;
  const input = vscode.window.createInputBox();
  input.title = t('Filter Servers');
  input.placeholder = t('Words in a server’s name, scope, file or state, or in a tool’s name');
  input.value = before;
  input.ignoreFocusOut = true;
  try {
    const accepted = await ownInputs.ask(
      () =>
        new Promise<boolean>((resolve) => {
          input.onDidChangeValue((value) => void data.arrange({ filter: value.trim() }));
          input.onDidAccept(() => resolve(true));
          input.onDidHide(() => resolve(false));
          input.show();
        }),
    );
    await data.arrange({ filter: accepted ? input.value.trim() : before });
    if (accepted && (await data.children()).length === 0) await vscode.commands.executeCommand(FOCUS);
  } finally {
    input.dispose();
  }
}

/** *Clear Server Filter*: the button that had the focus is gone then, so the first row gets it. */
export async function clearServerFilter(tree: ServersTree): Promise<void> {
  await (await tree.data()).arrange({ filter: '' });
  const [first] = await tree.getChildren();
  if (first) await tree.view.reveal(first, { select: false, focus: true });
  else await vscode.commands.executeCommand(FOCUS);
}

/** *Sort Servers…* */
export async function sortServers(data: ServersTreeData): Promise<void> {
  const { t } = vscode.l10n;
  const items = SORTS.map((sort) => ({
    label: sortLabel(sort),
    ...(sort === data.arrangement.sort ? { description: t('current') } : {}),
    sort,
  }));
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, { title: t('Sort Servers By') }));
  if (picked) await data.arrange({ sort: picked.sort });
}

function sortLabel(sort: ServerSort): string {
  const { t } = vscode.l10n;
  switch (sort) {
    case 'defined':
      return t('Place in File');
    case 'name':
      return t('Name');
    case 'state':
      return t('State, Problems First');
    case 'tools':
      return t('Number of Tools');
  }
}
