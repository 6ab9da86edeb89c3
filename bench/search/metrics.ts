/** A query and the tools that answer it; of the tools of one group any one will do. */
export interface RetrievalQuery {
  readonly id: string;
  readonly query: string;
  readonly kind?: string;
  /** Where the labels come from, and perhaps a part of it after a slash. */
  readonly source?: string;
  readonly relevant: readonly {
    readonly server: string;
    readonly name: string;
    /** 2: the tool that is meant; 1: an acceptable substitute. */
    readonly grade: number;
    readonly group: number;
  }[];
}

export const METRICS = ['R@1', 'R@3', 'R@5', 'R@10', 'MRR', 'N@5', 'N@10'] as const;
export type Metrics = Record<(typeof METRICS)[number], number>;

/** One key for a server's tool. */
export const keyOf = (tool: { readonly server: string; readonly name: string }): string =>
  `${tool.server}\0${tool.name}`;

/**
 * Recall (groups hit in the first k), reciprocal rank of the first hit, and normalised discounted gain (grade / 2,
 * one hit per group) of a ranking for a query.
 */
export function measure(query: RetrievalQuery, ranked: readonly string[]): Metrics {
  const groups = new Map<number, Map<string, number>>();
  for (const tool of query.relevant) {
    const group = groups.get(tool.group) ?? new Map<string, number>();
    groups.set(tool.group, group.set(keyOf(tool), tool.grade));
  }
  const recall = (k: number): number => {
    const top = new Set(ranked.slice(0, k));
    const hits = [...groups.values()].filter((group) => [...group.keys()].some((key) => top.has(key)));
    return hits.length / groups.size;
  };
  const first = ranked.findIndex((key) => [...groups.values()].some((group) => group.has(key)));
  return {
    'R@1': recall(1),
    'R@3': recall(3),
    'R@5': recall(5),
    'R@10': recall(10),
    MRR: first < 0 ? 0 : 1 / (first + 1),
    'N@5': gain(groups, ranked, 5),
    'N@10': gain(groups, ranked, 10),
  };
}

function gain(groups: ReadonlyMap<number, ReadonlyMap<string, number>>, ranked: readonly string[], k: number): number {
  const open = new Map(groups);
  let found = 0;
  for (const [place, key] of ranked.slice(0, k).entries()) {
    const hit = [...open].find(([, group]) => group.has(key));
    if (hit === undefined) continue;
    open.delete(hit[0]);
    found += (hit[1].get(key) ?? 0) / 2 / Math.log2(place + 2);
  }
  const best = [...groups.values()].map((group) => Math.max(...group.values()) / 2).sort((a, b) => b - a);
  const ideal = best.slice(0, k).reduce((sum, value, place) => sum + value / Math.log2(place + 2), 0);
  return found / ideal;
}

/** The mean of each metric. */
export function meanOf(rows: readonly Metrics[]): Metrics {
  const entries = METRICS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0) / rows.length] as const);
  return Object.fromEntries(entries) as Metrics;
}

/** The value below which `share` of the numbers lie. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
