export interface BuildIdentity {
  readonly commit: string;
  readonly seconds: number;
}
export function buildIdentity(): BuildIdentity;
export function git(...args: readonly string[]): string;
