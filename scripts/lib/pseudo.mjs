/** Letters as far from plain English as any language's, tall ones among them. */
const ACCENTED = Object.fromEntries(
  [
    ...'AÅBƁCÇDÐEÉFƑGĜHĤIÎJĴKĶLĻMṀNÑOÖPÞQǪRŔSŠTŢUÛVṼWŴXẊYÝZŽaåbƀcçdðeéfƒgĝhĥiîjĵkķlļmɱnñoöpþqǫrŕsštţuûvṽwŵxẋyýzž'.matchAll(
      /(.)(.)/gu,
    ),
  ].map(([, plain, accented]) => [plain, accented]),
);
/** What no translation changes: placeholders, code, icons, addresses, tags. */
const FIXED = /\{\d+\}|`[^`]*`|\$\([\w~-]+\)|\((?:command|https|#)[^)\s]*\)|#[\w.]+#|%\w+%|<[^>]+>/g;

/**
 * A text as in a language that nobody has to know to read it: accented, in brackets, so that a cut end shows, and longer by two fifths,
 * as German and Spanish texts often are.
 * @param {string} english
 */
export function pseudo(english) {
  let end = 0;
  let text = '';
  const accent = (/** @type {string} */ part) => part.replaceAll(/[A-Za-z]/g, (letter) => ACCENTED[letter] ?? letter);
  for (const { 0: fixed, index } of english.matchAll(FIXED)) {
    text += accent(english.slice(end, index)) + fixed;
    end = index + fixed.length;
  }
  const more = 'one two three four five six seven eight nine ten '.repeat(20);
  const added = more.slice(0, Math.round(english.length * 0.4)).trim();
  return `[${text}${accent(english.slice(end))}${added ? ` ${added}` : ''}]`;
}
