import type { ServerRegistry } from '../serverRegistry.ts';
import type { ServerDefinition, ServerStatus } from '../serverTypes.ts';

/**
 * Whether a server doesn't run because its file, the user, a preset or a policy says so to this extension, or nobody has decided yet:
 * nothing that the editor knows of. What has an error, or needs the sandbox that only the editor has, is left to the editor.
 */
export function isOffHere(status: ServerStatus): boolean {
  switch (status.kind) {
    case 'needs-approval':
      return true;
    case 'disabled':
      return status.by !== 'editor';
    case 'blocked':
      return status.by === 'rejected' || status.by === 'policy';
    case 'shadowed':
      return status.by.name !== undefined;
    case 'ready':
    case 'problem':
      return false;
  }
}

/** Whether the editor may start a server that is off here: it does as long as it is the MCP host, or nobody has chosen. */
export function mayRunInEditor({ editor, hosting }: ServerRegistry, { entry, status }: ServerDefinition): boolean {
  if (hosting === 'switchboard' || !editor.workspaceTrusted() || !isOffHere(status)) return false;
  return editor.editorHosts(entry, hosting === 'editor');
}
