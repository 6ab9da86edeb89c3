import { readable } from '../base/text/modelText.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { cutAtWord } from '../catalog/exposure/descriptions.ts';
import { partOwnerOf } from '../catalog/names/namePartStore.ts';
import { prefixOf } from '../catalog/names/toolNamePrefix.ts';
import { serverSpellings } from '../catalog/names/serverNames.ts';
import type { UnavailableServer } from '../catalog/unavailableLines.ts';
import { describeState } from '../connection/connectionState.ts';
import { canSignIn, isWanted, type ServerView } from './views/serverView.ts';

/** The longest name and state of a server that a model is told here, in characters: nobody has approved it yet. */
const MAX_NAME = 60;
const MAX_STATE = 300;

type WayOut = Pick<UnavailableServer, 'brief' | 'remedy'>;

/**
 * Why a server's tools aren't there, and what the user can do about it, where they can do it. `undefined` where they are
 * there, or another server stands for this one. Pure.
 */
export function absenceOf(view: ServerView): UnavailableServer | undefined {
  const wayOut = wayOutOf(view);
  if (!wayOut) return undefined;
  const name = cutAtWord(oneLine(view.definition.name), MAX_NAME);
  return { serverName: name, state: cutAtWord(oneLine(describeState(view.state)), MAX_STATE), ...wayOut };
}

/** The servers that are meant to be there and aren't. */
export function unavailableServers({
  views,
  catalog,
}: {
  readonly views: readonly ServerView[];
  readonly catalog: Catalog;
}): readonly UnavailableServer[] {
  // Of one that waits to be started on demand, the tools are there.
  const isOffered = ({ state, definition }: ServerView): boolean =>
    state.kind === 'disconnected' && catalog.toolsOf(definition.id).length > 0;
  return views.filter((view) => isWanted(view) && !isOffered(view)).flatMap((view) => absenceOf(view) ?? []);
}

/**
 * The server that a tool is looked for in which isn't listed, where that server isn't there: by the beginning of the name,
 * which is any of the server's.
 */
export function absentOwnerOf(
  toolName: string,
  views: readonly ServerView[],
  catalog: Catalog,
): UnavailableServer | undefined {
  const isNamed = ({ definition }: ServerView): boolean => {
    const owner = partOwnerOf(definition);
    const spellings = serverSpellings({ ...owner, part: catalog.parts?.previewOf(owner) ?? definition.entry.name });
    return spellings.some((name) => toolName.startsWith(`${name}__`) || toolName.startsWith(`${name}/`));
  };
  // What callable names begin with is one server's alone, whatever others are configured by.
  const holder = catalog.parts?.holderOf((part) => toolName.startsWith(prefixOf(part, catalog.format)));
  const named = views.filter((view) => (holder === undefined ? isNamed(view) : view.definition.id === holder));
  if (named.some(({ definition }) => catalog.toolsOf(definition.id).length > 0)) return undefined;
  const absent = named.toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)));
  return absent.map(absenceOf).find((absence) => absence !== undefined);
}

function wayOutOf(view: ServerView): WayOut | undefined {
  const {
    state,
    definition: { status },
  } = view;
  switch (state.kind) {
    case 'connected':
      if (state.listError === undefined)
        return canSignIn(view) ? { brief: 'some of it needs a sign-in', remedy: SIGN_IN } : undefined;
      return { brief: 'its tools can’t be listed', remedy: `The user can restart it: ${command('Restart')}.` };
    case 'connecting':
      return { brief: 'starting', remedy: LATER };
    case 'installing':
      return { brief: 'being installed', remedy: LATER };
    case 'pending':
      return { brief: 'reconnecting', remedy: LATER };
    case 'failed':
      return {
        brief: 'failed',
        remedy: `The user can see why (${command('Show Log')}) and connect it again (${command('Connect')}).`,
      };
    case 'needs-auth':
      return canSignIn(view)
        ? { brief: 'needs a sign-in', remedy: SIGN_IN }
        : {
            brief: 'needs a sign-in',
            remedy: `The user can sign in, or correct its headers (${command('Open Definition')}), then connect it (${command('Connect')}).`,
          };
    case 'disconnected':
      return { brief: 'not started', remedy: `The user can start it: ${command('Connect')}.` };
    case 'problem':
      return { brief: 'configuration error', remedy: `The user can correct it: ${command('Open Definition')}.` };
    case 'shadowed':
      return undefined;
    case 'disabled':
      return disabledWayOut(status.kind === 'disabled' ? status.by : undefined);
    case 'blocked':
      return blockedWayOut(state.needsApproval, status.kind === 'blocked' ? status.by : undefined);
  }
}

function disabledWayOut(by: string | undefined): WayOut | undefined {
  switch (by) {
    case 'portable':
      return undefined;
    case 'editor':
      return {
        brief: 'not run here: the editor has it, too',
        remedy: `If the editor runs it, its tools are among the editor’s own. The user can choose what runs it: ${command('Choose MCP Host…')}.`,
      };
    case 'preset':
      return { brief: 'not in the active preset', remedy: OTHER_PRESET };
    default:
      return { brief: 'disabled', remedy: `The user can enable it: ${command('Enable')}.` };
  }
}

function blockedWayOut(needsApproval: boolean, by: string | undefined): WayOut {
  if (needsApproval)
    return { brief: 'needs approval', remedy: `The user can approve it: ${command('Review Servers…')}.` };
  switch (by) {
    case 'untrusted-workspace':
      return {
        brief: 'the workspace is not trusted',
        remedy: 'The user can trust it: command “Workspaces: Manage Workspace Trust”.',
      };
    case 'rejected':
      return { brief: 'rejected', remedy: `The user can approve it: ${command('Approve…')}.` };
    default:
      return { brief: 'blocked', remedy: 'Continue without it.' };
  }
}

const LATER = 'Try again in a moment.';

/** Where the user finds what can be done. */
function command(title: string): string {
  return `command “MCP Switchboard: ${title}”`;
}

/** Only the user chooses a preset. */
export const OTHER_PRESET = `Continue without it, or tell the user that they can select another preset: ${command('Select Preset…')}.`;

/** `mcp_sign_in` is the tool that shows the user the button. */
const SIGN_IN = `Show the user the button with mcp_sign_in, or name the ${command('Sign In')}. Only the user can sign in.`;

function oneLine(text: string): string {
  return readable(text).replaceAll(/\s+/g, ' ').trim();
}
