import { inertBytes, inertText } from '../../base/text/inertText.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { Surface } from '../../calls/callTypes.ts';
import type { Host } from '../../host/host.ts';
import { namedView } from './serverRequests.ts';

/** A part of what reading a resource gave; text of a text type is text even where it came as bytes. */
export type ResourceContent = { readonly uri: string; readonly mimeType?: string } & (
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'data'; readonly data: Uint8Array }
);

export interface ResourceRequest {
  /** As configured. */
  readonly server: string;
  readonly uri: string;
  readonly surface: Surface;
  readonly signal: AbortSignal;
  readonly surfaceContext?: unknown;
  /** As in `ToolCall`. */
  readonly caller?: string;
  /** The user chose just this in the editor. */
  readonly isUsersAct?: boolean;
}

/**
 * Reads a resource of a server through the broker, so that rules and the history hold.
 * @throws SwitchboardError `unknown-server`, `not-connected`, or what the broker throws
 */
export async function readContents(host: Host, request: ResourceRequest): Promise<readonly ResourceContent[]> {
  const { server, uri, ...rest } = request;
  const { id: serverId } = namedView(host, server).definition;
  return contentsOf(await host.broker.request({ ...rest, serverId, method: 'resources/read', params: { uri } }), uri);
}

/** The contents in a `resources/read` result; what has neither text nor bytes is left out. */
export function contentsOf({ contents }: JsonObject, uri: string): readonly ResourceContent[] {
  const items: readonly unknown[] = Array.isArray(contents) ? contents : [];
  return items.filter(isRecord).flatMap((item) => contentOf(item, uri) ?? []);
}

const TEXT_TYPE = /^text\/|[/+](?:json|xml|yaml|javascript)\b/i;

/** One part of a resource's contents, or a resource that is embedded in something else. */
export function contentOf(item: Record<string, unknown>, otherwise = ''): ResourceContent | undefined {
  const base = {
    uri: typeof item['uri'] === 'string' ? item['uri'] : otherwise,
    ...(typeof item['mimeType'] === 'string' ? { mimeType: item['mimeType'] } : {}),
  };
  if (typeof item['text'] === 'string') return { ...base, kind: 'text', text: item['text'] };
  if (typeof item['blob'] !== 'string') return undefined;
  const data = Buffer.from(item['blob'], 'base64');
  return base.mimeType !== undefined && TEXT_TYPE.test(base.mimeType)
    ? { ...base, kind: 'text', text: data.toString('utf8') }
    : { ...base, kind: 'data', data };
}

/** What a document shows of a resource: its only part as it is; of several, the texts, each below its address. */
export function documentBytes(contents: readonly ResourceContent[]): Uint8Array {
  const [only, ...rest] = contents;
  if (!only) return new Uint8Array();
  if (rest.length === 0)
    return only.kind === 'text' ? Buffer.from(inertText(only.text), 'utf8') : inertBytes(only.data);
  const texts = contents.map((content) => {
    const { uri, mimeType = 'application/octet-stream' } = content;
    return content.kind === 'text'
      ? `── ${uri}\n${content.text}`
      : `── ${uri}\n(${mimeType}, ${content.data.length} bytes)`;
  });
  return Buffer.from(inertText(texts.join('\n\n')), 'utf8');
}
