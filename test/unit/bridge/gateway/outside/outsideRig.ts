import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { bundleModule } from '../../../../../scripts/lib/bundle-module.mjs';
import { systemClock } from '../../../../../src/base/clock.ts';
import { Emitter } from '../../../../../src/base/event.ts';
import { OutsideGateway, type OutsideSettings } from '../../../../../src/bridge/gateway/outside/outsideGateway.ts';
import { wording, type GatewayRig } from '../../gatewayRig.ts';

export type OutsideClient = Client;

let shipped: Promise<string> | undefined;

/** The script as it is shipped, in a folder that lasts as long as this process. */
export function builtScript(): Promise<string> {
  shipped ??= (async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'connect.js');
    await bundleModule('src/bridge/gateway/outside/connect.ts', file, { format: 'cjs' });
    return file;
  })();
  return shipped;
}

export interface OutsideOptions extends Partial<OutsideSettings> {
  readonly workspaceId?: string;
  readonly platform?: NodeJS.Platform;
  /** For temporary files; the system's when absent. */
  readonly temporary?: string;
}

/** The extension's storage on this machine, and the windows that use it. */
export class OutsideRig {
  readonly storage = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-')));
  readonly #gateways: OutsideGateway[] = [];
  readonly #clients: Client[] = [];
  readonly #changed = new Emitter<void>();
  readonly #moved = new Emitter<void>();
  /** The user's home, and the folders of each window. */
  readonly home = path.join(this.storage, 'home');
  readonly folders = new Map<string, readonly string[]>();
  settings: OutsideSettings = { asksClients: false, http: false };

  get folder(): string {
    return path.join(this.storage, 'outside');
  }

  change(settings: Partial<OutsideSettings>): void {
    this.settings = { ...this.settings, ...settings };
    this.#changed.fire();
  }

  /** Another folder is added to a window. */
  move(workspaceId: string, folders: readonly string[]): void {
    this.folders.set(workspaceId, folders);
    this.#moved.fire();
  }

  /** A gateway that isn't started yet. */
  async gateway(rig: GatewayRig, options: OutsideOptions = {}): Promise<OutsideGateway> {
    const { workspaceId = 'here', platform = process.platform, temporary = tmpdir() } = options;
    const gateway = new OutsideGateway({
      host: rig.test.host,
      wording,
      clock: systemClock,
      version: '0',
      scripts: await rig.test.host.calls.scripts(),
      settings: () => this.settings,
      onDidChangeSettings: this.#changed.event,
      place: {
        folder: this.folder,
        workspaceId,
        temporary,
        script: await builtScript(),
        home: this.home,
        folders: () => this.folders.get(workspaceId) ?? [],
        onDidChangeFolders: this.#moved.event,
        editorName: 'The Editor',
      },
      editor: { execPath: process.execPath, isElectron: false, platform, searchPath: '' },
    });
    this.#gateways.push(gateway);
    return gateway;
  }

  async open(rig: GatewayRig, options: OutsideOptions = {}): Promise<OutsideGateway> {
    const gateway = await this.gateway(rig, options);
    await gateway.start();
    return gateway;
  }

  /** The socket that the record of a gateway names. */
  socketOf(gateway: OutsideGateway): string {
    const record = path.join(this.folder, `${gateway.commandFor().args[1]}.json`);
    return (JSON.parse(readFileSync(record, 'utf8')) as { socket: string }).socket;
  }

  /** A client of the SDK that starts the command; `answer` fills its forms. */
  async client(gateway: OutsideGateway, { answer, server, name = 'an-agent' }: ClientOptions = {}): Promise<Client> {
    const { command, args, env } = gateway.commandFor(server);
    const client = new Client({ name, version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
    if (answer)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
        action: 'accept',
        content: { answer: answer(params as unknown as AskedForm) },
      }));
    this.#clients.push(client);
    await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'inherit' }));
    return client;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) await client.close();
    for (const gateway of this.#gateways) gateway.dispose();
    this.#changed.dispose();
    this.#moved.dispose();
    rmSync(this.storage, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface ClientOptions {
  readonly answer?: (form: AskedForm) => string;
  readonly server?: string;
  readonly name?: string;
}

/** A form as it comes on the wire. */
export interface AskedForm {
  readonly message: string;
  readonly requestedSchema: { readonly properties: { readonly answer: { readonly enum: readonly string[] } } };
}
