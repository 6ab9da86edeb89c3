import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { configuredNameOf, underlyingOf } from '../../catalog/catalogTool.ts';
import type { ConfigSource } from '../../config/configTypes.ts';
import { FieldSchemas } from '../../config/help/fieldSchema.ts';
import { schemaFieldsOf } from '../../config/help/schemaFields.ts';
import type { Known } from '../../config/help/suggestionsAt.ts';
import { readInputs } from '../../config/read/readInputs.ts';
import { valueAt, type ConfigNode } from '../../config/syntax/configNode.ts';
import { SourceText } from '../../config/syntax/sourceText.ts';
import { LoginShell } from '../../connection/start/loginShell.ts';
import { commandsOnPath } from '../../connection/start/pathCommands.ts';
import type { Host } from '../../host/host.ts';

/** The list of programs is read again after this time. */
const COMMANDS_AGE_MS = 60_000;

/** Everything that a file of servers can name here. */
export class KnownNames {
  readonly #host: Host;
  readonly #schemaFile: string;
  #schemas: Promise<FieldSchemas> | undefined;
  #commands: { readonly at: number; readonly names: Promise<readonly string[]> } | undefined;
  #shell: LoginShell | undefined;

  constructor(host: Host, extensionFolder: vscode.Uri) {
    this.#host = host;
    this.#schemaFile = vscode.Uri.joinPath(extensionFolder, 'schemas', 'mcp.schema.json').fsPath;
  }

  /** The fields of servers, as our schema describes them. */
  schemas(): Promise<FieldSchemas> {
    this.#schemas ??= readFile(this.#schemaFile, 'utf8').then(
      (text) => new FieldSchemas(JSON.parse(text) as JsonObject),
    );
    return this.#schemas;
  }

  /**
   * What can be named in a source.
   * @param root the file as far as it can be read
   * @param path of the place
   */
  async known(source: ConfigSource, root: ConfigNode | undefined, path: readonly unknown[]): Promise<Known> {
    const { catalog, servers, variables } = this.#host;
    const { inputs } = readInputs([root, valueAt(root, 'mcp')], new SourceText(source, ''));
    return {
      schemas: await this.schemas(),
      schemaFields: schemaFieldsOf(source, path[0]),
      inputs: [...inputs.values()],
      environment: Object.keys(variables.environment).sort(),
      folders: variables.workspaceFolders.map(({ name }) => name),
      // The login shell may be slow: nothing else waits for it.
      commands: path.includes('command') ? await this.#commandNames() : [],
      servers: [...new Set(servers.definitions.map(({ entry }) => entry.name))],
      callable: catalog.tools.map(({ name }) => name),
      toolsOf: (name) => [
        ...new Set(
          catalog.tools.filter((tool) => configuredNameOf(tool) === name).map((tool) => underlyingOf(tool).name),
        ),
      ],
    };
  }

  /** Programs on the search path of the user's shell, as servers are started with. */
  #commandNames(): Promise<readonly string[]> {
    const now = systemClock.now();
    if (!this.#commands || now - this.#commands.at > COMMANDS_AGE_MS)
      this.#commands = { at: now, names: this.#listCommands() };
    const { names } = this.#commands;
    // What failed once is tried again.
    names.catch(() => {
      if (this.#commands?.names === names) this.#commands = undefined;
    });
    return names;
  }

  async #listCommands(): Promise<readonly string[]> {
    const { platform, environment, homeDir } = this.#host.variables;
    this.#shell ??= new LoginShell({ platform, hostEnvironment: environment, homeDir, clock: systemClock });
    const path = await this.#shell.path();
    return commandsOnPath({ path: path ?? environment['PATH'] ?? '', platform, endings: environment['PATHEXT'] });
  }
}
