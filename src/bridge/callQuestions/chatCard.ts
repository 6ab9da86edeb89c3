import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';

/** The editor's own tool that shows a card in the chat with buttons of ours. */
const CONFIRMATION_TOOL = 'vscode_get_confirmation_with_options';
/** What that tool gives when the editor confirmed it without the user. A card that is skipped gives a sentence. */
const AUTOMATIC_ANSWER = 'yes';

/** What a card shows. */
export interface Card {
  readonly title: string;
  /** Markdown. */
  readonly message: string;
  /** Two are shown, the rest is in a menu. */
  readonly buttons: readonly string[];
}

/**
 * Shows a card in the chat that a tool was called from. What the editor answers by itself under Bypass Approvals and
 * Autopilot isn't the user's, so then this way isn't open.
 * @param token the call's token: of a language model tool's invocation or of a chat request
 * @returns the text that came back, `undefined` in it where the card was dismissed; `undefined`: this way isn't open here
 */
export async function askInCard(
  token: unknown,
  input: Card,
  signal: AbortSignal,
): Promise<{ readonly label: string | undefined } | undefined> {
  if (token === undefined || !vscode.lm.tools.some(({ name }) => name === CONFIRMATION_TOOL)) return undefined;
  const cancellation = new vscode.CancellationTokenSource();
  const aborted = onAbort(signal, () => cancellation.cancel());
  try {
    const toolInvocationToken = token as vscode.ChatParticipantToolToken;
    const result = await vscode.lm.invokeTool(CONFIRMATION_TOOL, { input, toolInvocationToken }, cancellation.token);
    const label = result.content.find((part) => part instanceof vscode.LanguageModelTextPart)?.value;
    return label === AUTOMATIC_ANSWER ? undefined : { label };
  } catch (error) {
    // A dismissed card rejects as cancelled; anything else means that the card could not be shown.
    return signal.aborted || isCancellation(error) ? { label: undefined } : undefined;
  } finally {
    aborted.dispose();
    cancellation.dispose();
  }
}

function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && /^cancell?ed$/i.test(error.name));
}
