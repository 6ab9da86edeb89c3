/** Kana and ideographs. */
const CJK = '[\\u3005\\u3040-\\u30ff\\u4e00-\\u9fff]';
/** What no reader takes for punctuation: code, values, links, icons. */
const FIXED = /`[^`]*`|\]\([^)]*\)|\$\([\w-]+\)|\{ [^\u3001-\u9fff]*\}/gu;

/** Where both languages agree, and Microsoft's language packs for VS Code with them: each fault is in at most one of a hundred texts there. */
const BOTH = {
  'has ASCII “.”, “,” or “;” where its language has its own': `(?:${CJK}|[”」)}])[.,;](?=\\s|$|${CJK})|${CJK}[.,;]`,
  'has a full-width “?”, “!”, “:” or “;” of the wrong kind': '[？！：]',
  'has a full-width parenthesis': '[（）]',
  'has no blank after “:”, “?” or “!”': `${CJK}[:?!](?=[^\\s:?!)」”…])`,
  'has no blank between its letters and Latin ones': `${CJK}[A-Za-z0-9]|[A-Za-z0-9]${CJK}`,
};
/** By language: what its packs have besides. */
const OWN = {
  ja: {
    ...BOTH,
    'has a Chinese comma or semicolon': '[，；]',
    'has a blank missing beside a parenthesis': `${CJK}\\(|\\)${CJK}`,
    'has quotes other than 「」': '[“”„‟«»]',
    'has a blank beside a quote or its own punctuation': `${CJK} 「|」 ${CJK}|[。、] ?[。、]| [。、]`,
  },
  'zh-cn': {
    ...BOTH,
    'has a blank before a parenthesis': `${CJK} \\(`,
    'has quotes other than “”': '[「」„‟«»]',
    'has a blank beside a quote or its own punctuation': `${CJK} “|” ${CJK}|[。，、；] ?[。，、；]| [。，、；]`,
    'says 你 besides 您': '你',
  },
  de: { 'has quotes other than „“': '[”«»「」]' },
  es: { 'has quotes other than «»': '[“”„「」]' },
};

/**
 * What a text's punctuation has that its language, in VS Code, doesn't: a line each.
 * @param {string} language as VS Code names it
 * @param {string} text a translation
 * @returns {string[]}
 */
export function punctuationFaults(language, text) {
  // A value stands for a word, whatever it is.
  const prose = text.replaceAll(FIXED, '`').replaceAll(/"[^"]*"/gu, '`');
  return Object.entries(OWN[language] ?? {})
    .filter(([, pattern]) => new RegExp(pattern, 'u').test(prose))
    .map(([fault]) => fault);
}
