import * as vscode from 'vscode';
import type { AskedInput, KnownAnswer, SecretStore, ValuePorts } from '../servers/inputValues.ts';

/** Asks the user for inputs, and runs commands of the editor. */
export class EditorValues implements ValuePorts {
  readonly secrets: SecretStore;

  constructor(secrets: SecretStore) {
    this.secrets = secrets;
  }

  async ask(input: AskedInput, serverName: string, known?: KnownAnswer): Promise<string | undefined> {
    const title = vscode.l10n.t('MCP server {0} needs a value', serverName);
    const suggested = known ? ` ${vscode.l10n.t('(suggested: your answer for {0})', known.serverName)}` : '';
    const about = (input.description ?? input.id) + suggested;
    const preset = known?.value ?? input.default;
    if (input.type === 'promptString')
      return vscode.window.showInputBox({
        title,
        prompt: about,
        password: input.password,
        ignoreFocusOut: true,
        ...(preset === undefined ? {} : { value: preset }),
      });
    const isDefault = ({ value }: { value: string }): boolean => value === preset;
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
