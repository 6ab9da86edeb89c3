/** Why a name may not be what it looks like. `invisible`: it holds what can't be seen; `scripts`: a word of it mixes scripts. */
export type NameWarning =
  | { readonly kind: 'invisible' }
  | { readonly kind: 'scripts'; readonly scripts: readonly string[] }
  | { readonly kind: 'like'; readonly other: string };

/** Format and control characters, line separators, and letters that are drawn as nothing. */
const INVISIBLE = /[\u034f\u17b4\u17b5\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]/u;
/** Blanks that aren't seen: at an end, or beside another one. */
const UNSEEN_BLANKS = /^\s|\s$|\s\s/;
/** Scripts whose letters are drawn like those of another one of them. */
const CONFUSED_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'] as const;
const OF_SCRIPT = new Map(CONFUSED_SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')]));

// Letters that are drawn like a Latin one (Unicode: UTS #39, confusables), the common ones, in lower case.
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ',
  b: 'ьвβƅЬ',
  c: 'сϲᴄⅽ',
  d: 'ԁɗⅾ',
  e: 'еєεҽ℮',
  g: 'ɡցǥ',
  h: 'һհнʜ',
  j: 'јϳ',
  k: 'кκᴋ',
  l: 'і1!|ıӏιɩⅰⅼi',
  m: 'мⅿᴍ',
  n: 'пոռηɴ',
  o: 'оοσօ0ᴏჿ०',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υսцᴜ',
  v: 'ѵνᴠⅴ',
  w: 'ѡԝωш',
  x: 'хχⅹ',
  y: 'уүγყ',
  z: 'ᴢ',
};
const LATIN = new Map(
  Object.entries(DRAWN_LIKE).flatMap(([latin, all]) => Array.from(all).map((each) => [each, latin])),
);

/** Shorter names are too often one letter away from another to say anything of it. */
const SHORTEST_NEAR = 5;
const SHORTEST_WORD = 4;

/** What is odd about the letters of a name, whatever other names there are. */
export function oddLetters(name: string): readonly NameWarning[] {
  const mixed = new Set<string>();
  for (const word of name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? []) {
    const scripts = CONFUSED_SCRIPTS.filter((script) => OF_SCRIPT.get(script)?.test(word));
    if (scripts.length > 1) for (const script of scripts) mixed.add(script);
  }
  return [
    ...(INVISIBLE.test(name) || UNSEEN_BLANKS.test(name) ? [{ kind: 'invisible' } as const] : []),
    ...(mixed.size > 0 ? [{ kind: 'scripts', scripts: [...mixed] } as const] : []),
  ];
}

/**
 * Whether a name hides what it says from whoever reads it: it holds what can't be seen, a word of it mixes scripts, or
 * every letter of a word is of another script and drawn like a Latin one.
 */
export function isDisguised(name: string): boolean {
  if (isAscii(name)) return INVISIBLE.test(name);
  if (oddLetters(name).length > 0) return true;
  const words = name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => !isAscii(word) && Array.from(word.toLowerCase()).every((letter) => LATIN.has(letter)));
}

/** Two names with the same skeleton are drawn (nearly) the same. Separators and letter case don't count. */
export function skeletonOf(name: string): string {
  const letters = Array.from(name.normalize('NFKD').toLowerCase()).filter(
    (each) => !/[\p{M}\p{Cf}\p{Cc}_\-.\s/]/u.test(each),
  );
  return letters
    .map((each) => LATIN.get(each) ?? each)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** Every way to leave one letter out of a skeleton, and it itself: two skeletons that share one are an edit or a swap apart. */
export function neighboursOf(skeleton: string): readonly string[] {
  const letters = Array.from(skeleton);
  if (letters.length < SHORTEST_NEAR) return [skeleton];
  return [skeleton, ...new Set(letters.map((_, index) => letters.toSpliced(index, 1).join('')))];
}

/** A name, and what it is compared by: made once for each of many names. */
interface NameForm {
  readonly name: string;
  readonly plain: string;
  readonly isAscii: boolean;
  readonly skeleton: string;
  readonly withoutCount: string;
}

function formOf(name: string): NameForm {
  return {
    name,
    plain: plain(name),
    isAscii: isAscii(name),
    skeleton: skeletonOf(name),
    withoutCount: withoutCount(name),
  };
}

/**
 * Whether a name is drawn like another one or is one letter away from it. Of two that are drawn alike, the one in plain
 * letters is the one that is imitated. A difference that is made on purpose says nothing: letter case and separators,
 * a number, an `s` at the end, another short word. Only where the letters are others than they look does even that count.
 */
export function looksLike(name: string, other: string): boolean {
  return formsLookAlike(formOf(name), formOf(other));
}

function formsLookAlike(name: NameForm, other: NameForm): boolean {
  if (name.plain === other.plain || (name.isAscii && !other.isAscii)) return false;
  const [one, two] = [name.skeleton, other.skeleton];
  if (one === two) return true;
  if (name.withoutCount === other.withoutCount || isOtherShortWord(name.name, other.name)) return false;
  const near = new Set(neighboursOf(one));
  return Math.min(one.length, two.length) >= SHORTEST_NEAR && neighboursOf(two).some((each) => near.has(each));
}

/** `get_value` and `set_value`: as many words, of which one is another, and that is short. */
function isOtherShortWord(name: string, other: string): boolean {
  const [words, others] = [name, other].map((each) => each.toLowerCase().split(/[_\-.\s/]+/));
  if (!words || !others || words.length !== others.length) return false;
  const at = words.flatMap((word, index) => (word === others[index] ? [] : [index]));
  const longest = Math.max(...at.flatMap((index) => [words[index]?.length ?? 0, others[index]?.length ?? 0]));
  return at.length === 1 && longest < SHORTEST_WORD;
}

/** Names that others could be taken for, sorted by what is near them: among many, each is compared with few. */
export class NameIndex {
  readonly #near = new Map<string, NameForm[]>();
  readonly #forms = new Map<string, NameForm>();

  constructor(names: Iterable<string>) {
    for (const name of new Set(names)) {
      const form = formOf(name);
      this.#forms.set(name, form);
      for (const key of neighboursOf(form.skeleton)) {
        const list = this.#near.get(key);
        if (list) list.push(form);
        else this.#near.set(key, [form]);
      }
    }
  }

  /** What to point out about a name. */
  warningsOf(name: string): readonly NameWarning[] {
    const form = this.#forms.get(name) ?? formOf(name);
    const candidates = new Set(neighboursOf(form.skeleton).flatMap((key) => this.#near.get(key) ?? []));
    const like = [...candidates].filter((other) => other !== form && formsLookAlike(form, other));
    return [...like.map((other) => ({ kind: 'like', other: other.name }) as const), ...oddLetters(name)];
  }
}

function isAscii(name: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(name);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-.\s/]+/g, '');
}

function withoutCount(name: string): string {
  return plain(name).replaceAll(/\d+/g, '').replace(/s$/, '');
}
