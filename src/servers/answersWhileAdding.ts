// Loaded when servers are added with what their inputs stand for.
import type { InputDefinition, ServerEntry } from '../config/configTypes.ts';
import { SESSION_SOURCE } from './addedServers.ts';
import type { ServerValues } from './inputAnswers.ts';

/** The answer to an input, if it was given; nobody is asked. */
export async function knownAnswer(
  values: ServerValues,
  entry: ServerEntry,
  input: InputDefinition,
): Promise<string | undefined> {
  const [answers, bound, key] = values.keptAt(entry, input);
  return answers.get(bound + key);
}

/** Keeps an answer as if the user had been asked for it; `undefined` forgets it. */
export async function rememberAnswer(
  values: ServerValues,
  entry: ServerEntry,
  input: InputDefinition,
  value: string | undefined,
): Promise<void> {
  const [answers, bound, key, secrets] = values.keptAt(entry, input);
  if (value === undefined) answers.delete(bound + key);
  else answers.set(bound + key, Promise.resolve(value));
  await secrets?.set(key, value === undefined ? value : bound + value);
}

/** A server as it is defined for this session: what answers that are given before it is saved are for. */
export function sessionEntry(entry: ServerEntry): ServerEntry {
  return { ...entry, scope: SESSION_SOURCE.scope, source: SESSION_SOURCE, disabled: false };
}
