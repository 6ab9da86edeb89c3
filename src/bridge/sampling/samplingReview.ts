import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { InputTurn } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { askServerPick } from '../serverQuestions/serverPick.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { SamplingRefusal, type SamplingRequest } from './samplingRequest.ts';
import { editableRequest, editedRequest, parsedObject } from './reviewText.ts';

const { t } = vscode.l10n;

/** What is reviewed, and where. */
interface Review {
  readonly question: ServerQuestion;
  readonly turn: InputTurn;
  readonly model: vscode.LanguageModelChat;
}

/**
 * Shows the request as a document that can be changed, until it is sent or refused.
 * @throws SamplingRefusal
 */
export function reviewRequest(review: Review, request: SamplingRequest): Promise<SamplingRequest> {
  const text = JSON.stringify(editableRequest(request), undefined, 2);
  const message = t('Send the document to {0}?', plainText(review.model.name));
  return inDocument(review, text, 'json', message, (edited) => {
    const value = parsedObject(edited);
    return value && editedRequest(value, request);
  });
}

/**
 * Shows the model's answer as a document that can be changed, until it goes to the server or is refused.
 * @throws SamplingRefusal
 */
export function reviewAnswer(review: Review, answer: string): Promise<string> {
  const message = t('Send the document to the server as the answer of {0}?', plainText(review.model.name));
  return inDocument(review, answer, 'markdown', message, (edited) => edited);
}

async function inDocument<T>(
  { question: { server, signal }, turn }: Review,
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
        turn,
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
