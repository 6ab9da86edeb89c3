type Cell = (figures: Readonly<Record<string, number | null>>) => string | undefined;

export const ROWS: readonly {
  readonly bench: string;
  readonly work: string;
  readonly ours?: Cell;
  readonly editor?: Cell;
  readonly sdk?: Cell;
  readonly sdkV1?: Cell;
}[];
export function changedTable(
  text: string,
  bench: string,
  figures: Readonly<Record<string, number | null>>,
  environment: { readonly day: string; readonly cpu: string; readonly cpus: number; readonly node: string },
): string;
