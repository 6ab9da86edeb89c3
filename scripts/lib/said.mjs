/**
 * The templates of the texts that code says (src/base/say.ts), with `{0}` for each value; not those without a word of their own.
 * @param {string} code
 * @returns {string[]}
 */
export function saidIn(code) {
  const templates = [];
  for (const { index } of code.matchAll(/(?<!`)\bsay`/g)) {
    let template = '';
    let values = 0;
    let at = index + 4;
    while (at < code.length && code[at] !== '`') {
      if (code[at] === '\\') {
        template += code[at + 1];
        at += 2;
      } else if (code.startsWith('${', at)) {
        template += `{${values++}}`;
        at = endOfValue(code, at + 2);
      } else template += code[at++];
    }
    if (/\p{L}{2}/u.test(template)) templates.push(template);
  }
  return templates;
}

/** Behind the brace that ends a value which begins at `at`. */
function endOfValue(code, at) {
  for (let depth = 1; depth > 0; at++) {
    if (code[at] === '{') depth++;
    else if (code[at] === '}') depth--;
    else if (code[at] === '`' || code[at] === "'") at = endOfText(code, at);
  }
  return at;
}

/** The quote that ends a text which begins at `at`. */
function endOfText(code, at) {
  const quote = code[at++];
  while (code[at] !== quote) {
    if (code[at] === '\\') at += 2;
    else if (quote === '`' && code.startsWith('${', at)) at = endOfValue(code, at + 2);
    else at++;
  }
  return at;
}
