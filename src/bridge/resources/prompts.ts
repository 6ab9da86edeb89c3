import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { inSlices } from '../../base/timeSlices.ts';
import { cleanTextSteps } from '../../calls/results/cleanText.ts';
import { shownData } from '../../base/data/dataForModels.ts';
import type { Surface } from '../../calls/callTypes.ts';
import type { Host } from '../../host/host.ts';
import { contentOf, type ResourceContent } from './readContents.ts';
import { connectedView } from './serverRequests.ts';

/** A part of a prompt's message. */
export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  /** An image or a sound. */
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  /** A resource that came with the prompt. */
  | { readonly kind: 'resource'; readonly resource: ResourceContent }
  /** A resource that can be read. */
  | { readonly kind: 'link'; readonly uri: string; readonly name: string };

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly part: PromptPart;
}

/** Which prompt, and what it is filled with. */
export interface PromptRequest {
  /** As configured. */
  readonly server: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly surface: Surface;
  readonly surfaceContext?: unknown;
  /** As in `ToolCall`. */
  readonly caller?: string;
  /** The user chose just this in the editor. */
  readonly isUsersAct?: boolean;
}

/**
 * A prompt of a connected server, filled with arguments (specification: prompts), through the broker, so that rules, hooks
 * and the history hold.
 * @throws SwitchboardError `unknown-server`, or what the broker throws
 */
export async function getPromptMessages(
  host: Host,
  { server, name, arguments: values, ...rest }: PromptRequest,
  signal: AbortSignal,
): Promise<readonly PromptMessage[]> {
  const serverId = connectedView(host, server).definition.id;
  const params = { name, arguments: values };
  const { messages } = await host.broker.request({ ...rest, serverId, method: 'prompts/get', params, signal });
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return all.filter(isRecord).flatMap(({ role, content }) => {
    // The specification has one block per message; servers that send several are understood, too.
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
    return blocks.flatMap((block) => {
      const part = partOf(block);
      return part ? [{ role: role === 'assistant' ? ('assistant' as const) : ('user' as const), part }] : [];
    });
  });
}

function partOf(block: unknown): PromptPart | undefined {
  if (!isRecord(block)) return undefined;
  const { text, data, mimeType, resource, uri, name } = block;
  if (typeof text === 'string') return { kind: 'text', text };
  if (typeof data === 'string') {
    const shown = shownData(data, typeof mimeType === 'string' ? mimeType : '');
    return shown.kind === 'data' ? { kind: 'data', mimeType: shown.mimeType, data: shown.data } : shown;
  }
  if (isRecord(resource)) {
    const content = contentOf(resource);
    return content && { kind: 'resource', resource: content };
  }
  if (typeof uri === 'string') return { kind: 'link', uri, name: typeof name === 'string' ? name : uri };
  return { kind: 'text', text: JSON.stringify(block) };
}

/** How a part reads as text: resources are named, and what isn't text is said to be there. */
export function promptPartText(part: PromptPart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return `(${part.mimeType}, ${part.data.length} bytes, not shown)`;
    case 'link':
      return `Resource ${part.uri} (${part.name})`;
    case 'resource': {
      const { resource } = part;
      if (resource.kind === 'text') return `Resource ${resource.uri}:\n${fenced(resource.text)}`;
      return `Resource ${resource.uri} (${resource.mimeType ?? 'binary'}, ${resource.data.length} bytes, not shown)`;
    }
  }
}

/** A prompt as one text; who speaks is said where it is more than one. Invisible characters are shown. */
export async function promptText(messages: readonly PromptMessage[]): Promise<string> {
  const speakers = new Set(messages.map(({ role }) => role));
  const texts = messages.map(({ role, part }) => {
    const text = promptPartText(part);
    return speakers.size > 1 || role === 'assistant' ? `${role}: ${text}` : text;
  });
  const { text, note } = await inSlices(cleanTextSteps(texts.join('\n\n')));
  return note === undefined ? text : `${text}\n${note}`;
}

/** A fence longer than any in the text, so that the text can't end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
