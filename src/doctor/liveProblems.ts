import type { ConfigProblem, ProblemSeverity } from '../config/configTypes.ts';
import { describeState } from '../connection/connectionState.ts';
import { canSignIn, isWanted, type ServerView } from '../host/views/serverView.ts';
import { say } from '../base/say.ts';

/** What the user can do with a server that isn't there: a command of ours, and how the report names it. */
export type WayOut = 'approve' | 'connect' | 'showLog' | 'openDefinition' | 'restart' | 'signIn';

interface Fault {
  readonly code: string;
  readonly severity: ProblemSeverity;
  readonly message: string;
  readonly fix: string;
  readonly wayOut: WayOut;
}

/** A server that is meant to be there and isn't, and the way out. */
export interface ServerFault extends Fault {
  readonly view: ServerView;
}

/** The servers of this window that are meant to be there and aren't. Pure. */
export function serverFaults(views: readonly ServerView[]): readonly ServerFault[] {
  return views.filter(isWanted).flatMap((view) => {
    const fault = faultOf(view);
    return fault ? [{ ...fault, view }] : [];
  });
}

/** The same as problems, at the place of each definition. Errors of a file are there already. */
export function liveProblems(faults: readonly ServerFault[]): readonly ConfigProblem[] {
  return faults
    .filter(({ view }) => view.state.kind !== 'problem')
    .map(({ view: { definition }, code, severity, message, fix }) => ({
      code,
      severity,
      message,
      fix,
      range: definition.entry.range,
      serverName: definition.name,
    }));
}

/** Whether connecting anew may help. */
export function mayReconnect({ view, code }: ServerFault): boolean {
  if (code === 'account-needed') return false;
  return ['failed', 'needs-auth', 'pending', 'disconnected', 'connected'].includes(view.state.kind);
}

function faultOf(view: ServerView): Fault | undefined {
  const {
    definition: { name },
    state,
  } = view;
  const said = say`${name}: ${describeState(state)}`;
  switch (state.kind) {
    case 'connected':
      if (state.listError !== undefined)
        return {
          code: 'list-failed',
          severity: 'error',
          message: said,
          fix: say`*Restart* lists them anew.`,
          wayOut: 'restart',
        };
      return state.accountNeeded
        ? {
            code: 'account-needed',
            severity: 'hint',
            message: said,
            fix: say`*Sign In* gives the rest.`,
            wayOut: 'signIn',
          }
        : undefined;
    case 'pending':
      return {
        code: 'reconnecting',
        severity: 'warning',
        message: said,
        fix: say`*Show Log* has the server’s output.`,
        wayOut: 'showLog',
      };
    case 'failed':
      return {
        code: 'connect-failed',
        severity: 'error',
        message: said,
        fix: say`*Show Log* has the server’s output, *Open Definition* its definition, *Connect* tries again.`,
        wayOut: 'showLog',
      };
    case 'needs-auth': {
      const fault = { code: 'connect-needs-auth', severity: 'error', message: said } as const;
      return canSignIn(view)
        ? { ...fault, fix: say`*Sign In* opens its page.`, wayOut: 'signIn' }
        : { ...fault, fix: say`Correct the headers (*Open Definition*), then *Connect*.`, wayOut: 'openDefinition' };
    }
    case 'disconnected':
      return {
        code: 'not-connected',
        severity: 'hint',
        message: `${name} isn’t connected.`,
        fix: say`*Connect* starts it.`,
        wayOut: 'connect',
      };
    case 'problem':
      return { code: 'problem', severity: 'error', message: said, fix: '', wayOut: 'openDefinition' };
    case 'blocked':
      return {
        code: 'needs-approval',
        severity: 'warning',
        message: say`${name} waits for your approval, so it doesn’t run.`,
        fix: say`*Review Servers…* shows what would run.`,
        wayOut: 'approve',
      };
    case 'connecting':
    case 'installing':
    case 'disabled':
    case 'shadowed':
      return undefined;
  }
}
