import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { cleanText } from './cleanText.ts';
import type { ResultPart } from './resultParts.ts';
import type { CallOutcome } from '../callTypes.ts';

/** Members of blocks that hold bytes in base64. */
const BYTES: ReadonlySet<string> = new Set(['data', 'blob']);

/**
 * A call's outcome as a `tools/call` result, for surfaces that speak the protocol: blocks as the server sent them, its
 * structured content, and its `_meta`. What was cut or replaced stays so, and
 * what hides in texts is written out in every string.
 */
export function protocolResult({ parts, meta }: CallOutcome): JsonObject {
  const structured = parts.flatMap(({ origin }) => (origin && 'structured' in origin ? [origin.structured] : []));
  return {
    content: parts.filter(({ origin }) => !(origin && ('isWithin' in origin || 'isAdded' in origin))).map(blockOf),
    ...(isRecord(structured[0]) ? { structuredContent: clean(structured[0] as JsonObject) } : {}),
    ...(meta ? { _meta: meta } : {}),
    isError: false,
  };
}

function blockOf(part: ResultPart): JsonObject {
  const { origin } = part;
  if (origin && 'block' in origin) return clean(origin.block as JsonObject) as JsonObject;
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const type = part.mimeType.startsWith('audio/') ? 'audio' : 'image';
  return { type, mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') };
}

function clean(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanText(value).text;
  if (Array.isArray(value)) return value.map((each: JsonValue) => clean(each));
  if (!isRecord(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([key, each]) => [cleanText(key).text, BYTES.has(key) ? each : clean(each)]));
}
