export const LANGUAGES: readonly string[];
export function translationFaults(language: string): string[];
export function textSources(): { english: Record<string, string>; fileFor: (language: string) => string }[];
/** What a translation of one text lacks or adds of what every language has alike. */
export function textFaults(text: string, other: string): string[];
