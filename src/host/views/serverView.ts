import type { ServerConnection } from '../../connection/connectionPool.ts';
import type { ServerState } from '../../connection/connectionState.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import type { ToolFilter } from '../../config/configTypes.ts';
import { say } from '../../base/say.ts';

/** A server as the surfaces see it. */
export interface ServerView {
  readonly definition: ServerDefinition;
  readonly state: ServerState;
  readonly tools: readonly McpTool[];
  /** The active preset has nothing of it: whatever else keeps it from running, agents and the user needn't care now. */
  readonly isOutsidePreset?: boolean;
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

/** Whether a server waits for the user's approval. */
export function needsApproval({ definition: { status } }: ServerView): boolean {
  return status.kind === 'needs-approval';
}

/** Whether a sign-in is what a server waits for: for all that it has, or for some of it. */
export function canSignIn({ state }: ServerView): boolean {
  return state.kind === 'connected'
    ? state.accountNeeded === true
    : state.kind === 'needs-auth' && state.failure.canSignIn === true;
}

/** Whether a server is meant to be there: nobody has decided against it, no other stands for it, and the active preset has it. */
export function isWanted({ state, isOutsidePreset }: ServerView): boolean {
  if (isOutsidePreset === true) return false;
  return state.kind === 'blocked' ? state.needsApproval : state.kind !== 'disabled' && state.kind !== 'shadowed';
}

/**
 * Whether the editor's own MCP support has a server, too, which is off here for that: the user left it to the editor, or
 * hasn't chosen yet.
 */
export function isSharedWithEditor({ definition }: ServerView): boolean {
  return isLeftToEditor(definition);
}

/** The same, of a definition. */
export function isLeftToEditor({ status }: Pick<ServerDefinition, 'status'>): boolean {
  return status.kind === 'disabled' && status.by === 'editor';
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
        byTrust: status.by === 'untrusted-workspace',
        ...(status.rule === undefined ? {} : { rule: status.rule }),
        ...(status.file === undefined ? {} : { file: status.file }),
      };
    case 'needs-approval':
      return {
        kind: 'blocked',
        reason: status.change === 'new' ? say`needs approval` : say`changed; needs approval`,
        needsApproval: true,
      };
    case 'problem':
      return { kind: 'problem', reason: status.problem.message };
    case 'shadowed':
      return {
        kind: 'shadowed',
        reason:
          status.by.name === undefined
            ? say`the ${status.by.scope} scope (${status.by.label}) defines the same name`
            : say`the same server is ${status.by.name} in the ${status.by.scope} scope (${status.by.label})`,
      };
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
