import type { ServerConnection } from '../connection/connectionPool.ts';
import type { ConnectionState, McpTool } from '../connection/connectionTypes.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { ToolFilter } from '../config/configTypes.ts';

/** The one union of states (design: *Connections*): what a definition rules out, else what its connection is in. */
export type ServerState =
  | { readonly kind: 'disabled'; readonly reason: string }
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      readonly needsApproval: boolean;
      /** The rule of a list that blocks it, and the file that the rule stands in. */
      readonly rule?: string;
      readonly file?: string;
    }
  | { readonly kind: 'shadowed'; readonly reason: string }
  | { readonly kind: 'problem'; readonly reason: string }
  | ConnectionState;

/** A server as the surfaces see it. */
export interface ServerView {
  readonly definition: ServerDefinition;
  readonly state: ServerState;
  readonly tools: readonly McpTool[];
}

/** Joins a definition with its connection, if it has one. */
export function viewOf(definition: ServerDefinition, connection: ServerConnection | undefined): ServerView {
  const ruledOut = stateOfStatus(definition);
  const state = ruledOut ?? connection?.state ?? { kind: 'disconnected' };
  return {
    definition,
    state,
    tools: state.kind === 'connected' ? offeredTools(connection?.tools ?? [], definition.entry.tools) : [],
  };
}

function stateOfStatus({ status }: ServerDefinition): ServerState | undefined {
  switch (status.kind) {
    case 'ready':
      return undefined;
    case 'disabled':
      return { kind: 'disabled', reason: status.reason };
    case 'blocked':
      return {
        kind: 'blocked',
        reason: status.reason,
        needsApproval: false,
        ...(status.rule === undefined ? {} : { rule: status.rule }),
        ...(status.file === undefined ? {} : { file: status.file }),
      };
    case 'needs-approval':
      return {
        kind: 'blocked',
        reason: status.change === 'new' ? 'needs your approval' : 'changed since you approved it',
        needsApproval: true,
      };
    case 'problem':
      return { kind: 'problem', reason: status.problem.message };
    case 'shadowed':
      return {
        kind: 'shadowed',
        reason:
          status.by.name === undefined
            ? `the ${status.by.scope} scope (${status.by.label}) defines the same name`
            : `the same server is ${status.by.name} in the ${status.by.scope} scope (${status.by.label})`,
      };
  }
}

/** A state in a few words, for a description, a tooltip or a model. */
export function describeState(state: ServerState): string {
  switch (state.kind) {
    case 'disabled':
    case 'blocked':
    case 'shadowed':
    case 'problem':
      return `${state.kind}: ${state.reason}`;
    case 'connecting':
      return state.hint ? `connecting (${state.hint})` : 'connecting';
    case 'connected':
      return state.listError ? `connected, list of tools failed: ${state.listError}` : 'connected';
    case 'pending':
      return `reconnecting (attempt ${state.attempt} of ${state.maxAttempts}): ${state.failure.message}`;
    case 'needs-auth':
      return `needs sign-in: ${state.failure.message}`;
    case 'failed':
      return `failed: ${state.failure.message}`;
    case 'disconnected':
      return 'disconnected';
  }
}

/** The tools that an entry's lists (`enabledTools`, `disabledTools`) let through. */
export function offeredTools<T extends { readonly name: string }>(
  tools: readonly T[],
  filter: ToolFilter | undefined,
): readonly T[] {
  if (!filter) return tools;
  const { enabled, disabled } = filter;
  return tools.filter(({ name }) => (enabled?.includes(name) ?? true) && !disabled?.includes(name));
}
