import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { ServerQuestion } from '../../connection/connectionTypes.ts';
import { plainText } from '../safeText.ts';
import { askServerPick } from '../serverQuestions/serverPick.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { SamplingRefusal, type SamplingRequest } from './samplingRequest.ts';
import { editableRequest, editedRequest, parsedObject } from './reviewText.ts';

const { t } = vscode.l10n;

/**
 * Shows the request as a document that can be changed, until it is sent or refused.
 * @throws SamplingRefusal
 */
export function reviewRequest(
  question: ServerQuestion,
  request: SamplingRequest,
  model: vscode.LanguageModelChat,
): Promise<SamplingRequest> {
  const text = JSON.stringify(editableRequest(request), undefined, 2);
  return inDocument(question, text, 'json', t('Send the document to {0}?', plainText(model.name)), (edited) => {
    const value = parsedObject(edited);
    return value && editedRequest(value, request);
  });
}

/**
 * Shows the model's answer as a document that can be changed, until it goes to the server or is refused.
 * @throws SamplingRefusal
 */
export function reviewAnswer(
  question: ServerQuestion,
  answer: string,
  model: vscode.LanguageModelChat,
): Promise<string> {
  const message = t('Send the document to the server as the answer of {0}?', plainText(model.name));
  return inDocument(question, answer, 'markdown', message, (edited) => edited);
}

async function inDocument<T>(
  { server, signal }: ServerQuestion,
  content: string,
  language: string,
  message: string,
  read: (text: string) => T | undefined,
): Promise<T> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
  try {
    const params: JsonObject = { message };
    let mistake: string | undefined;
    for (;;) {
      const answer = await askServerPick(
        { params, signal },
        t('Review for “{0}”', plainText(server.name)),
        [
          { label: t('Don’t Send'), value: 'deny' as const },
          { label: t('Send'), description: t('with your changes to the document'), value: 'send' as const },
        ],
        mistake === undefined ? [] : [[t('Fix first'), [mistake]]],
      );
      if (answer !== 'send')
        throw new SamplingRefusal(RPC_CODES.userRejected, 'The user denied the request after reviewing it.');
      const value = read(document.getText());
      if (value !== undefined) return value;
      mistake = t('The document must be JSON with “messages”.');
    }
  } finally {
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}
