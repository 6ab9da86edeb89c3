import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { inSlices } from '../../base/timeSlices.ts';
import { cleanTextSteps } from '../../calls/results/cleanText.ts';
import type { ResultPart } from '../../calls/results/resultParts.ts';
import { shownBytes } from '../../base/data/dataForModels.ts';
import { RESULT_SCHEME } from '../../calls/results/resultFiles.ts';
import type { Host } from '../../host/host.ts';
import { readContents, type ResourceContent } from '../resources/readContents.ts';

/** How many characters are read where the model says nothing: as much as the editor's agent passes on by itself. */
const DEFAULT_LENGTH = 6_000;

/** What the model asked for, and what a question needs. */
export interface ResourceInvocation {
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly surfaceContext: unknown;
}

/**
 * `mcp_read_resource`: a range of a large result that was stored, or a resource of a server.
 * @throws SwitchboardError `call-failed`, `unknown-server`, or what the broker throws
 */
export async function readResource(
  host: Host,
  { input, signal, surfaceContext }: ResourceInvocation,
): Promise<readonly ResultPart[]> {
  const uri = typeof input['uri'] === 'string' ? input['uri'] : '';
  const offset = typeof input['offset'] === 'number' ? input['offset'] : 0;
  const length = typeof input['length'] === 'number' ? input['length'] : DEFAULT_LENGTH;
  if (uri.startsWith(RESULT_SCHEME)) {
    const results = await host.calls.results();
    if (!results) throw new SwitchboardError('call-failed', 'No results are stored here.');
    const range = await results.read(uri, offset, length);
    return [ranged(range.text, range.offset, range.total)];
  }
  const server = typeof input['server'] === 'string' ? input['server'] : '';
  const contents = await readContents(host, { server, uri, surface: 'lm-tool', signal, surfaceContext });
  if (contents.length === 0) return [{ kind: 'text', text: '(empty)' }];
  return host.broker.withFiles(await Promise.all(contents.map((content) => partOf(content, offset, length))));
}

async function partOf(content: ResourceContent, offset: number, length: number): Promise<ResultPart> {
  if (content.kind === 'text') return textPart(content.text, offset, length);
  const { data, mimeType = 'application/octet-stream' } = content;
  const shown = shownBytes(data, mimeType);
  return shown.kind === 'data' ? { kind: 'data', mimeType: shown.mimeType, data: shown.data } : shown;
}

async function textPart(raw: string, offset: number, length: number): Promise<ResultPart> {
  const { text, note } = await inSlices(cleanTextSteps(raw));
  const part = ranged(text.slice(offset, offset + length), offset, text.length);
  return note === undefined ? part : { kind: 'text', text: `${part.text}\n${note}` };
}

function ranged(text: string, offset: number, total: number): { readonly kind: 'text'; readonly text: string } {
  const end = offset + text.length;
  if (offset === 0 && end >= total) return { kind: 'text', text };
  const next = end < total ? ` Go on with "offset": ${end}.` : ' This is the end.';
  return { kind: 'text', text: `${text}\n[characters ${offset} to ${end} of ${total}.${next}]` };
}
