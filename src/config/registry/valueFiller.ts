import { isRecord } from '../../base/json/json.ts';
import { inputOf, slugOf, type SetupAnswers, type SetupQuestion } from './setupQuestions.ts';

/** Members of a list, and characters of a text, that are read at most; more is nobody's server. */
const MAX_LIST = 100;
const MAX_TEXT = 10_000;

export type Members = Readonly<Record<string, unknown>>;

/**
 * Gives the values of one package or address of a `server.json`: what it fixes, what was answered, and `${input:…}` for what
 * is secret. Walks in the order of the file, so that the ids are the same each time.
 */
export class ValueFiller {
  readonly questions: SetupQuestion[] = [];
  readonly inputs: Readonly<Record<string, unknown>>[] = [];
  readonly secrets = new Map<string, string>();
  readonly #prefix: string;
  /** Without: what has no default and must be given becomes an input. */
  readonly #answers: SetupAnswers | undefined;
  readonly #shared: Members;
  readonly #ids = new Set<string>();
  /** Of each id that was wanted. */
  readonly #counts = new Map<string, number>();
  #isTooLong = false;
  readonly #values = new Map<string, readonly string[]>();

  /**
   * @param prefix of the inputs' ids: the server's name
   * @param shared variables that any value may name, wherever they are declared
   */
  constructor(prefix: string, answers: SetupAnswers | undefined, shared: Members) {
    this.#prefix = slugOf(prefix);
    this.#answers = answers;
    this.#shared = shared;
  }

  /** The values of something that is declared: mostly one; none where it is left out. */
  valuesOf(about: Members, name: string): readonly string[] {
    const fixed = textOf(about['value']);
    const fallback = textOf(about['default']);
    const isTemplate = fallback !== undefined && isRecord(about['variables']);
    if (fixed !== undefined || isTemplate) return [this.filled(fixed ?? fallback ?? '', about)];
    return this.#answered(about, this.#freeId(name), name);
  }

  /** Whether a value was longer than any that is given. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** A text whose `{variables}` are replaced. One that nobody declares stays. */
  filled(text: string, { variables }: Members): string {
    let { length } = text;
    return text.replaceAll(/\{([\w.-]+)\}/g, (whole, name: string) => {
      const own = isRecord(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
      const about = isRecord(own) ? own : Object.hasOwn(this.#shared, name) ? this.#shared[name] : undefined;
      const value = isRecord(about) && length <= MAX_TEXT ? (this.#variable(about, name) ?? whole) : whole;
      length += value.length - whole.length;
      if (length > MAX_TEXT) this.#isTooLong = true;
      return length > MAX_TEXT ? whole : value;
    });
  }

  #variable(about: Members, name: string): string | undefined {
    const known = this.#values.get(name);
    if (known) return known[0];
    const fixed = textOf(about['value']);
    const id = this.#freeId(name);
    const values = fixed === undefined ? this.#answered({ isRequired: true, ...about }, id, name) : [fixed];
    this.#values.set(name, values);
    // What is left empty is nothing there.
    return values[0] ?? '';
  }

  #answered(about: Members, id: string, name: string): readonly string[] {
    const question = questionOf(about, id, name);
    this.questions.push(question);
    const given = this.#answers?.get(id)?.filter((value) => value !== '');
    if (question.isSecret && given && given[0] !== undefined) this.secrets.set(id, given[0]);
    if (
      this.#answers
        ? question.isSecret && given
        : question.isSecret || (question.isRequired && question.defaults.length === 0)
    ) {
      this.inputs.push(inputOf(question));
      return [`\${input:${id}}`];
    }
    return this.#answers ? (given ?? []) : question.defaults;
  }

  #freeId(name: string): string {
    const own = slugOf(name);
    const wanted = own.startsWith(`${this.#prefix}-`) ? own : `${this.#prefix}-${own}`;
    let count = (this.#counts.get(wanted) ?? 0) + 1;
    const numbered = (): string => (count === 1 ? wanted : `${wanted}-${count}`);
    while (this.#ids.has(numbered())) count += 1;
    const id = numbered();
    this.#counts.set(wanted, count);
    this.#ids.add(id);
    return id;
  }
}

const KINDS: ReadonlyMap<string, SetupQuestion['kind']> = new Map([
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['filepath', 'file'],
]);

function questionOf(about: Members, id: string, name: string): SetupQuestion {
  const description = textOf(about['description']);
  const placeholder = textOf(about['placeholder']);
  const fallback = textOf(about['default']);
  const choices = Array.isArray(about['choices']) ? about['choices'].flatMap((each) => textOf(each) ?? []) : [];
  return {
    id,
    label: name,
    ...(description === undefined ? {} : { description }),
    kind: KINDS.get(textOf(about['format']) ?? '') ?? 'text',
    isRequired: flagOf(about, 'isRequired', 'is_required'),
    isSecret: flagOf(about, 'isSecret', 'is_secret'),
    isRepeated: flagOf(about, 'isRepeated', 'is_repeated'),
    defaults: fallback === undefined ? [] : [fallback],
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(choices.length > 0 ? { choices } : {}),
  };
}

/** A member in its newer or its older spelling. */
export function flagOf(value: Members, ...keys: readonly string[]): boolean {
  return keys.some((key) => value[key] === true);
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value !== '' && value.length <= MAX_TEXT ? value : undefined;
  return typeof value === 'number' ? String(value) : undefined;
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.slice(0, MAX_LIST).filter(isRecord) : [];
}
