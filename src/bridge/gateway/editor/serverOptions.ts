import * as vscode from 'vscode';
import { delay } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import { ownInputs } from '../../dialogs/ownInputs.ts';

/** When a server is looked for that the editor doesn't know yet, each from the one before, in milliseconds. */
const LOOK_AGAIN_MS = [200, 300, 1_000, 3_000] as const;
/** Opens the options of a server and returns at once, unlike `workbench.mcp.serverOptions`, which waits for an answer. */
const OPEN_OPTIONS = 'workbench.mcp.serverOptionsInConfirmation';

/**
 * Enables one of several servers of the same label in the editor, which disables the others, in this workspace (VS Code
 * 1.139). There is no command for that: it is *Enable Server (Workspace)*, the first item of the server's options. A list of
 * ours that is open is waited for.
 * @param definitionId as the editor has it
 * @returns whether the editor knew the server
 */
export async function enableInEditor(definitionId: string, clock: Clock): Promise<boolean> {
  for (const delayMs of LOOK_AGAIN_MS) {
    await delay(delayMs, clock);
    const isEnabled = await ownInputs.whileNoneIsShown(async () => {
      if (!(await hasOptions(definitionId))) return false;
      await acceptFirstOption(definitionId);
      return true;
    });
    if (isEnabled) return true;
  }
  return false;
}

/**
 * Opens the server's options, looks whether they are there, and closes them: of a server that the editor doesn't know it opens
 * nothing. Commands reach the editor in order, and what the first of them returned has arrived when two later ones have. They
 * are sent together, so that a key of the user has next to no time to reach the list. Where motion is reduced, the focus that a
 * closed list gives back would close the next one: it has arrived with the command after it.
 */
async function hasOptions(definitionId: string): Promise<boolean> {
  let isOpen = true;
  const close = (): void => void (isOpen = false);
  vscode.commands.executeCommand('workbench.mcp.serverOptions', definitionId).then(close, close);
  const commands = vscode.commands.getCommands(true);
  const isKnown = vscode.commands.executeCommand('noop').then(() => isOpen);
  const closed = vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  const all = await Promise.all([isKnown, commands, closed]);
  await vscode.commands.executeCommand('noop');
  return all[0] && all[1].includes(OPEN_OPTIONS);
}

/**
 * Opens the options and accepts their first item in one step of the editor, into which no click, key or other list can
 * come. The list that is open before, the user's own or not, is closed first: nothing is ever accepted in it.
 */
async function acceptFirstOption(definitionId: string): Promise<void> {
  const origin = { kind: 'elicitation2', source: { type: 'mcp', definitionId } };
  await vscode.commands.executeCommand('runCommands', {
    commands: [
      'workbench.action.closeQuickOpen',
      { command: OPEN_OPTIONS, args: origin },
      'workbench.action.acceptSelectedQuickOpenItem',
    ],
  });
}

/** Stops a server of the editor's own. One that it doesn't know or that doesn't run is left as it is. */
export async function stopInEditor(definitionId: string): Promise<void> {
  await Promise.allSettled([vscode.commands.executeCommand('workbench.mcp.stopServer', definitionId)]);
}

/**
 * Starts servers in the editor, whether or not its automatic start is off.
 * @param asks whether the editor may ask the user before it starts one; if not, one that would take a question is left for
 *   the editor's own start, which shows it
 */
export async function startInEditor(definitionIds: readonly string[], asks = true): Promise<void> {
  const options = { errorOnUserInteraction: !asks };
  await Promise.allSettled(
    definitionIds.map((id) => vscode.commands.executeCommand('workbench.mcp.startServer', id, options)),
  );
}
