import * as vscode from 'vscode';
import type { AskedInput, SecretStore, ValuePorts } from '../servers/inputValues.ts';

/** Asks the user for inputs, and runs commands of the editor. */
export class EditorValues implements ValuePorts {
  readonly secrets: SecretStore;

  constructor(secrets: SecretStore) {
    this.secrets = secrets;
  }

  async ask(input: AskedInput, serverName: string): Promise<string | undefined> {
    const title = vscode.l10n.t('MCP server {0} needs a value', serverName);
    const about = input.description ?? input.id;
    if (input.type === 'promptString')
      return vscode.window.showInputBox({
        title,
        prompt: about,
        password: input.password,
        ignoreFocusOut: true,
        ...(input.default === undefined ? {} : { value: input.default }),
      });
    const isDefault = ({ value }: { value: string }): boolean => value === input.default;
    const options = [...input.options.filter(isDefault), ...input.options.filter((option) => !isDefault(option))];
    const picked = await vscode.window.showQuickPick(
      options.map(({ label, value }) => ({ label, value, ...(label === value ? {} : { description: value }) })),
      { title, placeHolder: about, ignoreFocusOut: true },
    );
    return picked?.value;
  }

  async runCommand(id: string, args?: unknown): Promise<unknown> {
    return vscode.commands.executeCommand(id, ...(args === undefined ? [] : [args]));
  }
}
