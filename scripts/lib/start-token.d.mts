export function startToken(file: string): string;
