import * as vscode from 'vscode';
import { localized } from '../../bridge/text/localized.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { Suggestion } from '../../config/help/suggestion.ts';
import { suggestionsAt } from '../../config/help/suggestionsAt.ts';
import { placeAt } from '../../config/help/textPlace.ts';
import { syntaxOf, type Span } from '../../config/syntax/sourceText.ts';
import type { DocumentReader } from './documentReader.ts';
import type { KnownNames } from './knownNames.ts';

/** Completes what the editor's JSON language server doesn't. */
export class FileCompletion implements vscode.CompletionItemProvider {
  readonly #reader: DocumentReader;
  readonly #names: KnownNames;

  constructor(reader: DocumentReader, names: KnownNames) {
    this.#reader = reader;
    this.#names = names;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionList | undefined> {
    const offset = document.offsetAt(position);
    const text = document.getText();
    const outlines = await this.#reader.outlines(document);
    const items = new Map<string, vscode.CompletionItem>();
    for (const { source, outline } of outlines) {
      const syntax = syntaxOf(source);
      const place = placeAt(text, syntax, offset);
      if (!place) continue;
      const known = await this.#names.known(source, outline.root, place.path);
      const suggestions = suggestionsAt({ text, syntax, source, root: outline.root }, offset, known);
      for (const [index, suggestion] of suggestions.entries())
        items.set(`${suggestion.kind} ${suggestion.label}`, itemOf(document, suggestion, index));
    }
    // Programs are narrowed down as they are typed.
    return new vscode.CompletionList(
      [...items.values()],
      [...items.keys()].some((key) => key.startsWith('command ')),
    );
  }
}

function itemOf(
  document: vscode.TextDocument,
  { kind, label, detail, meaning, text, isSnippet, replaced, filter }: Suggestion,
  index: number,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(
    { label: plainText(label), ...(detail === undefined ? {} : { description: plainText(localized(detail)) }) },
    iconOf(kind),
  );
  item.insertText = isSnippet ? new vscode.SnippetString(text) : text;
  item.range = rangeOfSpan(document, replaced);
  item.filterText = filter;
  item.sortText = String(index).padStart(5, '0');
  if (meaning !== undefined && meaning !== '') item.documentation = new vscode.MarkdownString(meaning);
  return item;
}

/** A stretch of a document's text as the editor counts. */
export function rangeOfSpan(document: vscode.TextDocument, { offset, length }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

function iconOf(kind: Suggestion['kind']): vscode.CompletionItemKind {
  const { CompletionItemKind: icons } = vscode;
  switch (kind) {
    case 'variable':
    case 'input':
      return icons.Variable;
    case 'field':
      return icons.Property;
    case 'value':
      return icons.EnumMember;
    case 'command':
      return icons.File;
    case 'package':
      return icons.Module;
    case 'tool':
      return icons.Function;
    case 'server':
      return icons.Reference;
  }
}
