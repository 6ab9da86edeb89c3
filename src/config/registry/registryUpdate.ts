import type { TransportSpec } from '../configTypes.ts';
import { fieldsOf } from '../variables/specFields.ts';
import type { ServerOption } from './serverJson.ts';
import type { SetupAnswers } from './setupQuestions.ts';

/** Stands in no definition. */
const MARK = '\u0001mark\u0001';

/**
 * What a definition answers to the questions of the option that it was made of: the definition is made again with a mark in
 * the place of an answer, and what stands there is looked up. A question without a place in it was left empty. A secret
 * counts as answered where its input is named.
 */
export function answersIn(transport: TransportSpec, was: ServerOption): SetupAnswers {
  const texts = fieldsOf(transport).map(([, text]) => text);
  const answers = new Map<string, readonly string[]>();
  for (const { id, isSecret } of was.questions) {
    if (!isSecret) {
      const found = foundIn(transport, was, id);
      if (found !== undefined && found !== '') answers.set(id, [found]);
    } else if (texts.some((text) => text.includes(`\${input:${id}}`))) answers.set(id, [MARK]);
  }
  return answers;
}

/** The option of a newer version that takes an older one's place: of the same package, or an address over the same transport. */
export function sameOption(options: readonly ServerOption[], was: ServerOption): ServerOption | undefined {
  const usable = options.filter(({ kind, refusal }) => kind === was.kind && refusal === undefined);
  const name = packageOf(was);
  return usable.find((each) => packageOf(each) === name) ?? (was.kind === 'remote' ? usable[0] : undefined);
}

/** The option that a definition was made of: the one whose package or address it names. */
export function optionOf(options: readonly ServerOption[], transport: TransportSpec): ServerOption | undefined {
  const usable = options.filter(({ refusal }) => refusal === undefined);
  if (transport.type === 'sdk') return undefined;
  if (transport.type !== 'stdio')
    return (
      usable.find(({ kind, label }) => kind === 'remote' && label === transport.url) ??
      usable.find(({ kind }) => kind === 'remote')
    );
  return usable.find(
    (each) => each.kind !== 'remote' && transport.args.some((word) => word.startsWith(packageOf(each))),
  );
}

/** Without its version. */
function packageOf({ kind, label }: ServerOption): string {
  if (kind === 'remote') return label;
  const [name = ''] = label.split(' ');
  return kind === 'oci' || kind === 'docker' ? name.replace(/(?:@sha256:\w+|:[\w.-]+)$/, '') : name;
}

function foundIn(transport: TransportSpec, was: ServerOption, id: string): string | undefined {
  const marks = was.questions.map((question) => [question.id, [question.id === id ? MARK : 'x']] as const);
  const { value } = was.build(new Map(marks));
  const [place] = placesOf(value).filter(({ text }) => text.includes(MARK));
  if (!place) return undefined;
  const [before = '', after = ''] = place.text.split(MARK);
  const now = textAt(transport, place, value);
  const fits = now?.startsWith(before) && now.endsWith(after) && now.length >= before.length + after.length;
  return fits ? now?.slice(before.length, now.length - after.length) : undefined;
}

interface Place {
  readonly kind: 'env' | 'headers' | 'url' | 'args';
  readonly key: string;
  readonly text: string;
}

type Value = Readonly<Record<string, unknown>>;

function placesOf(value: Value): readonly Place[] {
  const named = (kind: 'env' | 'headers'): Place[] =>
    Object.entries((value[kind] ?? {}) as Record<string, string>).map(([key, text]) => ({ kind, key, text }));
  const url: Place[] = typeof value['url'] === 'string' ? [{ kind: 'url', key: '', text: value['url'] }] : [];
  const args = wordsOf(value).map((text, index): Place => ({ kind: 'args', key: String(index), text }));
  return [...named('env'), ...named('headers'), ...url, ...args];
}

function wordsOf(value: Value): readonly string[] {
  return Array.isArray(value['args']) ? (value['args'] as readonly string[]) : [];
}

/** What stands in a definition where the marked one has the mark. Of arguments: behind the same option, or as far from the end. */
function textAt(transport: TransportSpec, { kind, key }: Place, marked: Value): string | undefined {
  if (transport.type === 'sdk') return undefined;
  if (transport.type !== 'stdio')
    return kind === 'headers' ? transport.headers[key] : kind === 'url' ? transport.url : undefined;
  if (kind === 'env') return transport.env[key];
  if (kind !== 'args') return undefined;
  const words = wordsOf(marked);
  const index = Number(key);
  const option = words[index - 1];
  if (!option?.startsWith('-')) return transport.args.at(index - words.length);
  const at = transport.args.lastIndexOf(option);
  return at < 0 ? undefined : transport.args[at + 1];
}
