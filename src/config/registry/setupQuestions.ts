import { say } from '../../base/say.ts';
/** Something that the user of a server has to give, or may: a value of its `server.json`, or of a bundle's `user_config`. */
export interface SetupQuestion {
  /** Of the input that a secret answer becomes. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'file' | 'folder';
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** The answer may be several values. */
  readonly isRepeated: boolean;
  readonly defaults: readonly string[];
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** Limits of a number. */
  readonly min?: number;
  readonly max?: number;
}

/** Answers by the questions' ids; what isn't in it was left empty. */
export type SetupAnswers = ReadonlyMap<string, readonly string[]>;

/** A definition that is made of answers. */
export interface BuiltServer {
  /** As it stands in a file. */
  readonly value: Readonly<Record<string, unknown>>;
  /** VS Code's `inputs` that it names. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  /** The answers to those, for the secret storage. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Longest description of a question that is shown, in UTF-16 units. */
const MAX_DESCRIPTION = 300;

/** The input that stands for a secret answer. */
export function inputOf({ id, description, isSecret, choices }: SetupQuestion): Readonly<Record<string, unknown>> {
  const about = { id, description: (description ?? id).slice(0, MAX_DESCRIPTION) };
  if (choices && choices.length > 0) return { ...about, type: 'pickString', options: choices };
  return { ...about, type: 'promptString', ...(isSecret ? { password: true } : {}) };
}

/** What is wrong with an answer, as a sentence; `undefined`: nothing. */
export function faultOf({ kind, isRequired, choices, min, max }: SetupQuestion, answer: string): string | undefined {
  if (answer === '') return isRequired ? say`A value is required.` : undefined;
  if (choices && choices.length > 0 && !choices.includes(answer)) return say`Select one of the values.`;
  if (kind === 'boolean' && !/^(?:true|false)$/.test(answer)) return say`Enter true or false.`;
  if (kind !== 'number') return undefined;
  const number = Number(answer);
  if (!Number.isFinite(number)) return 'Enter a number.';
  if (min !== undefined && number < min) return say`Enter a number of at least ${min}.`;
  return max !== undefined && number > max ? say`Enter a number of at most ${max}.` : undefined;
}

/** Lower-case letters, digits and hyphens: a part of an input's id. */
export function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'value'
  );
}
