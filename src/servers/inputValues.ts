import { Sequencer } from '../base/async.ts';
import type { InputDefinition, ServerEntry } from '../config/configTypes.ts';

/** Texts that are kept safely over restarts (the editor's secret storage). */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  /** `undefined` removes it. */
  set(key: string, value: string | undefined): Promise<void>;
}

/** An input that the user is asked for. */
export type AskedInput = Exclude<InputDefinition, { readonly type: 'command' }>;

/** The way to values that only the user or the editor has. Used for servers that may run, never before. */
export interface ValuePorts {
  /** Asks for an input; `undefined`: closed without an answer. */
  ask(input: AskedInput, serverName: string): Promise<string | undefined>;
  /** Runs a command of the editor; anything but a text counts as no value. */
  runCommand(id: string, args?: unknown): Promise<unknown>;
  readonly secrets: SecretStore;
}

/**
 * The answers to `${input:…}` and the results of `${command:…}` (design: *Variables*). An input is asked for once per
 * session, whatever the number of servers that need it; a password is kept in the secret storage. A question that is
 * closed isn't remembered: the next start asks again.
 */
export class ServerValues {
  readonly #ports: ValuePorts;
  readonly #answers = new Map<string, Promise<string | undefined>>();
  readonly #questions = new Sequencer();

  constructor(ports: ValuePorts) {
    this.#ports = ports;
  }

  /** The value of an input of this entry's file; `undefined` where there is none. */
  input(entry: ServerEntry, input: InputDefinition): Promise<string | undefined> {
    if (input.type === 'command') return this.command(input.command, input.args);
    const key = keyOf(entry, input);
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = this.#questions.run(() => this.#recallOrAsk(key, entry, input));
    this.#answers.set(key, answer);
    const forget = (): void => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key);
    };
    answer.then((value) => value === undefined && forget(), forget);
    return answer;
  }

  /** The text that a command of the editor gives; it runs at each start. */
  async command(id: string, args?: unknown): Promise<string | undefined> {
    const value = await this.#ports.runCommand(id, args);
    return typeof value === 'string' ? value : undefined;
  }

  /** Forgets the answers to the inputs of these entries, those in the secret storage, too. */
  async forget(entries: readonly ServerEntry[]): Promise<void> {
    this.#answers.clear();
    for (const entry of entries)
      for (const input of entry.inputs ?? [])
        if (isPassword(input)) await this.#ports.secrets.set(keyOf(entry, input), undefined);
  }

  async #recallOrAsk(key: string, entry: ServerEntry, input: AskedInput): Promise<string | undefined> {
    const kept = isPassword(input) ? await this.#ports.secrets.get(key) : undefined;
    if (kept !== undefined) return kept;
    const answer = await this.#ports.ask(input, entry.name);
    if (answer !== undefined && isPassword(input)) await this.#ports.secrets.set(key, answer);
    return answer;
  }
}

function isPassword(input: InputDefinition): boolean {
  return input.type === 'promptString' && input.password;
}

function keyOf({ source }: ServerEntry, { id }: InputDefinition): string {
  return `input:${source.id}#${id}`;
}
