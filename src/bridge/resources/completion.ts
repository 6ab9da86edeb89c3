import type { JsonObject } from '../../base/json/json.ts';
import type { Host } from '../../host/host.ts';
import { capabilitiesOf, connectedView } from './serverRequests.ts';

/** The user waits while typing. */
const COMPLETION_TIMEOUT_MS = 5_000;

/** What an argument belongs to. */
export type CompletionOf =
  { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'template'; readonly uriTemplate: string };

export interface CompletionRequest {
  /** As configured. */
  readonly server: string;
  readonly of: CompletionOf;
  readonly argument: string;
  /** What is typed so far. */
  readonly value: string;
  /** The arguments that are filled in already. */
  readonly others: Readonly<Record<string, string>>;
}

/** Whether a server completes arguments. */
export function canComplete(host: Host, server: string): boolean {
  return capabilitiesOf(connectedView(host, server))['completions'] !== undefined;
}

/** What a server proposes for an argument while the user types. Empty where it fails, too: to type on is always possible. */
export async function completeArgument(
  host: Host,
  request: CompletionRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return proposedValues(host, request, signal).catch(() => []);
}

/**
 * The values that a server proposes for an argument, at most 100 (specification: completion).
 * @throws SwitchboardError as `Broker.request` does, where the server refuses or doesn't answer within 5 seconds
 */
export async function proposedValues(
  host: Host,
  { server, of, argument, value, others }: CompletionRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ref =
    of.kind === 'prompt' ? { type: 'ref/prompt', name: of.name } : { type: 'ref/resource', uri: of.uriTemplate };
  const params: JsonObject = { ref, argument: { name: argument, value }, context: { arguments: others } };
  const serverId = connectedView(host, server).definition.id;
  const until = AbortSignal.any([signal, AbortSignal.timeout(COMPLETION_TIMEOUT_MS)]);
  const request = { serverId, method: 'completion/complete', params, surface: 'editor', signal: until } as const;
  const { completion } = await host.broker.request({ ...request, isUsersAct: true });
  const { values } = (completion ?? {}) as { readonly values?: unknown };
  const all: readonly unknown[] = Array.isArray(values) ? values : [];
  return all.filter((each) => typeof each === 'string');
}
