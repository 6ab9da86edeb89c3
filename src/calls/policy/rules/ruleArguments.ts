import { Glob, matchesPathGlob } from '../../../base/text/glob.ts';
import { isExactNumber } from '../../../base/json/exactNumber.ts';
import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import type { RuleAction } from '../../../config/rules/permissionRules.ts';
import { decode, fold, linesOf, readingsOf, type Readings } from '../argumentForms.ts';
import { isCanonical, isOneCommand } from '../canonicalText.ts';
import { leadsElsewhere, realPathsOf } from '../realPaths.ts';

/** Nested JSON that is sent as a text is looked into up to this length. */
const MAX_NESTED_JSON = 1024 * 1024;
/** Stands for a value that can't be looked into: it fits whatever tightens. */
const UNREADABLE = Symbol('unreadable');
/** Deeper than this, a value fits whatever tightens. */
const MAX_DEPTH = 32;

/** What a rule says of one argument. */
export interface RuleArgument {
  /** The argument's name, or a JSON pointer. */
  readonly at: string;
  readonly glob: string;
  readonly wide: WideGlobs;
}

/** A glob as `ask` and `deny` read it, worked out once for all calls. */
interface WideGlobs {
  readonly globs: readonly Glob[];
  /** The same for the end of a path, where they are relative. */
  readonly anywhere: readonly Glob[];
  /** Of several words: the command lines that it stands for. */
  readonly commands: readonly Glob[];
}

/** @param at the argument's name, or a JSON pointer */
export function ruleArgument(at: string, glob: string): RuleArgument {
  const globs = wideGlobs(glob);
  const lines = /\S\s+\S/u.test(glob) ? globs.flatMap(linesOf) : [];
  const commands = new Set(lines.flatMap((line) => [`*${line}*`, `*${line.replace(' ', '/')}*`]));
  const anywhere = globs.filter(isRelative).map((each) => `*/${each}`);
  const made = (patterns: Iterable<string>): readonly Glob[] => Array.from(patterns, (each) => new Glob(each));
  return { at, glob, wide: { globs: made(globs), anywhere: made(anywhere), commands: made(commands) } };
}

/**
 * Compares one call's arguments with rules' globs. `allow` is read narrowly: only texts in their canonical form fit, `*`
 * stays within a path's segment, every item of a list has to fit, and no other argument may have nearly the same name.
 * `ask` and `deny` are read widely: any reading of a text, a number or a boolean fits, `*` crosses segments, one item of
 * a list is enough, and an argument's name counts in any case and at any depth. An argument that isn't there fits nothing.
 */
export class ArgumentReader {
  readonly #args: JsonObject;
  readonly #folders: readonly string[];
  readonly #readings = new Map<string, readonly (Readings | undefined)[]>();

  /** @param folders where a relative path can be meant to be: links there are followed */
  constructor(args: JsonObject, folders: readonly string[] = []) {
    this.#args = args;
    this.#folders = folders;
  }

