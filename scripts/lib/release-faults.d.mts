export function releaseFaults(tree: {
  readonly version: string;
  readonly lock: {
    readonly version?: string;
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  readonly changelog: string;
  readonly fixtures: readonly string[];
}): string[];
