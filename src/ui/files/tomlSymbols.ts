import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { launchLine } from '../servers/serverLabels.ts';
import type { DocumentReader } from './documentReader.ts';
import { rangeOfSpan } from './fileCompletion.ts';

/** The servers of a TOML file, for the outline and *Go to Symbol in Editor*: the editor itself knows none there. */
export class TomlSymbols implements vscode.DocumentSymbolProvider {
  readonly #reader: DocumentReader;

  constructor(reader: DocumentReader) {
    this.#reader = reader;
  }

  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const [outlines, texts] = await Promise.all([this.#reader.outlines(document), this.#reader.texts(document)]);
    const entries = new Map(texts.flatMap(({ parsed }) => parsed.entries.map((entry) => [entry.name, entry] as const)));
    return outlines.flatMap(({ outline }) =>
      outline.servers.map(({ name, key, whole, value }) => {
        const entry = entries.get(name);
        // Tables of a server begin in front of its name.
        const start = Math.min(key.offset, whole.offset, value.offset);
        const end = Math.max(whole.offset + whole.length, value.offset + value.length);
        return new vscode.DocumentSymbol(
          plainText(name) || ' ',
          entry ? plainText(launchLine(entry)) : '',
          vscode.SymbolKind.Module,
          rangeOfSpan(document, { offset: start, length: end - start }),
          rangeOfSpan(document, key),
        );
      }),
    );
  }
}
