import { IntList } from './intList.ts';
import type { Lexicon } from '../words/lexicon.ts';
import { isRecord } from '../../../base/json/json.ts';
import { actionOf, type Action } from '../words/actionVerbs.ts';
import type { CatalogTool } from '../../catalogTool.ts';
import { wordsOf } from '../words/splitWords.ts';

/**
 * What each field of a tool weighs, how far a field's length tames its terms (BM25's b), and the number of terms that
 * counts as usual. Usual lengths are fixed rather than measured, so that one server's tools never change what another's
 * weigh.
 */
const FIELDS = {
  server: { weight: 1.5, taming: 0, usual: 2 },
  name: { weight: 2.8, taming: 0.4, usual: 3 },
  title: { weight: 2, taming: 0.4, usual: 3 },
  description: { weight: 1, taming: 0.6, usual: 25 },
  parameterNames: { weight: 0.6, taming: 0.6, usual: 8 },
  parameterDescriptions: { weight: 0.3, taming: 0.6, usual: 30 },
} as const;

/** Of longer texts only the beginning is indexed, in characters, so that no tool takes long. */
const MAX_TEXT = 8_000;

/** Takes tools apart into the terms that they are found by. */
export class ToolFields {
  /** Of the tool that was read last. In this order: the terms that are its own, then those of parameter descriptions alone. */
  readonly weights: TermWeights;
  readonly #lexicon: Lexicon;
  readonly #names = new IntList();
  readonly #found = new IntList();
  #ownCount = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.weights = new TermWeights(lexicon);
  }

  /** How many terms are the tool's own. */
  get ownCount(): number {
    return this.#ownCount;
  }

  /** Takes a tool apart. Adds the terms of its name to `nameTerms`, and returns what it does, by its name. */
  read({ tool, serverName }: CatalogTool, nameTerms: IntList): Action | undefined {
    this.weights.clear();
    this.#addText('server', serverName);
    nameTerms.append(this.#addText('name', tool.name));
    this.#addText('title', tool.title ?? tool.annotations.title ?? '');
    this.#addText('description', tool.description ?? '');
    this.#addParameters(tool.inputSchema);
    return actionOf(wordsOf(tool.name));
  }

  #addParameters(schema: unknown): void {
    const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
    const names = this.#names;
    const descriptions = this.#found;
    names.cut(0);
    descriptions.cut(0);
    let roomForNames = MAX_TEXT;
    let roomForDescriptions = MAX_TEXT;
    for (const name in properties) {
      roomForNames = this.#addPart(name, roomForNames, names);
      const property = properties[name];
      const description = isRecord(property) ? property['description'] : undefined;
      if (typeof description === 'string')
        roomForDescriptions = this.#addPart(description, roomForDescriptions, descriptions);
      if (roomForNames <= 0 && roomForDescriptions <= 0) break;
    }
    this.#add('parameterNames', names);
    this.#ownCount = this.weights.terms.length;
    this.#add('parameterDescriptions', descriptions);
  }

  /** Returns the room that is left; parts are kept a character apart. */
  #addPart(part: string, room: number, found: IntList): number {
    if (room > 1) this.#lexicon.addTermsOf(part.slice(0, room - 1), found);
    return room - part.length - 1;
  }

  #addText(field: keyof typeof FIELDS, text: string): IntList {
    this.#found.cut(0);
    this.#lexicon.addTermsOf(text.slice(0, MAX_TEXT), this.#found);
    this.#add(field, this.#found);
    return this.#found;
  }

  #add(field: keyof typeof FIELDS, terms: IntList): void {
    const { weight, taming, usual } = FIELDS[field];
    this.weights.add(terms, weight / (1 - taming + (taming * terms.length) / usual));
  }
}

/** What the terms of one tool weigh: filled for a tool, read, and cleared for the next. */
export class TermWeights {
  /** The numbers of the terms, in the order in which they came. */
  readonly terms = new IntList();
  readonly #lexicon: Lexicon;
  #weights = new Float64Array(1024);

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  of(term: number): number {
    return this.#weights[term] ?? 0;
  }

  /** Adds a weight above 0 to each of the terms, as often as it is there. */
  add(terms: IntList, weight: number): void {
    if (this.#lexicon.termCount > this.#weights.length) this.#widen();
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms.at(at);
      const before = this.#weights[term] ?? 0;
      if (before === 0) this.terms.push(term);
      this.#weights[term] = before + weight;
    }
  }

  clear(): void {
    for (let at = 0; at < this.terms.length; at += 1) this.#weights[this.terms.at(at)] = 0;
    this.terms.cut(0);
  }

  #widen(): void {
    const wider = new Float64Array(this.#lexicon.termCount * 2);
    wider.set(this.#weights);
    this.#weights = wider;
  }
}
