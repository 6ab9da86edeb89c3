import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { askInCard } from '../callQuestions/chatCard.ts';
import { linkless } from '../text/markdownText.ts';
import { escaped } from '../text/safeText.ts';
import type { Field } from './formFields.ts';

const { t } = vscode.l10n;

/** What came of asking where the call came from; `undefined`: nobody can be asked there. */
export type CardAnswer = JsonObject | 'fill-in' | undefined;

/**
 * Puts a server's form where its call came from, as a card in the chat with the server named: a yes or no, or nothing to
 * fill in, is answered there; more is filled in in inputs after *Answer…*.
 * @param context of the call (`surfaceContext`)
 */
export async function askInChat(
  { server, params, signal }: ServerQuestion,
  fields: readonly Field[],
  context: unknown,
): Promise<CardAnswer> {
  const [only] = fields;
  const asked = fields.length === 1 && only?.kind === 'boolean' ? only : undefined;
  const fill = fields.length === 0 ? t('Accept') : t('Answer…');
  const [yes, no, decline] = [t('Yes'), t('No'), t('Decline')];
  const message = typeof params['message'] === 'string' ? params['message'] : '';
  const labels = (asked ? [asked.title, asked.description ?? ''] : fields.map(({ title }) => title)).filter(Boolean);
  const about = asked ? labels.map(escaped) : labels.map((label) => `- ${escaped(label)}`);
  const answer = await askInCard(
    context,
    {
      title: t('“{0}” asks for information', linkless(server.name)),
      message: [...paragraphs(message), about.join('\n')].filter(Boolean).join('\n\n'),
      buttons: asked ? [yes, no, decline] : [fill, decline],
    },
    signal,
  );
  switch (answer?.label) {
    case undefined:
      return answer && { action: 'cancel' };
    case decline:
      return { action: 'decline' };
    case fill:
      return fields.length === 0 ? { action: 'accept', content: {} } : 'fill-in';
    case yes:
    case no:
      return asked ? { action: 'accept', content: { [asked.name]: answer?.label === yes } } : { action: 'cancel' };
    default:
      // Skipped, which is neither yes nor no.
      return { action: 'cancel' };
  }
}

/** A server's text line by line, so that nothing in it is more than text. */
function paragraphs(text: string): readonly string[] {
  return text.split(/[\r\n]+/).map(escaped);
}
