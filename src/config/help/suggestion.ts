import type { Span } from '../syntax/sourceText.ts';

/** Something that can be written at a place of a text. */
export interface Suggestion {
  readonly kind: 'variable' | 'input' | 'field' | 'value' | 'command' | 'package' | 'tool' | 'server';
  readonly label: string;
  /** A few words beside the label. */
  readonly detail?: string;
  /** Markdown of ours: never what a file or a server says. */
  readonly meaning?: string;
  /** Replaces `replaced`; where `isSnippet`, `$1` and `${1:…}` are stops, and `\` escapes. */
  readonly text: string;
  readonly isSnippet: boolean;
  readonly replaced: Span;
  /** What the text in `replaced` is compared with. */
  readonly filter: string;
}

/** A text that can't end a snippet's stop or begin a variable. */
export function inSnippet(text: string): string {
  return text.replaceAll(/[\\$}]/g, String.raw`\$&`);
}
