import { isRecord } from '../../base/json/json.ts';

type Members = Readonly<Record<string, unknown>>;

/** Key of `_meta` under which a list says what was left out of it. */
const LEFT_OUT = 'mcp-switchboard/leftOut';

/** The result, which says what was left out of it. */
export function withLeftOut(result: Members, leftOut: readonly string[]): Members {
  if (leftOut.length === 0) return result;
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  return { ...result, _meta: { ...meta, [LEFT_OUT]: leftOut } };
}

/** What was left out of a result, one sentence each. */
export function leftOutOf({ _meta: meta }: Members): readonly string[] {
  const sentences: unknown = isRecord(meta) ? meta[LEFT_OUT] : undefined;
  return Array.isArray(sentences) ? sentences.filter((sentence) => typeof sentence === 'string') : [];
}
