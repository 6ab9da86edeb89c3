import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { plainText } from '../../bridge/safeText.ts';
import type { Listing } from '../../bridge/resources/listing.ts';
import { picked } from '../choice.ts';

export interface OfferItem<T> extends vscode.QuickPickItem {
  readonly offer?: T;
}

export interface OfferPick<T extends { readonly server: string }> {
  readonly title: string;
  readonly placeHolder: string;
  /** Shown if there is nothing to pick. */
  readonly nothing: string;
  load(signal: AbortSignal): Promise<Listing<T>>;
  item(offer: T): OfferItem<T>;
}

/** Lets the user pick a server's item, grouped by server. Opens at once and fills when the servers answer. */
export async function pickOffer<T extends { readonly server: string }>(what: OfferPick<T>): Promise<T | undefined> {
  const pick = vscode.window.createQuickPick<OfferItem<T>>();
  const ending = new AbortController();
  pick.title = what.title;
  pick.placeholder = what.placeHolder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  const fill = async (): Promise<void> => {
    const items = await loaded(what, ending.signal);
    if (ending.signal.aborted) return;
    pick.items = items;
    pick.busy = false;
  };
  void fill();
  try {
    return await picked(pick, ({ offer }) => offer);
  } finally {
    ending.abort();
  }
}

async function loaded<T extends { readonly server: string }>(
  what: OfferPick<T>,
  signal: AbortSignal,
): Promise<readonly OfferItem<T>[]> {
  try {
    const { items: offers, failures } = await what.load(signal);
    const items = [...Map.groupBy(offers, ({ server }) => server)].flatMap(([server, some]): OfferItem<T>[] => [
      { label: plainText(server), kind: vscode.QuickPickItemKind.Separator },
      ...some.map((offer) => what.item(offer)),
    ]);
    const failed = failures.map((failure) => ({ label: `$(warning) ${plainText(failure)}` }));
    return items.length + failed.length === 0 ? [{ label: what.nothing }] : [...items, ...failed];
  } catch (error) {
    return [{ label: `$(warning) ${plainText(messageOf(error))}` }];
  }
}
