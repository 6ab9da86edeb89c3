/** What a text's punctuation has that its language, in VS Code, doesn't: a line each. */
export function punctuationFaults(language: string, text: string): string[];
