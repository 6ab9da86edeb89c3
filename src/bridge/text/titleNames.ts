import { plainText } from './safeText.ts';

/** What a card shows of a title, in characters. */
export const MAX_TITLE = 100;
/** What a title has of a tool's title and of a server's name, in characters. */
const [MAX_TOOL, MAX_SERVER] = [45, 40];

/** A tool and its server in the title of a question: neither pushes the other out of sight. */
export function titleNames(tool: string, server: string): readonly [tool: string, server: string] {
  return [shortened(tool, MAX_TOOL), shortened(server, MAX_SERVER)];
}

/** A text on one line with nothing in it that hides or links, of so many characters at most. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(plainText(text));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}
