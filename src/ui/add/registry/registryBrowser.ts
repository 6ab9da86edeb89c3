// Loaded with *Browse MCP Registry…*.
import * as vscode from 'vscode';
import { messageOf, SwitchboardError } from '../../../base/errors.ts';
import { ownInputs } from '../../../bridge/dialogs/ownInputs.ts';
import { showReadOnlyText } from '../../../bridge/readOnlyText.ts';
import { listLines } from '../../../bridge/dialogs/dialogLines.ts';
import { plainText } from '../../../bridge/text/safeText.ts';
import { notify } from '../../../bridge/dialogs/showNotification.ts';
import type { ServerEntry } from '../../../config/configTypes.ts';
import { RegistryClient } from '../../../config/registry/registryClient.ts';
import { hasOptions, type RegistryEntry } from '../../../config/registry/registryEntry.ts';
import type { Host } from '../../../host/host.ts';
import { readRegistryUrl } from '../../../platform/settings/registrySettings.ts';
import type { AddOutcome } from '../addChosen.ts';
import { addPortsOf, type AddPorts, type ExtensionStorage } from '../addServer.ts';
import { registryItem, registryLines } from './registryLabels.ts';
import { localized } from '../../../bridge/text/localized.ts';

/** After the last key; every search is a request. */
const DEBOUNCE_MS = 250;
/** Of one search; more is found by a longer text. */
const MAX_ENTRIES = 600;

/** What the list was when a server was selected, so that *Back* finds it again. */
interface Listed {
  readonly search: string;
  readonly entries: readonly RegistryEntry[];
  readonly nextCursor?: string;
}

/** *Browse MCP Registry…* of the palette; there is nothing to go back to. */
export async function browseFromPalette(host: Host, storage: ExtensionStorage): Promise<void> {
  await browseRegistry(addPortsOf(host, storage));
}

/** Search, details, and adding. @returns `edit` for *Back* */
export async function browseRegistry(ports: AddPorts): Promise<AddOutcome> {
  const client = new RegistryClient({ url: readRegistryUrl(), fetch: ports.fetch });
  let listed: Listed | undefined;
  for (;;) {
    const picked = await pickEntry(client, ports, listed);
    if (picked === undefined) return undefined;
    if (picked === 'back') return 'edit';
    ({ listed } = picked);
    const { installEntry } = await import('./registryInstall.ts');
    const outcome = await installEntry(ports, client, picked.entry);
    if (outcome !== 'edit') return outcome;
  }
}

type Item = vscode.QuickPickItem & { readonly entry?: RegistryEntry; readonly next?: 'more' | 'again' };

async function pickEntry(
  client: RegistryClient,
  { host }: AddPorts,
  known: Listed | undefined,
): Promise<{ readonly entry: RegistryEntry; readonly listed: Listed } | 'back' | undefined> {
  const { t } = vscode.l10n;
  const configured = host.views.map(({ definition }) => definition.entry);
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = t('MCP Registry {0}', client.host);
  pick.placeholder = t('Search by name');
  pick.ignoreFocusOut = true;
  pick.buttons = [vscode.QuickInputButtons.Back];
  pick.value = known?.search ?? '';
  const search = new RegistrySearch(client, (state) => {
    pick.busy = state.isBusy;
    pick.items = itemsOf(state, configured);
    const again = pick.items.find(({ next }) => next === 'again');
    // Enter tries again; the row above it only says why.
    if (again) pick.activeItems = [again];
  });
  if (known) search.show(known);
  else search.start('');
  try {
    return await ownInputs.ask(
      () =>
        new Promise<{ readonly entry: RegistryEntry; readonly listed: Listed } | 'back' | undefined>((resolve) => {
          pick.onDidChangeValue((value) => search.start(value, DEBOUNCE_MS));
          pick.onDidTriggerButton(() => resolve('back'));
          pick.onDidTriggerItemButton(({ item: { entry } }) => entry && void showDetails(entry));
          pick.onDidHide(() => resolve(undefined));
          pick.onDidAccept(() => {
            const [item] = pick.selectedItems;
            if (item?.next === 'more') void search.more();
            else if (item?.next === 'again') search.start(pick.value);
            else if (item?.entry) resolve({ entry: item.entry, listed: search.listed });
          });
          pick.show();
        }),
    );
  } finally {
    search.dispose();
    pick.dispose();
  }
}

