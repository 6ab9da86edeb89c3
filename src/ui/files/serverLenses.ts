import * as vscode from 'vscode';
import { Debouncer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import type { DocumentReader } from './documentReader.ts';
import { rangeOfSpan } from './fileCompletion.ts';
import { lensTexts } from './lensTexts.ts';

/** Servers pass through several states as they start; one refresh shows them all. */
const REFRESH_DELAY_MS = 100;

/** The line above each server of a file: its state, and what can be done. */
export class ServerLenses implements vscode.CodeLensProvider, Disposable {
  readonly #host: Host;
  readonly #reader: DocumentReader;
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<void>();
  /** What the lines were made of when the editor was last told of a change. */
  #told = '';
  readonly onDidChangeCodeLenses: vscode.Event<void> = this.#changed.event;

  constructor(host: Host, reader: DocumentReader) {
    this.#host = host;
    this.#reader = reader;
    this.#disposables.add(this.#changed);
    const refresh = this.#disposables.add(new Debouncer(REFRESH_DELAY_MS, systemClock, () => this.#tell()));
    this.#disposables.add(host.onDidChange(() => refresh.trigger()));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const outlines = await this.#reader.outlines(document);
    const views = new Map(this.#host.views.map((view) => [placeOf(view), view]));
    return outlines.flatMap(({ source, outline }) =>
      outline.servers.flatMap(({ name, key }) => {
        const view = views.get(`${source.id}\n${name}`);
        const range = rangeOfSpan(document, key);
        return (view ? this.#textsOf(view) : []).map(
          ({ title, command, tooltip }) =>
            new vscode.CodeLens(range, {
              title,
              command,
              arguments: [view?.definition.id],
              ...(tooltip === undefined ? {} : { tooltip }),
            }),
        );
      }),
    );
  }

  #textsOf(view: ServerView): ReturnType<typeof lensTexts> {
    return lensTexts(view, this.#host.catalog.toolsOf(view.definition.id).length);
  }

  /** The editor asks again for every line of every open file, so only where one of them is another. */
  #tell(): void {
    const files = new Set(vscode.window.visibleTextEditors.flatMap(({ document }) => this.#reader.sourcesOf(document).map(({ id }) => id))); // prettier-ignore
    const shown = this.#host.views.filter(({ definition }) => files.has(definition.entry.source.id));
    const now = JSON.stringify(shown.map((view) => [view.definition.id, this.#textsOf(view)]));
    if (now === this.#told) return;
    this.#told = now;
    this.#changed.fire();
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function placeOf({ definition: { entry } }: ServerView): string {
  return `${entry.source.id}\n${entry.name}`;
}
