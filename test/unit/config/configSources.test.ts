import assert from 'node:assert/strict';
import { DISCOVERABLE_CLIENTS } from '../../../src/config/configTypes.ts';
import { clientOf } from '../../../src/config/clients/clientConventions.ts';
import { managedFileFault } from '../../../src/config/sources/readSourceFile.ts';
import { sourcesFor, type SourceOptions } from '../../../src/config/configSources.ts';

const linux: SourceOptions = {
  platform: 'linux',
  env: {},
  home: '/home/me',
  workspaceFolders: [{ name: 'app', path: '/w/app' }],
  profileFolder: '/home/me/.config/Code/User',
  discovery: [],
  configFiles: [],
};
const mac: SourceOptions = {
  ...linux,
  platform: 'darwin',
  home: '/Users/me',
  profileFolder: '/Users/me/Library/Application Support/Code/User',
};
const windows: SourceOptions = {
  ...linux,
  platform: 'win32',
  env: { APPDATA: 'D:\\Roaming' },
  home: 'C:\\Users\\me',
  workspaceFolders: [{ name: 'app', path: 'C:\\w\\app' }],
  profileFolder: 'D:\\Roaming\\Code\\User',
};

const table = (options: SourceOptions): string[] =>
  sourcesFor(options).map(({ scope, label, within }) => `${scope}: ${label}${within ? ` > ${within.join('.')}` : ''}`);
const filesOf = (options: SourceOptions, ...discovery: SourceOptions['discovery']): string[] =>
  sourcesFor({ ...options, workspaceFolders: [], discovery })
    .filter(({ client, scope }) => scope === 'user' && client !== undefined && discovery.some((id) => id === client))
    .flatMap(({ file }) => file ?? []);

describe('config/sources', () => {
  it('by default', () => {
    assert.deepEqual(table(linux), [
      'enterprise: /etc/mcp-switchboard/managed-mcp.json',
      'project: .mcp.json',
      'workspace: .vscode/mcp.json',
      'workspace: .vscode/settings.json',
      'workspace: .claude/settings.local.json',
      'workspace: .claude/settings.json',
      'workspace: .devcontainer/devcontainer.json > customizations.vscode',
      'workspace: .devcontainer.json > customizations.vscode',
      'user: user setting mcpSwitchboard.servers',
      'user: ~/.config/Code/User/mcp.json',
      'user: ~/.config/Code/User/settings.json',
      'user: ~/.claude/settings.json',
    ]);
  });

  it('with several folders, a workspace file, further files and clients', () => {
    const lines = table({
      ...linux,
      workspaceFolders: [...linux.workspaceFolders, { name: 'lib', path: '/w/lib' }],
      workspaceFile: '/w/all.code-workspace',
      localFile: '/store/local.json',
      configFiles: ['~/one.json', '/two.json'],
      discovery: ['claude-code', 'roo'],
    });
    assert.deepEqual(
      lines.filter((line) => !/devcontainer|settings\.(?:local\.)?json|\.vscode|enterprise/.test(line)),
      [
        'local: /store/local.json',
        'local: ~/.claude.json (project app) > projects./w/app',
        'local: ~/.claude.json (project lib) > projects./w/lib',
        'project: app/.mcp.json',
        'project: lib/.mcp.json',
        'workspace: /w/all.code-workspace > settings',
        'user: user setting mcpSwitchboard.servers',
        'user: /two.json',
        'user: ~/one.json',
        'user: ~/.config/Code/User/mcp.json',
        'user: ~/.claude.json',
        'workspace: app/.roo/mcp.json',
        'workspace: lib/.roo/mcp.json',
      ],
    );
  });

  it('every client on every system', () => {
    const golden = {
      'claude-code': ['/home/me/.claude.json', '/Users/me/.claude.json', 'C:\\Users\\me\\.claude.json'],
      'claude-desktop': [
        '/home/me/.config/Claude/claude_desktop_config.json',
        '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
        'D:\\Roaming\\Claude\\claude_desktop_config.json',
      ],
      cursor: ['/home/me/.cursor/mcp.json', '/Users/me/.cursor/mcp.json', 'C:\\Users\\me\\.cursor\\mcp.json'],
      codex: ['/home/me/.codex/config.toml', '/Users/me/.codex/config.toml', 'C:\\Users\\me\\.codex\\config.toml'],
      zed: [
        '/home/me/.config/zed/settings.json',
        '/Users/me/.config/zed/settings.json',
        'D:\\Roaming\\Zed\\settings.json',
      ],
      copilot: [
        '/home/me/.copilot/mcp-config.json',
        '/Users/me/.copilot/mcp-config.json',
        'C:\\Users\\me\\.copilot\\mcp-config.json',
      ],
      roo: [
        '/home/me/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
        '/Users/me/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
        'D:\\Roaming\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json',
      ],
    } as const;
    for (const [client, expected] of Object.entries(golden))
      assert.deepEqual(
        [linux, mac, windows].map((machine) => filesOf(machine, client as keyof typeof golden).at(-1)),
        expected,
        client,
      );
    for (const client of DISCOVERABLE_CLIENTS)
      for (const machine of [linux, mac, windows]) assert.ok(filesOf(machine, client).length > 0, client);
  });

  it('follows the variables that move a client’s files', () => {
    const moved = {
      ...linux,
      env: { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/k', COPILOT_HOME: '/o' },
    };
    assert.deepEqual(filesOf(moved, 'codex'), ['/c/config.toml']);
    assert.deepEqual(filesOf(moved, 'copilot'), ['/o/mcp-config.json']);
    assert.deepEqual(filesOf(moved, 'opencode'), ['/x/opencode/opencode.jsonc', '/x/opencode/opencode.json']);
    assert.deepEqual(filesOf(moved, 'claude-code'), ['/k/settings.json', '/k/.claude.json']);
  });

  it('ids are unique, and every file of a client is known for its client', () => {
    const sources = sourcesFor({ ...windows, discovery: DISCOVERABLE_CLIENTS, configFiles: ['a.json', 'a.json'] });
    assert.equal(new Set(sources.map(({ id }) => id)).size, sources.length);
    for (const source of sources) if (source.client) assert.equal(clientOf(source), source.client);
  });
});

describe('config/sources/readSourceFile', () => {
  const root = { path: '/', uid: 0, mode: 0o40755 };
  it('is followed where administrators alone can write it and the folders above it', () => {
    assert.equal(managedFileFault([{ path: '/m.json', uid: 0, mode: 0o100644 }, root], 'linux'), undefined);
    assert.match(
      managedFileFault([{ path: '/m.json', uid: 1000, mode: 0o100644 }, root], 'linux') ?? '',
      /^\/m\.json is writable/,
    );
    assert.match(
      managedFileFault([{ path: '/m.json', uid: 0, mode: 0o100664 }, root], 'darwin') ?? '',
      /^\/m\.json is writable/,
    );
    assert.match(
      managedFileFault(
        [
          { path: '/m.json', uid: 0, mode: 0o100644 },
          { ...root, mode: 0o40777 },
        ],
        'linux',
      ) ?? '',
      /^\/ is writable/,
    );
    assert.equal(managedFileFault([{ path: 'C:\\m.json', uid: 0, mode: 0o100666 }], 'win32'), undefined);
  });
});
