/** Keeps a map within a limit: one that has more lets go of what was put in first. Call it after each `set`. */
export function dropOldest<Key>(map: Map<Key, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most) map.delete(oldest as Key);
}