async function showDetails(entry: RegistryEntry): Promise<void> {
  try {
    await showReadOnlyText(`${entry.name} ${entry.version}.txt`, registryLines(entry).join('\n'));
  } catch (error) {
    void notify('error', localized(messageOf(error)));
  }
}

interface SearchState extends Listed {
  readonly isBusy: boolean;
  readonly unread: number;
  readonly failure?: { readonly message: string; readonly remedy?: string };
}

/** What is found, page by page. A new search ends the one before. */
class RegistrySearch {
  #state: SearchState = { search: '', entries: [], unread: 0, isBusy: false };
  #aborter = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #client: RegistryClient;
  readonly #show: (state: SearchState) => void;

  constructor(client: RegistryClient, show: (state: SearchState) => void) {
    this.#client = client;
    this.#show = show;
  }

  get listed(): Listed {
    return this.#state;
  }

  show(listed: Listed): void {
    this.#set({ ...listed, unread: 0, isBusy: false });
  }

  start(search: string, afterMs = 0): void {
    this.dispose();
    this.#aborter = new AbortController();
    this.#timer = setTimeout(() => void this.#load({ search, entries: [] }), afterMs);
    this.#set({ ...this.#state, isBusy: true });
  }

  async more(): Promise<void> {
    if (!this.#state.isBusy) await this.#load(this.#state);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#aborter.abort();
  }

  async #load({ search, entries, nextCursor }: Listed): Promise<void> {
    const { signal } = this.#aborter;
    const before = entries.length > 0 ? this.#state.unread : 0;
    this.#set({ ...this.#state, isBusy: true });
    try {
      const page = await this.#client.search(search, nextCursor, signal);
      if (signal.aborted) return;
      const known = new Set(entries.map(({ name }) => name));
      const fresh = page.entries.filter((entry) => !known.has(entry.name) && hasOptions(entry));
      const all = [...entries, ...fresh].slice(0, MAX_ENTRIES);
      const next = page.nextCursor === undefined || all.length >= MAX_ENTRIES ? {} : { nextCursor: page.nextCursor };
      this.#set({ search, entries: all, ...next, unread: before + page.unread, isBusy: false });
    } catch (error) {
      if (signal.aborted) return;
      this.#set({
        search,
        entries,
        ...(nextCursor === undefined ? {} : { nextCursor }),
        unread: before,
        isBusy: false,
        failure: failureOf(error),
      });
    }
  }

  #set(state: SearchState): void {
    this.#state = state;
    this.#show(state);
  }
}

function failureOf(error: unknown): NonNullable<SearchState['failure']> {
  if (!(error instanceof SwitchboardError)) return { message: localized(messageOf(error)) };
  const { message, remedy } = error;
  return { message: localized(message), ...(remedy === undefined ? {} : { remedy: localized(remedy) }) };
}

function itemsOf(
  { entries, nextCursor, failure, unread, isBusy }: SearchState,
  configured: readonly ServerEntry[],
): readonly Item[] {
  const { t } = vscode.l10n;
  const shown = (label: string, more: Partial<Item> = {}): Item => ({ label, alwaysShow: true, ...more });
  return [
    ...entries.map((entry) => registryItem(entry, configured)),
    ...(failure === undefined
      ? []
      : [
          ...listLines([failure.message, ...(failure.remedy === undefined ? [] : [failure.remedy])]).map(
            (line, place) => shown((place === 0 ? '$(warning) ' : '') + plainText(line)),
          ),
          shown(`$(refresh) ${t('Try Again')}`, { next: 'again' }),
        ]),
    ...(entries.length === 0 && failure === undefined
      ? [shown(isBusy ? t('Searching…') : t('No servers found.'))]
      : []),
    ...(nextCursor === undefined || failure !== undefined
      ? []
      : [shown(`$(ellipsis) ${t('Load More')}`, { next: 'more' })]),
    ...(unread > 0 ? [shown(`$(warning) ${t('{0} entries of the registry can’t be read.', unread)}`)] : []),
  ];
}
