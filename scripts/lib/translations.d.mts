export const LANGUAGES: readonly string[];
export function translationFaults(language: string): string[];
export function textSources(): { english: Record<string, string>; fileFor: (language: string) => string }[];
