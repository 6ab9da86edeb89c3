export function englishTexts(code: string): readonly { readonly line: number; readonly text: string }[];
