import * as vscode from 'vscode';
import type { ConfigSource } from '../../config/configTypes.ts';
import { outlineOf, type TextOutline } from '../../config/help/serverOutline.ts';
import { parseAnySource } from '../../config/read/parseSource.ts';
import { syntaxOf } from '../../config/syntax/sourceText.ts';
import type { Host } from '../../host/host.ts';
import type { ReadText } from '../../host/textProblems.ts';

/** A source with the places of its servers in a document. */
export interface Outlined {
  readonly source: ConfigSource;
  readonly outline: TextOutline;
}

/** Reads documents as the sources that they are, each version once. */
export class DocumentReader {
  readonly #host: Host;
  readonly #outlines = new WeakMap<vscode.TextDocument, Kept<readonly Outlined[]>>();
  readonly #texts = new WeakMap<vscode.TextDocument, Kept<readonly ReadText[]>>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** The sources that a document is, saved or not; several where a file has servers of several scopes. */
  sourcesOf({ uri }: vscode.TextDocument): readonly ConfigSource[] {
    return this.#host.config.snapshot.results.flatMap(({ source }) =>
      source.file !== undefined && vscode.Uri.file(source.file).fsPath === uri.fsPath ? source : [],
    );
  }

  /** Where the servers stand; fast, also in a text that is being written. */
  outlines(document: vscode.TextDocument): Promise<readonly Outlined[]> {
    const sources = this.sourcesOf(document);
    return kept(this.#outlines, document, sources, async () => {
      const isToml = sources.some((source) => syntaxOf(source) === 'toml');
      const readToml = isToml ? (await import('../../config/syntax/readToml.ts')).readToml : undefined;
      return sources.map((source) => ({ source, outline: outlineOf(source, document.getText(), readToml) }));
    });
  }

  /** What the text says, as the reader of saved files reads it. */
  texts(document: vscode.TextDocument): Promise<readonly ReadText[]> {
    const sources = this.sourcesOf(document);
    return kept(this.#texts, document, sources, () => {
      const text = document.getText();
      return Promise.all(sources.map(async (source) => ({ source, parsed: await parseAnySource(source, text) })));
    });
  }
}

interface Kept<T> {
  readonly version: number;
  readonly sources: string;
  readonly value: Promise<T>;
}

function kept<T>(
  all: WeakMap<vscode.TextDocument, Kept<T>>,
  document: vscode.TextDocument,
  from: readonly ConfigSource[],
  read: () => Promise<T>,
): Promise<T> {
  const { version } = document;
  const sources = from.map(({ id }) => id).join('\n');
  const known = all.get(document);
  if (known?.version === version && known.sources === sources) return known.value;
  const value = read();
  all.set(document, { version, sources, value });
  return value;
}
