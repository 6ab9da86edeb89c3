// Loaded with the first command about the view itself.
import * as vscode from 'vscode';
import { ownInputs } from '../../../bridge/ownInputs.ts';
import { SORTS, type ServerSort } from './arrangeServers.ts';
import type { ServersTreeData } from './serversTreeData.ts';

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
  } finally {
    input.dispose();
  }
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
