import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { Listing } from '../../bridge/resources/listOffered.ts';
import { picked } from '../../bridge/dialogs/pickedRow.ts';
import { localized } from '../../bridge/text/localized.ts';

/** A server's item in a quick pick. */
export interface ItemPick<T> extends vscode.QuickPickItem {
  readonly item?: T;
}

export interface ItemPickOptions<T extends { readonly server: string }> {
  readonly title: string;
  readonly placeHolder: string;
  /** Shown if there is nothing to pick. */
  readonly nothing: string;
  load(signal: AbortSignal): Promise<Listing<T>>;
  toPick(item: T): ItemPick<T>;
}

/** Lets the user pick a server's item, grouped by server. Opens at once and fills when the servers answer. */
export async function pickItem<T extends { readonly server: string }>(
  options: ItemPickOptions<T>,
): Promise<T | undefined> {
  const pick = vscode.window.createQuickPick<ItemPick<T>>();
  const ending = new AbortController();
  pick.title = options.title;
  pick.placeholder = options.placeHolder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  const fill = async (): Promise<void> => {
    const items = await loaded(options, ending.signal);
    if (ending.signal.aborted) return;
    pick.items = items;
    pick.busy = false;
  };
  void fill();
  try {
    return await picked(pick, ({ item }) => item);
  } finally {
    ending.abort();
  }
}

async function loaded<T extends { readonly server: string }>(
  options: ItemPickOptions<T>,
  signal: AbortSignal,
): Promise<readonly ItemPick<T>[]> {
  try {
    const { items: found, failures } = await options.load(signal);
    const items = [...Map.groupBy(found, ({ server }) => server)].flatMap(([server, some]): ItemPick<T>[] => [
      { label: plainText(server), kind: vscode.QuickPickItemKind.Separator },
      ...some.map((item) => options.toPick(item)),
    ]);
    const failed = failures.map((failure) => ({ label: `$(warning) ${plainText(failure)}` }));
    return items.length + failed.length === 0 ? [{ label: options.nothing }] : [...items, ...failed];
  } catch (error) {
    return [{ label: `$(warning) ${plainText(localized(messageOf(error)))}` }];
  }
}
