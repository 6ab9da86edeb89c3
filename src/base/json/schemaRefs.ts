import { isRecord } from './json.ts';

/** Keywords whose values are data: what looks like a schema's name in them is none. */
export const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
const MAX_VISITED = 100_000;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

const names = new WeakMap<object, ReadonlyMap<string, unknown>>();

/**
 * What a schema refers to, by any draft's keyword, and what stands beside it; `undefined` where it refers to nothing.
 * References that follow the place they are read from (`$dynamicRef`, `$recursiveRef`) are taken for plain ones.
 */
export function referenceOf(
  schema: Readonly<Record<string, unknown>>,
): { readonly reference: string; readonly beside: Record<string, unknown> } | undefined {
  const keyword = REFERENCES.find((name) => typeof schema[name] === 'string');
  if (keyword === undefined) return undefined;
  const { $ref: _ref, $dynamicRef: _dynamicRef, $recursiveRef: _recursiveRef, ...beside } = schema;
  return { reference: schema[keyword] as string, beside };
}

/**
 * What a reference inside a schema points to: `#`, a JSON pointer (RFC 6901), an anchor, or the `$id` of a part, in the
 * document `root`. `undefined` where there is nothing, and for addresses of other documents, which are never fetched.
 */
export function resolveReference(root: unknown, reference: string): unknown {
  const at = reference.indexOf('#');
  const address = at < 0 ? reference : reference.slice(0, at);
  const fragment = at < 0 ? '' : reference.slice(at + 1);
  const document = address === '' || (isRecord(root) && address === root['$id']) ? root : namesIn(root).get(address);
  if (fragment === '' || document === undefined) return document;
  if (!fragment.startsWith('/')) return namesIn(document).get(`#${fragment}`);
  let target: unknown = document;
  for (const token of fragment.slice(1).split('/')) target = memberOf(target, decodeToken(token));
  return target;
}

/** In a fragment, characters are escaped for the address first, and for the pointer within that (RFC 6901, 6). */
function decodeToken(token: string): string {
  let decoded = token;
  try {
    decoded = decodeURIComponent(token);
  } catch {
    // Not escaped, then.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The schemas of a document that have names: anchors as `#name`, others by their `$id` (`id` in draft 4). */
function namesIn(root: unknown): ReadonlyMap<string, unknown> {
  if (!isRecord(root)) return new Map();
  const known = names.get(root);
  if (known) return known;
  const found = new Map<string, unknown>();
  const waiting: unknown[] = [root];
  for (let visited = 0; visited < waiting.length && visited < MAX_VISITED; visited += 1) {
    const value = waiting[visited];
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    if (!isRecord(value)) continue;
    for (const name of namesOf(value)) if (!found.has(name)) found.set(name, value);
    for (const [key, member] of Object.entries(value))
      if (!DATA.has(key) && typeof member === 'object') waiting.push(member);
  }
  names.set(root, found);
  return found;
}

function namesOf(schema: Readonly<Record<string, unknown>>): string[] {
  const anchors = [schema['$anchor'], schema['$dynamicAnchor']].filter((name) => typeof name === 'string');
  const ids = [schema['$id'], schema['id']].filter((id) => typeof id === 'string' && id !== '' && id !== '#');
  return [...anchors.map((name) => `#${name}`), ...(ids as string[]).map((id) => id.replace(/#$/, ''))];
}
