import type * as vscode from 'vscode';
import type { CallOptions, CallResult, SearchOptions, SearchResult } from '../../api.d.ts';
import { messageOf, SwitchboardError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { viewNamed } from '../../host/views/viewNamed.ts';
import type { Host } from '../../host/host.ts';
import { signalOf } from '../cancellation.ts';
import { textOf, toolShape } from './apiShapes.ts';

const NEVER: vscode.CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose() {} }),
};
const DEFAULT_LIMIT = 10;

/** See `SwitchboardApi.searchTools`. */
export async function searchForExtension(host: Host, query: string, options: SearchOptions): Promise<SearchResult> {
  const { limit = DEFAULT_LIMIT, regex = false, server, token } = options;
  const named = server === undefined ? undefined : viewNamed(host.views, textOf(server, 'server'), host.catalog);
  const id = named?.definition.id ?? server;
  const words = { query: textOf(query, 'query'), limit, regex, ...(id === undefined ? {} : { server: id }) };
  const { hits, total, unavailable } = await cancellable(token, (signal) => host.search(words, signal));
  host.calls.tell({ type: 'tool.search', resultCount: hits.length, total });
  return { tools: hits.map(({ tool }) => toolShape(tool)), total, unavailable };
}

/** See `SwitchboardApi.callTool`. */
export async function callForExtension(
  { host, caller }: { readonly host: Host; readonly caller: string },
  name: string,
  args: unknown,
  options: CallOptions,
): Promise<CallResult> {
  const called = textOf(name, 'name');
  if (!isRecord(args)) throw new SwitchboardError('invalid-arguments', '`args` must be an object.');
  return cancellable(options.token, async (signal) => {
    if (!host.catalog.meant(called)) await host.settled(signal);
    const { onProgress, toolInvocationToken } = options;
    const { parts } = await host.broker.call({
      name: called,
      // A copy, so that nothing can change what was decided about.
      args: copied(args),
      surface: 'api',
      signal,
      caller,
      // Where the editor doesn't know it, the question comes up elsewhere.
      surfaceContext: toolInvocationToken,
      ...(onProgress
        ? { onProgress: (progress) => onProgress({ ...progress } as Parameters<typeof onProgress>[0]) }
        : {}),
    });
    return {
      content: parts.map(({ kind, ...rest }) => ({ type: kind, ...rest }) as CallResult['content'][number]),
    };
  });
}

/** @throws SwitchboardError `invalid-arguments` for what is more than data */
function copied(args: object): JsonObject {
  try {
    return structuredClone(args) as JsonObject;
  } catch (error) {
    throw new SwitchboardError('invalid-arguments', `\`args\` must be plain data: ${messageOf(error)}`);
  }
}

async function cancellable<R>(token: CallOptions['token'], run: (signal: AbortSignal) => Promise<R>): Promise<R> {
  const cancellation = signalOf((token as vscode.CancellationToken | undefined) ?? NEVER);
  try {
    return await run(cancellation.signal);
  } finally {
    cancellation.dispose();
  }
}
