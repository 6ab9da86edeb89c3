/**
 * The stem of an English word in lower-case letters, by M. F. Porter's algorithm ("An algorithm for suffix stripping",
 * 1980). Words of other letters or of at most two are returned as they are.
 */
export function stem(word: string): string {
  if (word.length <= 2 || !/^[a-z]+$/.test(word)) return word;
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))));
}

const CONSONANT = '[^aeiou]';
const VOWEL = '[aeiouy]';
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
/** Measure above 0, exactly 1, above 1; a vowel in the stem; ends consonant-vowel-consonant. */
const M_ABOVE_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const M_IS_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const M_ABOVE_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`);
const ENDS_CVC = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'], ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance'], ['izer', 'ize'], ['bli', 'ble'],
  ['alli', 'al'], ['entli', 'ent'], ['eli', 'e'], ['ousli', 'ous'], ['ization', 'ize'], ['ation', 'ate'],
  ['ator', 'ate'], ['alism', 'al'], ['iveness', 'ive'], ['fulness', 'ful'], ['ousness', 'ous'], ['aliti', 'al'],
  ['iviti', 'ive'], ['biliti', 'ble'], ['logi', 'log'],
]; // prettier-ignore
const STEP_3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'], ['ative', ''], ['alize', 'al'], ['iciti', 'ic'], ['ical', 'ic'], ['ful', ''], ['ness', ''],
]; // prettier-ignore
const STEP_4 = [
  'ement', 'ment', 'ance', 'ence', 'able', 'ible', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize', 'al', 'er',
  'ic', 'ou',
]; // prettier-ignore

function step1a(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return M_ABOVE_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const suffix = /(?:ed|ing)$/.exec(word)?.[0];
  if (suffix === undefined) return word;
  const base = word.slice(0, -suffix.length);
  if (!HAS_VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return ENDS_CVC.test(base) ? `${base}e` : base;
}

function step1c(word: string): string {
  return word.endsWith('y') && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function step2(word: string): string {
  return replaceFirst(word, STEP_2);
}

function step3(word: string): string {
  return replaceFirst(word, STEP_3);
}

function step4(word: string): string {
  const suffix = STEP_4.find((candidate) => word.endsWith(candidate));
  if (suffix !== undefined) {
    const base = word.slice(0, -suffix.length);
    return M_ABOVE_1.test(base) ? base : word;
  }
  if (!/[st]ion$/.test(word)) return word;
  return M_ABOVE_1.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
}

function step5(word: string): string {
  let result = word;
  if (word.endsWith('e')) {
    const base = word.slice(0, -1);
    if (M_ABOVE_1.test(base) || (M_IS_1.test(base) && !ENDS_CVC.test(base))) result = base;
  }
  return result.endsWith('ll') && M_ABOVE_1.test(result) ? result.slice(0, -1) : result;
}

function replaceFirst(word: string, table: readonly (readonly [string, string])[]): string {
  const rule = table.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const base = word.slice(0, -rule[0].length);
  return M_ABOVE_0.test(base) ? base + rule[1] : word;
}
