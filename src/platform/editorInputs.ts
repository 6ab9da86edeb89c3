import * as vscode from 'vscode';
import type { InputTurns } from '../bridge/dialogs/inputTurns.ts';
import type { AskedInput, KnownAnswer, SecretStore, ValuePorts } from '../servers/inputAnswers.ts';

/** Asks the user for inputs, and runs commands of the editor. */
export class EditorValues implements ValuePorts {
  readonly secrets: SecretStore;
  readonly #turns: () => Promise<InputTurns>;

  /** @param turns with all other questions of the editor */
  constructor(secrets: SecretStore, turns: () => Promise<InputTurns>) {
    this.secrets = secrets;
    this.#turns = turns;
  }

  async ask(input: AskedInput, serverName: string, known?: KnownAnswer): Promise<string | undefined> {
    const { askForInput } = await import('../bridge/serverQuestions/askForInput.ts');
    return askForInput(await this.#turns(), input, serverName, known);
  }

  async runCommand(id: string, args?: unknown): Promise<unknown> {
    return vscode.commands.executeCommand(id, ...(args === undefined ? [] : [args]));
  }
}
