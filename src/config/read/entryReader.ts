import { isRecord } from '../../base/json/json.ts';
import { oneSpelling, spellingOf } from '../../base/environmentNames.ts';
import { say } from '../../base/say.ts';
import { clientOf, type ClientConventions } from '../clients/clientConventions.ts';
import { commonSpelling } from '../variables/clientVariables.ts';
import { kindOf, membersOf, plainValue, stringOf, type ConfigNode, type Member } from '../syntax/configNode.ts';
import type { ProblemText, SourceText, Span } from '../syntax/sourceText.ts';
import type { ClientId, ConfigProblem, ProblemSeverity, TextEdit } from '../configTypes.ts';

/** One string of a list. */
export interface TextItem {
  readonly text: string;
  readonly node: ConfigNode;
}

/** The edit that puts `text` in the place of `span`. */
export function replacing(span: Span, text: string): TextEdit {
  return { offset: span.offset, length: span.length, text };
}

/** Problems of one entry at most; nobody reads more. */
const MAX_PROBLEMS = 100;

/** Reads the fields of one entry and collects their problems. */
export class EntryReader {
  readonly name: string;
  readonly node: ConfigNode;
  readonly source: SourceText;
  readonly conventions: ClientConventions | undefined;
  /** Whose file it is. */
  readonly client: ClientId | undefined;
  readonly problems: ConfigProblem[];
  /** The places of the strings that were read, by field: `command`, `args[0]`, `env.NAME`. */
  readonly places: Map<string, ConfigNode>;
  /** In the order of the file. */
  readonly members: readonly Member[];
  readonly #byKey: ReadonlyMap<string, Member>;

  /** @param parent the reader of the entry that `node` is a part of; problems and places are added to it */
  constructor(
    name: string,
    node: ConfigNode,
    source: SourceText,
    conventions: ClientConventions | undefined,
    parent?: EntryReader,
  ) {
    this.problems = parent?.problems ?? [];
    this.places = parent?.places ?? new Map<string, ConfigNode>();
    this.name = name;
    this.node = node;
    this.source = source;
    this.conventions = conventions;
    this.members = membersOf(node);
    this.client = clientOf(source.source);
    // Of duplicates the last counts, as in every JSON parser.
    this.#byKey = new Map(this.members.map((member) => [member.key, member]));
  }

  /** Reads the fields of an object inside of the entry. */
  inside(node: ConfigNode): EntryReader {
    return new EntryReader(this.name, node, this.source, this.conventions, this);
  }

  report(span: Span, code: string, severity: ProblemSeverity, text: ProblemText): void {
    // The first error decides whether the entry can be used.
    const isFull = this.problems.length >= MAX_PROBLEMS;
    if (isFull && (severity !== 'error' || this.problems.some((problem) => problem.severity === 'error'))) return;
    this.problems.push(this.source.problem(span, code, severity, text, this.name));
  }

  /** The text of `span` as written. */
  written(span: Span): string {
    return this.source.text.slice(span.offset, span.offset + span.length);
  }

  value(key: string): ConfigNode | undefined {
    return this.#byKey.get(key)?.value;
  }

  /** The first of `keys` that the entry has with a value other than `null`. */
  first(keys: readonly string[]): Member | undefined {
    for (const key of keys) {
      const member = this.#byKey.get(key);
      if (member && member.value.type !== 'null') return member;
    }
    return undefined;
  }

