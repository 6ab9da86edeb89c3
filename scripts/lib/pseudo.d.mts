export function pseudo(english: string): string;
