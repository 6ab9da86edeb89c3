import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/serverView.ts';

/** The servers that wait for the person's yes. */
export function waitingForApproval(host: Host): readonly ServerView[] {
  return host.views.filter(({ definition }) => definition.status.kind === 'needs-approval');
}

/** The servers that the editor's own MCP support would start, and that are off here for that. */
export function editorHosted(host: Host): readonly ServerView[] {
  return host.views.filter(({ definition: { status } }) => status.kind === 'disabled' && status.by === 'editor');
}