  /** A string; anything else is an error. */
  text(keys: readonly string[]): string | undefined {
    const member = this.first(keys);
    if (!member) return undefined;
    const value = stringOf(member.value);
    if (value !== undefined) return this.note(keys[0] ?? '', value, member.value);
    this.#invalid(
      member,
      say`\`${member.key}\` must be a string, not ${kindOf(member.value)}.`,
      say`Put it in double quotes.`,
    );
    return undefined;
  }

  /**
   * Remembers the place of a field's string, and returns it with its variables in the common spelling.
   * @param isScript another program's script: `$env:VAR` there isn't ours
   */
  note(field: string, value: string, node: ConfigNode, isScript: boolean = false): string {
    this.places.set(field, node);
    return isScript ? value : commonSpelling(value, this.client, /^(?:command$|args\[|headersHelper$)/.test(field));
  }

  /** A list of strings; a number or boolean in it is an error, and quotes fix it. */
  texts(keys: readonly string[]): TextItem[] {
    const member = this.first(keys);
    if (!member) return [];
    if (member.value.type === 'array') return this.items(member.key, member.value);
    this.#invalid(
      member,
      say`\`${member.key}\` must be an array of strings, not ${kindOf(member.value)}.`,
      say`Write \`["…", "…"]\`.`,
    );
    return [];
  }

  /** The texts of a list that stands under `key`. */
  items(key: string, list: ConfigNode): TextItem[] {
    const items: TextItem[] = [];
    for (const node of list.children ?? []) {
      const text = stringOf(node);
      if (text !== undefined) {
        items.push({ text, node });
        continue;
      }
      const quotable = node.type === 'number' || node.type === 'boolean';
      this.report(node, `invalid-${key}`, 'error', {
        message: say`\`${key}\` contains ${kindOf(node)}; every item must be a string.`,
        fix: quotable ? say`Write \`"${this.written(node)}"\`.` : say`Put the item in double quotes or remove it.`,
        ...(quotable ? { edit: replacing(node, `"${this.written(node)}"`) } : {}),
      });
    }
    return items;
  }

  /**
   * Names and texts, e.g. of an environment. Numbers and booleans are taken as written; `null` leaves a name out. Where the
   * field is there by several of its names, all count, and the first of `keys` most.
   */
  textMap(keys: readonly string[]): Record<string, string> {
    const map = new Map<string, string>();
    for (const key of keys.toReversed()) {
      const member = this.first([key]);
      if (member) this.#readMap(member, keys[0] ?? key, map);
    }
    return Object.fromEntries(map);
  }

  /** As `textMap`, of environment variables: of several spellings of one, the last counts, and it is said. */
  variables(keys: readonly string[]): Record<string, string> {
    const written = this.textMap(keys);
    const read = oneSpelling(Object.entries(written), this.source.platform);
    const place = this.first(keys)?.value ?? this.node;
    for (const name of Object.keys(written).filter((each) => !Object.hasOwn(read, each))) {
      const common = spellingOf(name, this.source.platform);
      const kept = Object.keys(read).find((each) => spellingOf(each, this.source.platform) === common) ?? common;
      this.report(this.places.get(`${keys[0]}.${name}`) ?? place, 'same-variable', 'warning', {
        message: say`\`${name}\` and \`${kept}\` are one variable on Windows; only the value of \`${kept}\` is used.`,
        fix: say`Remove one of them.`,
      });
    }
    return read;
  }

  #readMap(member: Member, field: string, map: Map<string, string>): void {
    // Some clients write an empty list where nothing is set.
    if (member.value.type === 'array' && (member.value.children ?? []).length === 0) return;
    if (member.value.type !== 'object') {
      // Of a header, the first `=` may be in its value.
      const isPairs = this.source.syntax === 'jsonc' && field === 'env';
      const pairs = isPairs ? pairsOf(member.value) : undefined;
      this.report(member.value, `invalid-${member.key}`, 'error', {
        message: say`\`${member.key}\` must be an object of names and strings.`,
        fix: say`Write \`{ "NAME": "value" }\`.`,
        ...(pairs ? { edit: replacing(member.value, JSON.stringify(pairs)) } : {}),
      });
      return;
    }
    for (const { key, value } of membersOf(member.value)) {
      if (value.type === 'string' || value.type === 'number' || value.type === 'boolean')
        putLast(map, key, this.note(`${field}.${key}`, stringOf(value) ?? this.written(value), value));
      else if (value.type !== 'null')
        this.report(value, `invalid-${member.key}`, 'error', {
          message: say`\`${key}\` in \`${member.key}\` must be a string, not ${kindOf(value)}.`,
          fix: say`Put the value in double quotes or remove it.`,
        });
    }
  }

  /** `true` or `false`; the same words in quotes count with a warning, anything else is left out with one. */
  flag(key: string): boolean | undefined {
    const value = this.value(key);
    if (!value || value.type === 'null') return undefined;
    if (value.type === 'boolean') return value.value === true;
    const meant = { true: true, false: false }[(stringOf(value) ?? '').toLowerCase()];
    this.report(value, 'invalid-flag', 'warning', {
      message: say`\`${key}\` must be \`true\` or \`false\`, not ${kindOf(value)}.`,
      fix: meant === undefined ? say`Write \`true\` or \`false\`.` : say`Write \`${String(meant)}\` without quotes.`,
      ...(meant === undefined ? {} : { edit: replacing(value, String(meant)) }),
    });
    return meant;
  }

  /** Names of tools: a list of texts. Anything else is left out with a warning, since the server runs all the same. */
  names(keys: readonly string[]): string[] {
    const member = this.first(keys);
    if (!member) return [];
    const names = member.value.type === 'array' ? (member.value.children ?? []).map(stringOf) : [undefined];
    if (names.includes(undefined))
      this.report(member.value, 'invalid-names', 'warning', {
        message: say`\`${member.key}\` must be an array of tool names.`,
        fix: say`Write \`["name", "…"]\`.`,
      });
    return names.filter((name) => name !== undefined);
  }

  #invalid(member: Member, message: string, fix: string): void {
    this.report(member.value, `invalid-${member.key}`, 'error', { message, fix });
  }
}

/** A map keeps the place of a key that it has; here the later value is behind all earlier ones. */
function putLast(map: Map<string, string>, key: string, value: string): void {
  map.delete(key);
  map.set(key, value);
}

/** The object that a list of `NAME=value`, or of names with values, stands for; `undefined`: it is something else. */
function pairsOf(list: ConfigNode): Record<string, string> | undefined {
  const items = list.type === 'array' ? (list.children ?? []).map(plainValue) : [];
  const pairs = items.flatMap((item): [string, string][] => {
    const [, name, value] = typeof item === 'string' ? (/^([^\s=]+)=(.*)$/s.exec(item) ?? []) : [];
    if (name !== undefined && value !== undefined) return [[name, value]];
    const { name: named, key = named, value: given } = isRecord(item) ? item : {};
    return typeof key === 'string' && typeof given === 'string' ? [[key, given]] : [];
  });
  return pairs.length > 0 && pairs.length === items.length ? Object.fromEntries(pairs) : undefined;
}