  fits({ at, glob, wide }: RuleArgument, action: RuleAction): boolean {
    if (action !== 'allow') return this.#readingsAt(at).some((readings) => tightens(readings, wide));
    const value = onlyValueAt(this.#args, at);
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    return texts.length > 0 && texts.every((text) => typeof text === 'string' && opens(text, glob, this.#folders));
  }

  /** How everything at a place can be read; worked out once for all rules. */
  #readingsAt(at: string): readonly (Readings | undefined)[] {
    let readings = this.#readings.get(at);
    if (!readings) {
      const texts = valuesAt(this.#args, at)
        .flatMap((value) => scalars(value, 0))
        .flatMap((text) => (text === undefined ? [text] : [text, ...realPathsOf(text, this.#folders)]));
      readings = [...new Set(texts)].map((text) => (text === undefined ? undefined : readingsOf(text)));
      this.#readings.set(at, readings);
    }
    return readings;
  }
}

/** What the rule spells out before its first wildcard is the user's own text, also where a shell reads more into it. */
function opens(text: string, glob: string, folders: readonly string[]): boolean {
  if (!matchesPathGlob(text, glob)) return false;
  if (glob === '**') return true;
  const spelledOut = glob.search(/[*?]/);
  if (!isCanonical(text) || (spelledOut >= 0 && !isOneCommand(text, spelledOut))) return false;
  return !leadsElsewhere(text, glob, folders);
}

/** Whether any reading fits. Where a path isn't relative, a relative glob is for its end. */
function tightens(readings: Readings | undefined, { globs, anywhere, commands }: WideGlobs): boolean {
  if (!readings) return true;
  for (const text of readings.texts) {
    if (globs.some((each) => each.matches(text))) return true;
    if (anywhere.some((each) => each.matches(text)) && !isRelative(text)) return true;
  }
  for (const text of readings.expanded) {
    if (globs.some(({ pattern }) => globsMeet(text, pattern))) return true;
    if (!isRelative(text) && anywhere.some(({ pattern }) => globsMeet(text, pattern))) return true;
  }
  return commands.length > 0 && isSaid(readings, commands);
}

const linesOfReadings = new WeakMap<Readings, readonly string[]>();

/** Whether a command, as globs of several words are, stands anywhere in a text: alone, or with its folder before it. */
function isSaid(readings: Readings, commands: readonly Glob[]): boolean {
  let lines = linesOfReadings.get(readings);
  if (!lines) linesOfReadings.set(readings, (lines = [...new Set([...readings.texts].flatMap(linesOf))]));
  return lines.some((line) => commands.some((each) => each.matches(line)));
}

/** As it is, and folded; `**` stands for no folder, too; and what is for all of a folder is for the folder. */
function wideGlobs(glob: string): readonly string[] {
  const folded = fold(glob);
  const plain = folded.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const fewer = plain.replaceAll(/(^|\/)(?:\*\*\/)+/g, '$1');
  const all = [glob, folded, plain, fewer];
  return [...new Set([...all, ...all.map((each) => each.replace(/(?<=[^*/])\/\*+$/, ''))])];
}

/** Whether a path or a glob begins in a folder that isn't named. */
function isRelative(path: string): boolean {
  return !/^(?:[/~*]|\.\.(?:$|\/)|[a-z]+:)/iu.test(path);
}

/**
 * Every text, number and boolean in a value, however deep, and the items of a list as the command line that they can be;
 * `undefined` for what is too deep.
 */
function scalars(value: unknown, depth: number): readonly (string | undefined)[] {
  if (depth > MAX_DEPTH || value === UNREADABLE) return [undefined];
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  // As it is written, and as a server reads it that has no more digits than a double.
  if (typeof value === 'object' && value !== null && isExactNumber(value))
    return [value.rawJSON, String(Number(value.rawJSON))];
  if (!Array.isArray(value))
    return isRecord(value) ? Object.values(value).flatMap((each) => scalars(each, depth + 1)) : [];
  const items = (value as unknown[]).flatMap((item) => scalars(item, depth + 1));
  return items.length > 1 ? [...items, items.join(' ')] : items;
}

/** What a server may take for the argument: under this name in any case, at any depth, also in JSON that is sent as text. */
function valuesAt(args: JsonObject, at: string): readonly unknown[] {
  if (!at.startsWith('/')) return valuesNamed(args, foldedKey(at), 0);
  let values: readonly unknown[] = [args];
  for (const step of stepsOf(at)) {
    const key = foldedKey(step);
    values = values.flatMap((value) =>
      Array.isArray(value)
        ? Object.hasOwn(value, step)
          ? [(value as unknown[])[Number(step)]]
          : []
        : Object.entries(objectOf(value)).flatMap(([name, item]) => (foldedKey(name) === key ? [item] : [])),
    );
  }
  return values;
}

function valuesNamed(value: unknown, key: string, depth: number): readonly unknown[] {
  if (depth > MAX_DEPTH) return [value];
  if (Array.isArray(value)) return value.flatMap((item) => valuesNamed(item, key, depth + 1));
  if (typeof value === 'string' && isJson(value) && value.length > MAX_NESTED_JSON) return [UNREADABLE];
  return Object.entries(objectOf(value)).flatMap(([name, item]) => [
    ...(isNamed(name, key) ? [item] : []),
    ...valuesNamed(item, key, depth + 1),
  ]);
}

/** An object, or the one that a text is the JSON of. */
function objectOf(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  if (typeof value !== 'string' || value.length > MAX_NESTED_JSON || !isJson(value)) return {};
  try {
    const parsed: unknown = JSON.parse(value.trim());
    if (typeof parsed === 'string') return objectOf(parsed);
    return Array.isArray(parsed) ? { items: parsed as unknown[] } : isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Whether a text may be JSON of an object or a list, or that once more as a text. */
function isJson(text: string): boolean {
  return /^\s*["{[]/.test(text);
}

/** Whether a member is the argument or a part of it, also by a path: `options.path`, `options[path]`, `path[0]`, `path%5B0%5D`. */
function isNamed(name: string, key: string): boolean {
  return [name, decode(name)].some(
    (each) => foldedKey(each) === key || each.split(/[^\p{L}\p{M}\p{N}_-]+/u).some((part) => foldedKey(part) === key),
  );
}

/** The value under exactly this name; nothing where a server could take another one for it. */
function onlyValueAt(args: JsonObject, at: string): unknown {
  let value: unknown = args;
  for (const step of at.startsWith('/') ? stepsOf(at) : [at]) {
    if ((!isRecord(value) && !Array.isArray(value)) || !Object.hasOwn(value, step)) return undefined;
    const key = foldedKey(step);
    if (isRecord(value) && Object.keys(value).some((other) => other !== step && isNamed(other, key))) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Servers read names of arguments in any case, and some in either style of joining words. */
function foldedKey(name: string): string {
  return fold(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether any text matches both patterns. Takes at most the product of their lengths. */
function globsMeet(one: string, other: string): boolean {
  // Row by row of the table that says whether what is left of `one` and of `other` can still be equal.
  let below: readonly boolean[] = [];
  for (let at = one.length; at >= 0; at -= 1) {
    const row: boolean[] = [];
    for (let to = other.length; to >= 0; to -= 1) {
      const [a, b] = [one[at], other[to]];
      const isEnd = a === undefined && b === undefined;
      const skipsOne = a === '*' && below[to] === true;
      const skipsOther = b === '*' && row[to + 1] === true;
      const isSame = a !== undefined && b !== undefined && (a === b || a === '?' || b === '?');
      const staysOne = a === '*' && b !== undefined && row[to + 1] === true;
      const staysOther = b === '*' && a !== undefined && below[to] === true;
      row[to] = isEnd || skipsOne || skipsOther || staysOne || staysOther || (isSame && below[to + 1] === true);
    }
    below = row;
  }
  return below[0] === true;
}
