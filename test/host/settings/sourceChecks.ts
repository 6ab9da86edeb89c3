import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { closeQuestions, eventually, exportsOf } from '../support.ts';
import type { Exports } from '../../../src/extension.ts';
import type { Check } from './checks.ts';
import type { Probe } from './probe.ts';

const CODEX = '[mcp_servers.of-codex]\nurl = "http://127.0.0.1:9/mcp"\nstartMode = "manual"\n';

/** Which servers there are, and which of them may run. */
export function sourceChecks(probe: Probe): Record<string, Check> {
  const isThere = (name: string) => async (): Promise<boolean> => (await probe.find(name)) !== undefined;
  const manual = { url: 'http://127.0.0.1:9/mcp', startMode: 'manual' };
  const stateOf = async (): Promise<unknown> => (await probe.find('probe'))?.state.kind;
  return {
    'mcpSwitchboard.servers': {
      effect: isThere('another'),
      get shows() {
        return [
          [probe.servers(), false],
          [probe.servers({ another: manual }), true],
        ] as const;
      },
    },
    'mcpSwitchboard.configFiles': {
      effect: isThere('of-file'),
      shows: [
        [undefined, false],
        [[probe.file('further.json', JSON.stringify({ servers: { 'of-file': manual } }))], true],
      ],
    },
    'mcpSwitchboard.discovery': {
      // Its home is in a variable of the environment: environmentChecks.ts looks at that.
      effect: isThere('of-codex'),
      shows: [
        [undefined, false],
        [['codex'], true],
      ],
    },
    'mcpSwitchboard.allowedServers': {
      effect: stateOf,
      shows: [
        [undefined, 'connected'],
        [['everything', 'filesystem', 'memory', 'notes'], 'blocked'],
      ],
    },
    'mcpSwitchboard.deniedServers': {
      effect: stateOf,
      shows: [
        [['prob?'], 'blocked'],
        [undefined, 'connected'],
      ],
    },
    'mcpSwitchboard.presets': {
      effect: () => withPreset('Look', async ({ host }) => host.catalog.tools.map(({ name }) => name).filter(isProbes)),
      shows: [
        [{ Look: { tools: ['probe/read', ...OTHERS] } }, ['mcp__probe__read']],
        [{ Look: { tools: ['probe/wri*', ...OTHERS] } }, ['mcp__probe__write']],
      ],
    },
  };
}

const OTHERS = ['everything', 'filesystem', 'memory', 'notes'];
const isProbes = (name: string): boolean => name.startsWith('mcp__probe__');

/** Looks at something while a preset is active. */
async function withPreset<T>(name: string, body: (exports: Exports) => Promise<T>): Promise<T> {
  const exports = await exportsOf();
  const { preset } = exports.host;
  await (await preset.choices()).choose((await preset.choices()).all.find((each) => each.name === name));
  try {
    return await body(exports);
  } finally {
    await (await preset.choices()).choose(undefined);
  }
}

/** The servers of the cloud: an address that gives one, which the settings have as well. */
export class Cloud {
  readonly #server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ mcpServers: { twice: { type: 'http', url: 'http://127.0.0.1:9/mcp' } } }));
  });
  url = '';

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/servers`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  checks(probe: Probe): Record<string, Check> {
    const address = (): string => this.url;
    const scopes = async (): Promise<unknown> => {
      const { host } = await exportsOf();
      await host.servers.approve(
        host.servers.definitions.filter(({ status }) => status.kind === 'needs-approval').map(({ id }) => id),
      );
      return host.views
        .filter(({ definition, state }) => definition.name === 'twice' && state.kind !== 'shadowed')
        .map(({ definition }) => definition.entry.scope);
    };
    return {
      'mcpSwitchboard.cloud.url': {
        effect: scopes,
        get shows() {
          return [
            [undefined, []],
            [address(), ['cloud']],
          ] as const;
        },
      },
      'mcpSwitchboard.scopeOrder': {
        with: () => ({
          'mcpSwitchboard.servers': probe.servers({ twice: probe.entry('twice', { startMode: 'manual' }) }),
          'mcpSwitchboard.cloud.url': this.url,
        }),
        effect: scopes,
        shows: [
          [undefined, ['user']],
          [['cloud'], ['cloud']],
        ],
      },
    };
  }
}

/** Two MCP registries, which say which of them was asked. */
export class Registries {
  #asked: string | undefined;
  readonly #servers = ['one', 'other'].map((name) =>
    http.createServer((_request, response) => {
      this.#asked = name;
      response.end(JSON.stringify({ servers: [] }));
    }),
  );

  readonly #addresses: string[] = [];

  async open(): Promise<void> {
    for (const server of this.#servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      this.#addresses.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`);
    }
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }

  checks(): Record<string, Check> {
    const addresses = this.#addresses;
    return {
      'mcpSwitchboard.registry.url': {
        effect: async () => {
          this.#asked = undefined;
          const browsing = vscode.commands.executeCommand('mcpSwitchboard.browseRegistry');
          await eventually('a registry is asked', () => this.#asked !== undefined);
          await closeQuestions(browsing);
          return this.#asked;
        },
        get shows() {
          return [
            [addresses[0], 'one'],
            [addresses[1], 'other'],
          ] as const;
        },
      },
    };
  }
}

/** A folder that Codex would have as its home. */
export function codexHome(probe: Probe): string {
  return path.dirname(probe.file('codex/config.toml', CODEX));
}
