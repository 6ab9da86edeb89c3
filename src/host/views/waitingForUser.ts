import type { Host } from '../host.ts';
import { canSignIn, isSharedWithEditor, isWanted, needsApproval } from './serverView.ts';

/** What waits for the user, as counts. */
export interface WaitingForUser {
  /** Servers that the editor has, too, where the user hasn't chosen which of the two runs them: one decision about all. */
  readonly hosting: number;
  /** Servers that run once they are approved: of the active preset. */
  readonly approvals: number;
  /** Servers that the user has to sign in to, for all that they have or for some of it. */
  readonly signIns: number;
  /** Tools, prompts and instructions that differ from what was approved. */
  readonly changes: number;
}

/** What waits for the user now. */
export function waitingForUser(host: Pick<Host, 'views' | 'feed' | 'servers'>): WaitingForUser {
  const { views, feed, servers } = host;
  return {
    hosting: servers.hosting === 'undecided' ? views.filter(isSharedWithEditor).length : 0,
    approvals: views.filter((view) => needsApproval(view) && isWanted(view)).length,
    signIns: views.filter(canSignIn).length,
    changes: views.reduce((sum, { definition }) => sum + feed.openChangesOf(definition.id).length, 0),
  };
}

/** How many questions about calls, and of servers, the user hasn't answered. */
export function openQuestions({ calls }: Pick<Host, 'calls'>): number {
  const { all, questions } = calls.inProgress;
  return questions.length + all.filter(({ phase }) => phase === 'asking').length;
}
