/**
 * The calls of one step in the order in which they run: what only reads runs side by side with its neighbours that only
 * read, everything else alone, so that a read after a write sees it.
 */
export function batches<T>(calls: readonly T[], readsOnly: (call: T) => boolean): readonly (readonly T[])[] {
  const result: { readonly reads: boolean; readonly calls: T[] }[] = [];
  for (const call of calls) {
    const last = result.at(-1);
    const reads = readsOnly(call);
    if (reads && last?.reads) last.calls.push(call);
    else result.push({ reads, calls: [call] });
  }
  return result.map((batch) => batch.calls);
}
