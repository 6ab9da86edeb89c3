export const LANGUAGES: readonly string[];
export function translationFaults(language: string): string[];
