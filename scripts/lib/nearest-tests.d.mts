export function changedFiles(): string[];
export function testsNear(changed: readonly string[]): { file: string; hops: number }[];
