export const SURFACES: readonly string[];
export const PROTOCOL: readonly {
  readonly feature: string;
  readonly era: string;
  readonly cells: readonly string[];
  readonly tests: readonly (readonly [string, string])[];
}[];
export function protocolPage(): string;
