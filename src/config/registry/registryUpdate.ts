import type { TransportSpec } from '../configTypes.ts';
import { fieldsOf } from '../variables/specFields.ts';
import type { ServerOption } from './serverJson.ts';
import type { SetupAnswers, SetupQuestion } from './setupQuestions.ts';

/** Stands in no definition. */
const MARK = '\u0001mark\u0001';
/** Ends of the list of arguments that are tried as left empty. */
const MAX_EMPTY = 20;

/** What a definition answers to an option's questions. */
export interface FoundAnswers {
  readonly answers: SetupAnswers;
  /** Whether they make the definition again, but for variables and headers that it has beside. */
  readonly isExact: boolean;
}

/**
 * What a definition answers to the questions of the option that it was made of: the definition is made again with marks in
 * the places of the answers, and what stands there is looked up. A question without a place in it was left empty. A secret
 * counts as answered where its input is named: with {@link isKept}.
 */
export function answersIn(transport: TransportSpec, was: ServerOption): FoundAnswers {
  const named = namedAnswers(transport, was);
  const optional = was.questions.filter(({ id, isRequired }) => !isRequired && !named.has(id)).map(({ id }) => id);
  // What is left empty on a command line is mostly its end.
  for (let count = 0; count <= Math.min(optional.length, MAX_EMPTY); count += 1) {
    const empty = new Set(optional.slice(optional.length - count));
    const answers = withPositional(transport, was, named, empty);
    if (isMadeOf(transport, was, answers)) return { answers, isExact: true };
  }
  return { answers: named, isExact: false };
}

/** Whether an answer stands for a secret that is kept already. */
export function isKept(answer: string | undefined): boolean {
  return answer === MARK;
}

/** The answers for a newer version: those that stand for a secret answer only what is still secret. */
export function answersFor(option: ServerOption, answers: SetupAnswers): SetupAnswers {
  const secret = new Set(option.questions.flatMap(({ id, isSecret }) => (isSecret ? [id] : [])));
  return new Map([...answers].filter(([id, [first]]) => !isKept(first) || secret.has(id)));
}

/** Variables and headers that a definition has beside those of the option that it was made of. */
export function ownPairs(transport: TransportSpec, was: ServerOption): Readonly<Record<string, string>> {
  const { value } = was.build(new Map(was.questions.map(({ id }) => [id, [MARK]])));
  const known = pairsOf(value);
  return Object.fromEntries(Object.entries(pairsIn(transport)).filter(([name]) => !Object.hasOwn(known, name)));
}

/** The option of a newer version that takes an older one's place: of the same package, or at the same host. */
export function sameOption(options: readonly ServerOption[], was: ServerOption): ServerOption | undefined {
  const usable = options.filter(({ kind, refusal }) => kind === was.kind && refusal === undefined);
  const name = packageOf(was);
  return (
    usable.find((each) => packageOf(each) === name) ??
    (was.kind === 'remote' ? usable.find(({ label }) => originOf(label) === originOf(was.label)) : undefined)
  );
}

/** The option that a definition was made of: the one whose package or address it names. */
export function optionOf(options: readonly ServerOption[], transport: TransportSpec): ServerOption | undefined {
  const usable = options.filter(({ refusal }) => refusal === undefined);
  if (transport.type === 'sdk') return undefined;
  if (transport.type === 'stdio')
    return usable.find(
      (each) => each.kind !== 'remote' && transport.args.some((word) => isPackage(word, packageOf(each))),
    );
  const remotes = usable.filter(({ kind }) => kind === 'remote');
  return (
    remotes.find(({ label }) => label === transport.url) ??
    remotes.find(({ label }) => fits(label.split(/\{[\w.-]+\}/), transport.url)) ??
    remotes.find(({ label }) => originOf(label) === originOf(transport.url))
  );
}

/** Whether two definitions reach the same host: what is secret goes to no other. Programs of this machine do. */
export function isSameHost(before: TransportSpec, after: TransportSpec): boolean {
  return originOf('url' in before ? before.url : '') === originOf('url' in after ? after.url : '');
}

