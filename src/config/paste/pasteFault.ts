/** Why a pasted text can't be read, and what to do. */
export interface PasteFault {
  readonly message: string;
  readonly fix: string;
}

/** Longest part of a pasted text that a sentence quotes, in UTF-16 units. */
const MAX_QUOTED = 60;

export function shortened(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
