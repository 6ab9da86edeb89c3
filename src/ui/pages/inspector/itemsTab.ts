import * as vscode from 'vscode';
import { messageOf } from '../../../base/errors.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { localized } from '../../../bridge/text/localized.ts';
import type { Host } from '../../../host/host.ts';
import type { FormField } from '../forms/formField.ts';
import type { Action, Block } from '../pageContent.ts';
import type { PageRequest } from '../pageMessages.ts';
import { InspectorRuns } from './inspectorRun.ts';
import { formWords } from './events/inspectorWords.ts';

const PROPOSE = 'propose';

/** Something that a server offers beside tools, as a tab shows it. */
export interface InspectedItem {
  /** Unique in its tab. */
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  /** What is known of it before it is asked for. */
  readonly about?: readonly Block[];
  /** What it is asked for with; all values are texts. */
  readonly fields: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  /** The values that the server proposes for a field, with what the others hold; absent: it proposes none. Rejects as it refuses. */
  readonly complete?: (
    field: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
  /** Asks the server for it. */
  fetch(values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly Block[]>;
}

export interface ItemsOptions {
  /** Part of the ids of its controls. */
  readonly id: string;
  readonly label: string;
  readonly none: string;
  readonly button: string;
  /** @param server its name; `undefined`: all that are connected */
  list(
    host: Host,
    server: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly InspectedItem[]; readonly failures: readonly string[] }>;
}

/** What was proposed for the fields of an item. */
interface Proposals {
  readonly key: string;
  /** By field. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly failures: readonly string[];
}

/** *Resources*, *Prompts* or *Skills*: a form for what is asked for, and the answer. */
export class ItemsTab {
  readonly #host: Host;
  readonly #options: ItemsOptions;
  readonly #changed: () => void;
  readonly #runs: InspectorRuns<readonly Block[]>;
  #items: readonly InspectedItem[] = [];
  #failures: readonly string[] = [];
  /** What was listed, or is; absent: to be listed anew. */
  #listed: string | undefined;
  #listing: AbortController | undefined;
  /** What the items are of: they are shown while the same is listed anew. */
  #itemsOf: string | undefined;
  #chosen = '';
  #problems: readonly string[] = [];
  #proposals: Proposals | undefined;
  #proposing: AbortController | undefined;

  constructor(host: Host, options: ItemsOptions, changed: () => void) {
    this.#host = host;
    this.#options = options;
    this.#changed = changed;
    this.#runs = new InspectorRuns(1, changed);
  }

  /** Lists them anew when they are next looked at. */
  forget(): void {
    this.#listing?.abort();
    this.#listing = undefined;
    this.#listed = undefined;
  }

  /** @param server its name; empty: all */
  content(server: string): readonly Block[] {
    const { id, label, none } = this.#options;
    if (this.#listed !== server) void this.#list(server);
    const running: readonly Block[] = this.#listing ? [{ kind: 'text', text: vscode.l10n.t('Running') }] : [];
    if (this.#itemsOf !== server) return running;
    const failures = this.#failures.map((text): Block => ({ kind: 'text', text: oneLine(localized(text)) }));
    const refresh = vscode.l10n.t('List Again');
    const again: Block = { kind: 'buttons', actions: [{ id: `${id} list`, label: refresh, accessibleLabel: refresh }] };
    const item = this.#items.find(({ key }) => key === this.#chosen) ?? this.#items[0];
    if (!item) return [...(this.#listing ? running : [{ kind: 'text', text: none } as const]), ...failures, again];
    const options = this.#items.map((each) => ({ value: each.key, label: oneLine(each.label) }));
    return [
      { kind: 'choice', id: `${id} item`, label, value: item.key, options },
      again,
      ...running,
      ...failures,
      ...(item.detail === '' ? [] : [{ kind: 'text', text: item.detail } as const]),
      ...(item.about ?? []),
      this.#formOf(item),
      ...this.#result(),
    ];
  }

  async take(message: PageRequest): Promise<void> {
    const { id } = this.#options;
    if (message.type === 'choose' && message.id === `${id} item`) {
      this.#chosen = message.value;
      this.#problems = [];
      this.#forgetProposals();
      this.#runs.clear();
    }
    if (message.type === 'act' && message.action === `${id} list`) {
      this.forget();
      for (const { session } of this.#host.pool.all) session?.forgetAnswers();
    }
    if (message.type !== 'submit') return;
    const item = this.#items.find(({ key }) => message.form === `${id} ${key}`);
    const values = item && textsIn(message.text);
    if (!item || !values) return;
    if (message.action === PROPOSE) return void this.#propose(item, values);
    const { t } = vscode.l10n;
    this.#problems = item.fields
      .filter(({ name, required }) => required === true && !values[name])
      .map(({ name }) => `${oneLine(name)}: ${t('Enter a value.')}`);
    if (this.#problems.length === 0) void this.#runs.run((signal) => item.fetch(values, signal));
  }

  /** Not awaited either. */
  async #propose({ key, fields, complete }: InspectedItem, values: Readonly<Record<string, string>>): Promise<void> {
    this.#forgetProposals();
    const { signal } = (this.#proposing = new AbortController());
    const failures = new Set<string>();
    const proposed = await Promise.all(
      fields.map(async ({ name }): Promise<readonly [string, readonly string[]]> => {
        try {
          return [name, (await complete?.(name, values, signal)) ?? []];
        } catch (error) {
          failures.add(messageOf(error));
          return [name, []];
        }
      }),
    );
    if (signal.aborted) return;
    this.#proposals = { key, values: new Map(proposed), failures: [...failures] };
    this.#changed();
  }

  #forgetProposals(): void {
    this.#proposing?.abort();
    this.#proposals = undefined;
  }

  /** Not awaited: a server may take its time, and the page goes on. Never rejects. */
  async #list(server: string): Promise<void> {
    this.forget();
    this.#forgetProposals();
    const listing = new AbortController();
    this.#listing = listing;
    this.#listed = server;
    let found: Awaited<ReturnType<ItemsOptions['list']>>;
    try {
      found = await this.#options.list(this.#host, server || undefined, listing.signal);
    } catch (error) {
      found = { items: [], failures: [messageOf(error)] };
    }
    // Another has begun, or is to.
    if (this.#listing !== listing) return;
    this.#listing = undefined;
    this.#itemsOf = server;
    this.#items = found.items;
    this.#failures = found.failures;
    this.#changed();
  }

  #formOf({ key, label, fields, complete }: InspectedItem): Block {
    const { t } = vscode.l10n;
    const { id, button } = this.#options;
    const proposed = this.#proposals?.key === key ? this.#proposals : undefined;
    const members = fields.map(({ name, description = '', required = false }) => {
      const proposals = proposed?.values.get(name) ?? [];
      const text = { kind: 'text', label: oneLine(name), detail: description, isNullable: false, format: '' } as const;
      return { key: name, isRequired: required, field: proposals.length > 0 ? { ...text, proposals } : text };
    });
    const action = (name: string, words: string): Action => {
      return { id: name, label: words, accessibleLabel: `${words}: ${oneLine(label)}` };
    };
    const failures = proposed?.failures.map((text) => oneLine(localized(text))) ?? [];
    const isEmpty =
      proposed && failures.length === 0 && [...proposed.values.values()].every(({ length }) => length === 0);
    const propose = complete && fields.length > 0 ? [action(PROPOSE, t('Propose Values'))] : [];
    const field: FormField = { kind: 'object', label: '', detail: '', isNullable: false, members };
    return {
      kind: 'form',
      id: `${id} ${key}`,
      title: t('Arguments'),
      field,
      problems: [...this.#problems, ...failures, ...(isEmpty ? [t('The server proposes no values.')] : [])],
      actions: this.#runs.isRunning ? [] : [action('fetch', button), ...propose],
      words: formWords(),
    };
  }

  #result(): readonly Block[] {
    if (this.#runs.isRunning) return [{ kind: 'text', text: vscode.l10n.t('Running') }];
    const outcome = this.#runs.last?.outcome;
    if (!outcome) return [];
    if ('value' in outcome) return outcome.value;
    return [{ kind: 'code', title: vscode.l10n.t('Error'), text: localized(outcome.error) }];
  }
}

/** The texts that a form has sent; `undefined` where it sent something else. */
function textsIn(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
  } catch {
    return undefined;
  }
}
