import { Sequencer } from '../base/async.ts';
import type { InputDefinition, ServerEntry } from '../config/configTypes.ts';
import { fingerprintOf } from './trust/fingerprint.ts';
import { isOwn } from './trust/serverStatus.ts';

/** Texts that are kept safely over restarts (the editor's secret storage). */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  /** `undefined` removes it. */
  set(key: string, value: string | undefined): Promise<void>;
}

/** An input that the user is asked for. */
export type AskedInput = Exclude<InputDefinition, { readonly type: 'command' }>;

/** An answer, and the server that it was given for, maybe before an edit. */
export interface KnownAnswer {
  readonly value: string;
  readonly serverName: string;
}

/** The way to values that only the user or the editor has. Used for servers that may run, never before. */
export interface ValuePorts {
  /**
   * Asks for an input; `undefined`: closed without an answer.
   * @param known the answer that was given for another server of the same file, to be suggested
   */
  ask(input: AskedInput, serverName: string, known?: KnownAnswer): Promise<string | undefined>;
  /** Runs a command of the editor; anything but a text counts as no value. */
  runCommand(id: string, args?: unknown): Promise<unknown>;
  readonly secrets: SecretStore;
}

/** The answers of this session, by `bound` and `key` together; and the storage of those that are kept longer. */
type KeptAnswer = readonly [
  answers: Map<string, Promise<string | undefined>>,
  bound: string,
  key: string,
  secrets: SecretStore | undefined,
];

/**
 * The answers to `${input:…}` and the results of `${command:…}` (design: *Variables*). An answer is for one server as it is
 * defined now, and only suggested for another one of the file, or after an edit; but what is no password of the user's own
 * files is asked for once per session, whatever the number of servers that need it. A password is kept in the secret
 * storage. A question that is closed isn't remembered: the next start asks again.
 */
export class ServerValues {
  readonly #ports: ValuePorts;
  readonly #answers = new Map<string, Promise<string | undefined>>();
  readonly #lastOfSource = new Map<string, KnownAnswer>();
  readonly #questions = new Sequencer();

  constructor(ports: ValuePorts) {
    this.#ports = ports;
  }

  /** The value of an input of this entry's file; `undefined` where there is none. */
  input(entry: ServerEntry, input: InputDefinition): Promise<string | undefined> {
    if (input.type === 'command') return this.command(input.command, input.args);
    const [, bound, key] = this.keptAt(entry, input);
    const place = bound + key;
    const known = this.#answers.get(place);
    if (known) return known;
    const answer = this.#questions.run(() => this.#recallOrAsk(bound, entry, input));
    this.#answers.set(place, answer);
    const forget = (): void => {
      if (this.#answers.get(place) === answer) this.#answers.delete(place);
    };
    answer.then((value) => value === undefined && forget(), forget);
    return answer;
  }

  /** Where the answer to an input is kept: what givenAnswers.ts needs, which is loaded later. */
  keptAt(entry: ServerEntry, input: InputDefinition): KeptAnswer {
    // What a kept answer begins with that is for a server as it is defined now.
    const bound = isShared(entry, input) ? '' : `${fingerprintOf(entry)} `;
    return [this.#answers, bound, keyOf(entry, input), isPassword(input) ? this.#ports.secrets : undefined];
  }

  /** The text that a command of the editor gives; it runs at each start. */
  async command(id: string, args?: unknown): Promise<string | undefined> {
    const value = await this.#ports.runCommand(id, args);
    return typeof value === 'string' ? value : undefined;
  }

  /** Forgets the answers to the inputs of these entries, those in the secret storage, too. */
  async forget(entries: readonly ServerEntry[]): Promise<void> {
    this.#answers.clear();
    this.#lastOfSource.clear();
    for (const entry of entries)
      for (const input of entry.inputs ?? [])
        if (isPassword(input))
          for (const key of [keyOf(entry, input), sourceKeyOf(entry, input)])
            await this.#ports.secrets.set(key, undefined);
  }

  /** @param bound what a kept answer begins with that is for this server as it is defined now */
  async #recallOrAsk(bound: string, entry: ServerEntry, input: AskedInput): Promise<string | undefined> {
    const { secrets } = this.#ports;
    const key = keyOf(entry, input);
    const kept = isPassword(input) ? await secrets.get(key) : undefined;
    if (kept?.startsWith(bound)) return kept.slice(bound.length);
    const ofSource = sourceKeyOf(entry, input);
    const before = kept?.slice(bound.length) ?? (isPassword(input) ? await secrets.get(ofSource) : undefined);
    const earlier = before === undefined ? undefined : { value: before, serverName: entry.name };
    const answer = await this.#ports.ask(input, entry.name, this.#lastOfSource.get(ofSource) ?? earlier);
    if (answer === undefined) return undefined;
    this.#lastOfSource.set(ofSource, { value: answer, serverName: entry.name });
    if (isPassword(input)) await secrets.set(key, bound + answer);
    return answer;
  }
}

function isPassword(input: InputDefinition): boolean {
  return input.type === 'promptString' && input.password;
}

/** Whether all servers of the file get one answer. */
function isShared(entry: ServerEntry, input: InputDefinition): boolean {
  return isOwn(entry) && !isPassword(input);
}

function keyOf(entry: ServerEntry, input: InputDefinition): string {
  const key = sourceKeyOf(entry, input);
  return isShared(entry, input) ? key : `${key}#${entry.name}`;
}

function sourceKeyOf({ source }: ServerEntry, { id }: InputDefinition): string {
  return `input:${source.id}#${id}`;
}
