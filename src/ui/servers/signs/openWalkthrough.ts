// Loaded with *Help*.
import * as vscode from 'vscode';
import type { Host } from '../../../host/host.ts';

const WALKTHROUGH = 'mcp-switchboard.mcp-switchboard#start';

/**
 * Opens *Get Started with MCP Switchboard*, with a tick at each step that is done. VS Code 1.139 reads walkthroughs with the first page
 * that shows one, and takes what is so by then for old news: those steps would stay open (see `completeWalkthroughSteps`).
 */
export async function openWalkthrough(host: Host): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH);
  for (const step of doneSteps(host)) await tick(`${WALKTHROUGH}#${step}`);
}

function doneSteps({ servers, pool, calls, signIns, views }: Host): string[] {
  const isDone = {
    add: servers.definitions.length > 0,
    approve: pool.all.some(({ state }) => state.kind === 'connected'),
    try: calls.history.entries.length > 0,
    permissions: calls.grants.all.length > 0,
    signIn: views.some(({ definition }) => signIns.view(definition.id)?.account !== undefined),
  };
  return Object.entries(isDone).flatMap(([step, done]) => (done ? [step] : []));
}

/** The editor keeps the tick of a step that it has not read yet, and rejects. */
async function tick(step: string): Promise<void> {
  await vscode.commands.executeCommand('welcome.markStepComplete', step).then(undefined, () => undefined);
}
