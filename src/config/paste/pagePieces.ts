/** A tag of HTML that pages put around code. */
const TAG = /<\/?(?:td|th|tr|code|pre|p|li|span|div|a|b|strong|em|br|kbd|samp)\b[^<>]*>/gi;
/** Code in a line. */
const CODE = /(?<!`)`{1,3}([^`\n]+)`/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&amp;': '&',
};
/** Words that sentences have and commands don't. */
const OF_SENTENCES =
  /(?:^|\s)(?:a|an|the|this|that|these|your|our|you|to|and|or|is|are|with|for|in|of|from|it|as|at)(?=\s)/i;

/** Of a text, this much is looked at for words of sentences, in UTF-16 units. */
const LONGEST_SENTENCE = 1_000;
/** Words that lead to a command: `Run npx …`, `Start it with: docker run …`. */
const LED_TO =
  /^(?:\p{Lu}\p{L}*(?:\s\p{L}+){0,3}:|Run|Use|Execute|Type)\s+((?:npx|uvx|bunx|docker|podman|node|python3?|uv|deno|bun|dotnet)\s.+)$/su;

/** Whether a text is a sentence: it begins with a word of its own, and has some that no command has, or leads to one. */
export function isSentence(text: string): boolean {
  const isLed = commandLedTo(text) !== undefined;
  const plain = text.slice(0, LONGEST_SENTENCE).replaceAll(/["'`{][^\n]*["'`}]/g, ' ');
  return isLed || (/^(?:[-*•>]\s+)?\p{Lu}[\p{L}’']*,?\s/u.test(text) && OF_SENTENCES.test(plain));
}

function commandLedTo(text: string): string | undefined {
  const [, command] = LED_TO.exec(text) ?? [];
  return command === undefined || OF_SENTENCES.test(command) ? undefined : command;
}

/**
 * The parts of a page that may be a server, best first: code in a sentence, a list or a cell of a table, JSON inside of a
 * sentence, an address. None where the text is no page.
 */
export function pagePieces(text: string): readonly string[] {
  const plain = withoutTags(text);
  const isPage = plain !== text || /^(?:\||[-*•>]\s|\*\*)/.test(text) || isSentence(text);
  if (!isPage) return [];
  const code = Array.from(plain.matchAll(CODE), ([, span = '']) => span.trim());
  const led = commandLedTo(plain);
  const json = plain.slice(plain.indexOf('{'), plain.lastIndexOf('}') + 1);
  const addresses = new Set(
    Array.from(plain.replaceAll(CODE, ' ').matchAll(/\b(?:https?|wss?):\/\/[^\s"'`<>|)\]]+/gi), ([url]) =>
      url.replace(/[.,;:!?]+$/, ''),
    ),
  );
  return [
    ...code.filter((span) => /\s|:\/\//.test(span)),
    ...(led === undefined ? [] : [led]),
    ...(json.startsWith('{') ? [json] : []),
    ...(plain === text ? [] : [plain]),
    ...(addresses.size === 1 ? addresses : []),
  ];
}

function withoutTags(text: string): string {
  const without = text.replaceAll(TAG, ' ');
  if (without === text) return text;
  return without.replaceAll(/&(?:quot|#39|lt|gt|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity).trim();
}
