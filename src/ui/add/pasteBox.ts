import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { withoutLinks } from '../../bridge/text/safeText.ts';
import { readPasted, type Pasted, type PasteContext } from '../../config/paste/readPasted.ts';
import type { PasteFault } from '../../config/paste/pasteFault.ts';

/** What was read, and the text that it was read from. */
export interface ReadText {
  readonly text: string;
  readonly pasted: Pasted;
}

/**
 * Asks for servers in any form until what is entered can be read or the box is closed. What can't be read stays in the box,
 * with the reason.
 * @param text to begin with: whoever runs the command may give it, so it is only shown
 */
export async function askPasted(text: string, context: PasteContext): Promise<ReadText | 'back' | undefined> {
  const { t } = vscode.l10n;
  const box = vscode.window.createInputBox();
  box.title = t('Add MCP Server');
  box.prompt = t('Command or URL, JSON, TOML or YAML of any client, or a command that adds a server to another client');
  box.placeholder =
    'npx -y @modelcontextprotocol/server-memory   ·   https://example.com/mcp   ·   { "mcpServers": … }';
  box.value = text;
  box.ignoreFocusOut = true;
  box.buttons = [vscode.QuickInputButtons.Back];
  try {
    return await ownInputs.ask(
      () =>
        new Promise<ReadText | 'back' | undefined>((resolve) => {
          box.onDidTriggerButton(() => resolve('back'));
          box.onDidChangeValue(() => (box.validationMessage = undefined));
          box.onDidHide(() => resolve(undefined));
          box.onDidAccept(async () => {
            const entered = box.value;
            const read = await readEntered(entered, context);
            if ('pasted' in read) resolve(read);
            else if (box.value === entered)
              box.validationMessage = withoutLinks(`${localized(read.message)} ${localized(read.fix)}`);
          });
          box.show();
        }),
    );
  } finally {
    box.dispose();
  }
}

/** What can be read of a text as it is. */
export function readTyped(text: string, context: PasteContext): ReadText | PasteFault {
  const pasted = readPasted(text, context);
  return 'message' in pasted ? pasted : { text, pasted };
}

/**
 * A box holds one line: what it has lost of a text that was pasted, its line ends, is still in the clipboard, which is looked
 * into only once the user takes the text.
 */
export async function readEntered(entered: string, context: PasteContext): Promise<ReadText | PasteFault> {
  const read = readTyped(entered, context);
  if ('pasted' in read) return read;
  const copied = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
  if (!copied.includes('\n') || withoutBlanks(copied) !== withoutBlanks(entered)) return read;
  return readTyped(copied, context);
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
