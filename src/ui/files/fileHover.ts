import * as vscode from 'vscode';
import { fenced, inlineCode } from '../../bridge/text/markdownText.ts';
import { isOffered, schemaFieldsOf } from '../../config/help/schemaFields.ts';
import { serverAt } from '../../config/help/serverOutline.ts';
import { serverPathOf, type ServerPath } from '../../config/help/serverPath.ts';
import { placeAt, type TextPlace } from '../../config/help/textPlace.ts';
import { syntaxOf } from '../../config/syntax/sourceText.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { describeState } from '../../connection/connectionState.ts';
import type { Host } from '../../host/host.ts';
import { resolvedLaunch, resolvedVariable } from '../../servers/resolvedLaunch.ts';
import type { DocumentReader, Outlined } from './documentReader.ts';
import { rangeOfSpan } from './fileCompletion.ts';
import type { KnownNames } from './knownNames.ts';
import { localized } from '../../bridge/text/localized.ts';

/** Fields that decide what runs: with them, the whole is shown with its variables replaced. */
const LAUNCH_FIELDS = new Set(['command', 'args', 'env', 'cwd', 'envFile', 'url', 'serverUrl', 'httpUrl', 'headers']);

/** Says what a server runs with its variables replaced, what a variable stands for, and what a field means. */
export class FileHover implements vscode.HoverProvider {
  readonly #host: Host;
  readonly #reader: DocumentReader;
  readonly #names: KnownNames;

  constructor(host: Host, reader: DocumentReader, names: KnownNames) {
    this.#host = host;
    this.#reader = reader;
    this.#names = names;
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    for (const outlined of await this.#reader.outlines(document)) {
      const { source, outline } = outlined;
      const named = outline.servers.find(({ key }) => key.offset <= offset && offset < key.offset + key.length);
      if (named) {
        const entry = await this.#entryOf(document, outlined, named.name);
        if (entry) return hover(document, named.key, [...this.#stateOf(entry), ...launchTexts(entry, this.#host)]);
      }
      // In front of a quote, the editor asks about what the quote begins.
      const place = placeAt(document.getText(), syntaxOf(source), offset + (isOpeningQuote(document, offset) ? 1 : 0));
      const path = place && serverPathOf(place.path, source);
      if (!place || !path || !serverAt(outline, offset)) continue;
      const entry = await this.#entryOf(document, outlined, path.name);
      const parts = await this.#partsFor(place, path, outlined, entry);
      const variable = entry && variableUnder(document, place, offset);
      if (variable) return hover(document, variable.span, [variableText(entry, variable.name, this.#host)]);
      if (parts.length > 0) return hover(document, place.token, parts);
    }
    return undefined;
  }

  async #entryOf(document: vscode.TextDocument, { source }: Outlined, name: string): Promise<ServerEntry | undefined> {
    const texts = await this.#reader.texts(document);
    return texts.find((text) => text.source === source)?.parsed.entries.find((entry) => entry.name === name);
  }

  /** Markdown. */
  async #partsFor(
    place: TextPlace,
    { inside }: ServerPath,
    { source }: Outlined,
    entry: ServerEntry | undefined,
  ): Promise<readonly string[]> {
    const [field] = inside;
    const isLaunch = field === undefined || LAUNCH_FIELDS.has(String(field));
    const state = field === undefined && entry ? this.#stateOf(entry) : [];
    const launch = isLaunch && entry ? launchTexts(entry, this.#host) : [];
    if (field === undefined) return [...state, ...launch];
    const at = inside.slice(0, -1);
    const isDescribed = isOffered(String(inside.at(-1)), at, schemaFieldsOf(source, place.path[0]));
    const schemas = await this.#names.schemas();
    const meaning = place.part === 'key' && !isDescribed ? schemas.find('server', inside)?.description : undefined;
    return [...(meaning ? [meaning] : []), ...launch];
  }

  #stateOf({ source, name }: ServerEntry): readonly string[] {
    const view = this.#host.views.find(
      ({ definition: { entry } }) => entry.source.id === source.id && entry.name === name,
    );
    return view ? [inlineCode(localized(describeState(view.state)))] : [];
  }
}

function isOpeningQuote(document: vscode.TextDocument, offset: number): boolean {
  return /["']/.test(document.getText(new vscode.Range(document.positionAt(offset), document.positionAt(offset + 1))));
}

function hover(document: vscode.TextDocument, span: TextPlace['token'], parts: readonly string[]): vscode.Hover {
  return new vscode.Hover(new vscode.MarkdownString(parts.join('\n\n')), rangeOfSpan(document, span));
}

function launchTexts(entry: ServerEntry, host: Host): readonly string[] {
  const { lines, missing } = resolvedLaunch(entry, host.variables);
  const names = missing.map(({ variable }) => inlineCode(`\${${variable}}`)).join(', ');
  const unset = missing.length > 0 ? [vscode.l10n.t('Not set: {0}', names)] : [];
  return [fenced('text', lines.join('\n')), ...unset];
}

/** The variable that an offset is in. */
function variableUnder(
  document: vscode.TextDocument,
  { content }: TextPlace,
  offset: number,
): { readonly name: string; readonly span: TextPlace['token'] } | undefined {
  const text = document.getText(rangeOfSpan(document, content));
  for (const { 0: written, 1: name = '', index } of text.matchAll(/\$\{([^${}]+)\}/g)) {
    const start = content.offset + index;
    if (offset >= start && offset <= start + written.length)
      return { name: name.split(':-')[0] ?? name, span: { offset: start, length: written.length } };
  }
  return undefined;
}

function variableText(entry: ServerEntry, name: string, host: Host): string {
  const { t } = vscode.l10n;
  const shown = inlineCode(`\${${name}}`);
  if (name.startsWith('input:')) {
    const input = entry.inputs?.find(({ id }) => `input:${id}` === name);
    if (!input) return t('{0} is not in {1} of this file.', shown, '`inputs`');
    return input.type === 'command'
      ? t('{0}: what the command {1} gives.', shown, inlineCode(input.command))
      : t('{0}: you are asked for it when the server starts.', shown);
  }
  if (name.startsWith('command:')) return t('{0}: what the command {1} gives.', shown, inlineCode(name.slice(8)));
  const value = resolvedVariable(entry, name, host.variables);
  return value === undefined ? t('{0} is not set.', shown) : t('{0} is {1}', shown, inlineCode(value));
}
