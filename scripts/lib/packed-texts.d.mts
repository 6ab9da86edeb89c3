export function writePackedTexts(folder: string): void;
export function packTexts(english: readonly string[], translated: Readonly<Record<string, string>>): string;