/** As it is written: it may have variables in it. */
function originOf(address: string): string {
  return (/^[a-z][a-z+.-]*:\/\/[^/?#]*/i.exec(address)?.[0] ?? '').toLowerCase();
}

/** Without its version. */
function packageOf({ kind, label }: ServerOption): string {
  if (kind === 'remote') return label;
  const [name = ''] = label.split(' ');
  return kind === 'oci' || kind === 'docker' ? name.replace(/(?:@sha256:\w+|:[\w.-]+)$/, '') : name;
}

/** Whether a word names a package, in whatever version. */
function isPackage(word: string, name: string): boolean {
  return name !== '' && word.startsWith(name) && /^(?:$|@|:|==)/.test(word.slice(name.length));
}

type Value = Readonly<Record<string, unknown>>;

/** Secrets, and what stands under a name: in a variable, a header, the address, or behind an option. */
function namedAnswers(transport: TransportSpec, was: ServerOption): ReadonlyMap<string, readonly string[]> {
  const texts = fieldsOf(transport).map(([, text]) => text);
  const answers = new Map<string, readonly string[]>();
  const marks = was.questions.map(({ id }, index) => [id, [`${MARK}${index}\u0001`]] as const);
  const { value } = was.build(new Map(marks));
  const now = pairsIn(transport);
  for (const [name, text] of Object.entries(pairsOf(value)))
    if (Object.hasOwn(now, name)) take(answers, was, text, [now[name] ?? '']);
  if (typeof value['url'] === 'string' && 'url' in transport) take(answers, was, value['url'], [transport.url]);
  if (transport.type === 'stdio') {
    const words = wordsOf(value);
    for (const [index, word] of words.entries()) {
      const option = words[index - 1];
      if (!option?.startsWith('-') || option.includes(MARK)) continue;
      const values = transport.args.flatMap((each, at) => (at > 0 && transport.args[at - 1] === option ? [each] : []));
      if (values.length > 0) take(answers, was, word, values);
    }
  }
  for (const question of was.questions) {
    const { id, isSecret, kind } = question;
    if (isSecret && texts.some((text) => text.includes(`\${input:${id}}`))) answers.set(id, [MARK]);
    else if (isSecret) answers.delete(id);
    else if (kind === 'boolean' && !answers.has(id) && transport.type === 'stdio') {
      const flag = flagOf(was, question);
      if (flag !== undefined && transport.args.includes(flag)) answers.set(id, ['true']);
    }
  }
  return answers;
}

/** Takes what stands in the places of a text's marks. */
function take(
  answers: Map<string, readonly string[]>,
  was: ServerOption,
  marked: string,
  texts: readonly string[],
): void {
  const parts = marked.split(/\u0001mark\u0001(\d+)\u0001/);
  const literals = parts.filter((_, index) => index % 2 === 0);
  const ids = parts.flatMap((part, index) => (index % 2 === 1 ? (was.questions[Number(part)] ?? []) : []));
  const found = texts.map((text) => between(literals, text));
  for (const [index, { id, isRepeated }] of ids.entries()) {
    const values = found.flatMap((each) => each?.[index] || []);
    const last = values.at(-1);
    if (last !== undefined) answers.set(id, isRepeated ? values : [last]);
  }
}

/** What stands between literal texts; `undefined` where the text has others. */
function between(literals: readonly string[], text: string): readonly string[] | undefined {
  const [first = '', ...rest] = literals;
  if (!text.startsWith(first)) return undefined;
  const found: string[] = [];
  let at = first.length;
  for (const [index, literal] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = isLast ? text.length - literal.length : text.indexOf(literal, at);
    if (end < at || !text.startsWith(literal, end)) return undefined;
    found.push(text.slice(at, end));
    at = end + literal.length;
  }
  return at === text.length ? found : undefined;
}

function fits(literals: readonly string[], text: string): boolean {
  return between(literals, text) !== undefined;
}

/** The word that is there where the answer is `true`. */
function flagOf(was: ServerOption, { id }: SetupQuestion): string | undefined {
  const words = (answer: string): readonly string[] => {
    const others = was.questions.map((each) => [each.id, each.id === id ? [answer] : ['x']] as const);
    return wordsOf(was.build(new Map(others)).value);
  };
  const without = words('false');
  return words('true').find((word, index) => word !== without[index] && word.startsWith('-'));
}

/** With what stands on the command line under no name. @param empty questions that are taken as left empty */
function withPositional(
  transport: TransportSpec,
  was: ServerOption,
  named: SetupAnswers,
  empty: ReadonlySet<string>,
): SetupAnswers {
  if (transport.type !== 'stdio') return named;
  const answers = new Map(named);
  const wanted = was.questions.filter(({ id, isSecret }) => !isSecret && !named.has(id) && !empty.has(id));
  const isWanted = new Set(wanted.map(({ id }) => id));
  const marks = was.questions.flatMap(({ id }, index) => {
    const known = named.get(id) ?? (isWanted.has(id) ? [`${MARK}${index}\u0001`] : undefined);
    return known ? [[id, known] as const] : [];
  });
  const words = wordsOf(was.build(new Map(marks)).value);
  const more = transport.args.length - words.length;
  let shift = 0;
  for (const [index, word] of words.entries()) {
    const [, number] = /\u0001mark\u0001(\d+)\u0001/.exec(word) ?? [];
    const question = number === undefined ? undefined : was.questions[Number(number)];
    if (!question) continue;
    // The first that may be several takes what there is more.
    const isSeveral = question.isRepeated && shift === 0 && more > 0;
    const at = index + shift;
    take(answers, was, word, transport.args.slice(at, at + (isSeveral ? more : 0) + 1));
    if (isSeveral) shift = more;
  }
  return answers;
}

function isMadeOf(transport: TransportSpec, was: ServerOption, answers: SetupAnswers): boolean {
  const { value } = was.build(answers);
  const now = pairsIn(transport);
  const hasPairs = Object.entries(pairsOf(value)).every(([name, text]) => now[name] === text);
  if (!hasPairs || transport.type === 'sdk') return false;
  // What is left empty has no name there.
  const known = new Set(Object.keys(pairsOf(was.build(new Map(was.questions.map(({ id }) => [id, [MARK]]))).value)));
  const hasMore = Object.keys(now).some((name) => known.has(name) && !Object.hasOwn(pairsOf(value), name));
  if (hasMore) return false;
  if (transport.type !== 'stdio') return value['url'] === transport.url;
  const name = packageOf(was);
  const plain = (words: readonly string[]): string =>
    JSON.stringify(words.map((word) => (isPackage(word, name) ? name : word)));
  return value['command'] === transport.command && plain(wordsOf(value)) === plain(transport.args);
}

function pairsOf(value: Value): Readonly<Record<string, string>> {
  return { ...(value['env'] as Record<string, string>), ...(value['headers'] as Record<string, string>) };
}

function pairsIn(transport: TransportSpec): Readonly<Record<string, string>> {
  return transport.type === 'stdio' ? transport.env : 'headers' in transport ? transport.headers : {};
}

function wordsOf(value: Value): readonly string[] {
  return Array.isArray(value['args']) ? (value['args'] as readonly string[]) : [];
}

/** Whether a version comes after another. What doesn't begin with numbers has no order: then another one is newer. */
export function isNewer(version: string, than: string | undefined): boolean {
  const parts = (text = ''): RegExpExecArray | null => /^v?(\d+(?:\.\d+)*)(?:-([^+]*))?/.exec(text);
  const [a, b] = [parts(version), parts(than)];
  if (!a || !b || version === than) return version !== than;
  const [left = [], right = []] = [a, b].map(([, numbers = '']) => numbers.split('.').map(Number));
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  // A release comes after what led to it.
  return a[2] === undefined
    ? b[2] !== undefined
    : b[2] !== undefined && a[2].localeCompare(b[2], 'en', { numeric: true }) > 0;
}
