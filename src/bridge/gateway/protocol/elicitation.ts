import { isRecord, type JsonObject } from '../../../base/json/json.ts';

/** The name of the form's only field. */
const FIELD = 'answer';

/** A question with a few answers, the harmless one first. */
export interface Choice {
  /** Markdown. */
  readonly message: string;
  readonly labels: readonly string[];
  /** What the field is called. */
  readonly field: string;
}

/**
 * Asks by a form with one choice (specification: elicitation). A client preselects the first value, so that is where
 * the harmless one stands.
 * @returns the value chosen; `undefined` where the form was declined, closed, refused, or filled with anything else
 */
export async function elicited(
  question: Choice,
  ask: (params: JsonObject) => Promise<JsonObject>,
): Promise<string | undefined> {
  let result: JsonObject;
  try {
    result = await ask(elicitParams(question));
  } catch {
    return undefined;
  }
  const { action, content } = result;
  const value = action === 'accept' && isRecord(content) ? content[FIELD] : undefined;
  return typeof value === 'string' && question.labels.includes(value) ? value : undefined;
}

function elicitParams({ message, labels, field }: Choice): JsonObject {
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: { [FIELD]: { type: 'string', title: field, enum: labels, default: labels[0] ?? '' } },
      required: [FIELD],
    },
  };
}
