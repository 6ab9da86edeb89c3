import fs from 'node:fs/promises';
import path from 'node:path';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import { pathsOf } from '../config/clients/clientFiles.ts';
import { readJsonc } from '../config/syntax/readJsonc.ts';
import { plainValue } from '../config/syntax/configNode.ts';
import { readSourceFile } from '../config/sources/readSourceFile.ts';
import { sourcesFor, type SourceOptions } from '../config/configSources.ts';
import { USER_SETTING_ID } from '../config/ownSources.ts';
import type { ConfigPorts } from '../config/configLoaderPorts.ts';
import {
  DISCOVERABLE_CLIENTS,
  SCOPES,
  type ConfigSource,
  type DiscoverableClient,
  type Scope,
} from '../config/configTypes.ts';
import { decodeText } from '../base/text/decodeText.ts';
import { isRecord } from '../base/json/json.ts';
import { editorPolicies, settingPolicy, type ServerPolicy } from '../servers/trust/serverPolicy.ts';

/** A machine without an editor: its folders, and the settings file of the editor's default profile. */
export interface HeadlessMachine {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  readonly workspace: string;
}

/** The sources and settings of the user, read from disk once. */
export class HeadlessPorts implements ConfigPorts {
  readonly options: SourceOptions;
  readonly policies: readonly ServerPolicy[];
  readonly scopeOrder: readonly Scope[];
  readonly #servers: unknown;

  private constructor(machine: HeadlessMachine, profileFolder: string, settings: Readonly<Record<string, unknown>>) {
    const own = (name: string): unknown => settings[`mcpSwitchboard.${name}`];
    this.options = {
      platform: machine.platform,
      env: machine.environment,
      home: machine.home,
      workspaceFolders: [{ name: path.basename(machine.workspace), path: machine.workspace }],
      profileFolder,
      globalStorageRoot: path.join(profileFolder, 'globalStorage'),
      discovery: texts(own('discovery')).filter((name): name is DiscoverableClient =>
        (DISCOVERABLE_CLIENTS as readonly string[]).includes(name),
      ),
      configFiles: texts(own('configFiles')),
    };
    this.scopeOrder = texts(own('scopeOrder')).filter((name): name is Scope =>
      (SCOPES as readonly string[]).includes(name),
    );
    this.policies = [
      ...editorPolicies({
        access: settings['chat.mcp.access'],
        allowed: settings['chat.mcp.allowedServers'],
        denied: settings['chat.mcp.deniedServers'],
      }),
      ...settingPolicy('your settings', own('allowedServers'), own('deniedServers')),
    ];
    this.#servers = own('servers');
  }

  static async of(machine: HeadlessMachine): Promise<HeadlessPorts> {
    const folder = profileFolderOf(machine);
    const text = await fs.readFile(path.join(folder, 'settings.json')).then(decodeText, () => '{}');
    const { root } = readJsonc(text.replace(/^\uFEFF/, ''));
    const settings = root ? plainValue(root) : {};
    return new HeadlessPorts(machine, folder, isRecord(settings) ? settings : {});
  }

  sources(): readonly ConfigSource[] {
    return sourcesFor(this.options);
  }

  async read(source: ConfigSource): Promise<string | undefined> {
    if (source.id !== USER_SETTING_ID) return readSourceFile(source, this.options.platform);
    return this.#servers === undefined ? undefined : JSON.stringify({ mcpServers: this.#servers });
  }

  watch(): Disposable {
    return toDisposable(() => undefined);
  }

  watchSources(): Disposable {
    return toDisposable(() => undefined);
  }
}

/** Where the editor keeps the default profile of this user. */
function profileFolderOf({ platform, environment, home }: HeadlessMachine): string {
  const paths = pathsOf({ platform });
  if (platform === 'win32')
    return paths.join(environment['APPDATA'] || paths.join(home, 'AppData', 'Roaming'), 'Code', 'User');
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support', 'Code', 'User');
  return paths.join(environment['XDG_CONFIG_HOME'] || paths.join(home, '.config'), 'Code', 'User');
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];
}
