import { isRecord } from '../../base/json/json.ts';
import type { ServerInfo } from '../connectionTypes.ts';

/** A list that a server can say of that it changed. */
export type ListCapability = 'tools' | 'resources' | 'prompts';

/**
 * How long a list counts as what the server has, in milliseconds (specification 2026-07-28: *Caching*). For ever where the
 * server says when it changes, and where it says nothing of time, as those before 2026-07-28. Pure.
 */
export function freshForMs(
  result: object,
  { capabilities }: Pick<ServerInfo, 'capabilities'>,
  capability: ListCapability | 'skills',
): number {
  const declared = capabilities[capability];
  if (isRecord(declared) && declared['listChanged'] === true) return Infinity;
  const ttlMs: unknown = Reflect.get(result, 'ttlMs');
  return typeof ttlMs === 'number' && ttlMs >= 0 ? ttlMs : Infinity;
}
