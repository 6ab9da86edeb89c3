import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ConfigSource, Scope } from '../../src/config/configTypes.ts';
import type { Host } from '../../src/host/host.ts';
import type { HostPorts } from '../../src/host/hostPorts.ts';
import type { ServerView } from '../../src/host/views/serverView.ts';
import type { Arrangement } from '../../src/ui/servers/tree/arrangeServers.ts';
import { StatusBar } from '../../src/ui/servers/signs/statusBar.ts';
import { ServersTreeData } from '../../src/ui/servers/tree/serversTreeData.ts';
import type { Node } from '../../src/ui/servers/tree/treeNodes.ts';
import { NodeConfigPorts } from '../support/nodeConfigPorts.ts';
import { TestHost } from '../support/testHost.ts';

/** What is in the files of each scope, and what is so in the window. */
interface Situation {
  readonly files: Partial<Record<'project' | 'user', string | object>>;
  readonly trusted?: boolean;
  readonly ports?: Partial<HostPorts>;
  /** What the user does, once the configuration is read. */
  readonly act?: (rig: TestHost) => Promise<unknown>;
  readonly shows?: Partial<Arrangement>;
  /** Labels of the rows that are open. */
  readonly open?: readonly string[];
}

const shown = (mode: string, more: object = {}): object => ({
  command: process.execPath,
  args: [path.join(process.env['SWITCHBOARD_ROOT'] ?? '', 'test/fixtures/servers/shown.mjs'), mode],
  ...more,
});

/** An editor that would start these, or all. */
const inEditorToo = (...names: readonly string[]): Partial<HostPorts> => ({
  editor: {
    workspaceTrusted: () => true,
    editorHosts: ({ name }) => names.length === 0 || names.includes(name),
    onDidChange: () => ({ dispose: () => {} }),
  },
});

const approve = (rig: TestHost): Promise<void> => rig.approveAll();
const idOf = ({ host }: TestHost, name: string): string =>
  host.views.find(({ definition }) => definition.name === name)?.definition.id ?? assert.fail(name);
const settled = (rig: TestHost, isSo: (view: ServerView) => boolean): Promise<void> =>
  rig.until(() => rig.host.views.every(isSo));

/** `bar`: the item of the status bar, with what makes its background, and the badge of the view's icon. */
const SITUATIONS: Readonly<Record<string, Situation & { readonly text: string; readonly bar: string }>> = {
  'nothing is defined': { files: {}, bar: '', text: '' },
  'a folder is opened for the first time': {
    files: { project: { one: shown('plain'), two: { url: 'https://mcp.example.com/' } } },
    bar: '$(shield) MCP · 2 to approve warning “MCP Switchboard, 2 servers need approval” 2',
    text: `
      $(shield) 2 servers need approval — Review…
      $(shield) one — Needs approval {approvable removable movable exportable disableable}
      $(shield) two — Needs approval {approvable removable movable headed exportable disableable}`,
  },
  'all is well': {
    files: { project: { book: shown('') } },
    act: approve,
    open: ['book', 'Tools', 'Resources', 'Prompts'],
    bar: '$(plug) MCP 1/1 “MCP Switchboard, 1 of 1 MCP servers connected”',
    text: `
      ▾ $(pass-filled) book — 3 tools {resources prompts disconnectable restartable removable movable exportable disableable}
        ▾ $(tools) Tools — 3
          [x] $(eye) read_page — read-only · <n> tokens
          [x] $(edit) write_page — writes · <n> tokens
          [x] $(flame) burn_page — destructive · <n> tokens
        ▾ $(files) Resources
          $(symbol-parameter) page — book://page/{n}
          $(file) The [cover](command:x) — book://cover
        ▾ $(comment) Prompts
          $(comment) summarize — summarize`,
  },
  'a definition leaves tools out, one hides another, and one has a rule for a tool that isn’t there': {
    files: {
      user: {
        book: shown('plain', {
          disabledTools: ['burn_page'],
          toolOverrides: { write_page: { hidden: true }, no_such_tool: { hidden: true } },
        }),
      },
    },
    act: approve,
    open: ['book', 'Tools', 'Problems'],
    bar: '$(plug) MCP 1/1 “MCP Switchboard, 1 of 1 MCP servers connected”',
    text: `
      ▾ $(pass-filled) book — 2 tools {disconnectable restartable removable movable exportable disableable}
        ▾ $(tools) Tools — 1 of 3 enabled
          [x] $(eye) read_page — read-only · <n> tokens
          [ ] $(circle-slash) write_page — disabled
          [ ] $(circle-slash) burn_page — disabled
        ▾ $(warning) Problems
          $(warning) The server has no tool no_such_tool. — line 1`,
  },
  'a server crashes': {
    files: { user: { crash: shown('crash') } },
    act: approve,
    bar: '$(error) MCP 0/1 error “MCP Switchboard, 0 of 1 MCP servers connected, 1 failed”',
    text: `
      $(error) crash — Failed: The server exited with code 3 before it was ready: Error: the database is locked. {connectable removable movable exportable disableable}`,
  },
  'a command isn’t there': {
    files: { user: { gone: { command: 'no-such-command' } } },
    act: approve,
    bar: '$(error) MCP 0/1 error “MCP Switchboard, 0 of 1 MCP servers connected, 1 failed”',
    text: `
      $(error) gone — Failed: The command "no-such-command" was not found on the PATH (<n> folders; “Doctor” lists it). {connectable removable movable exportable disableable}`,
  },
  'a server doesn’t answer': {
    files: { user: { silent: shown('silent') } },
    act: (rig) => settled(rig, ({ state }) => state.kind === 'connecting'),
    bar: '$(sync~spin) MCP 0/1 “MCP Switchboard, 0 of 1 MCP servers connected”',
    text: `
      $(sync~spin) silent — Connecting {disconnectable restartable removable movable exportable disableable}`,
  },
  'the workspace isn’t trusted': {
    files: { project: { book: shown('plain') }, user: { mine: { command: 'x', disabled: true } } },
    trusted: false,
    open: ['Project'],
    bar: '$(workspace-untrusted) MCP “MCP Switchboard, The workspace isn’t trusted: 1 server is blocked”',
    text: `
      $(workspace-untrusted) Untrusted workspace — Manage…
      ▾ Project — .mcp.json
        $(lock) book — Untrusted workspace {untrusted removable movable exportable}
      ▸ User — mine.json`,
  },
  'the editor has them, too, and the user hasn’t chosen': {
    files: { project: { book: shown('plain'), other: shown('plain') } },
    ports: inEditorToo(),
    bar: '$(arrow-swap) MCP · choose host warning “MCP Switchboard, Choose what runs 2 servers” 1',
    text: `
      $(arrow-swap) Choose what runs 2 servers
      $(circle-slash) book — MCP host not chosen {hostable removable movable exportable}
      $(circle-slash) other — MCP host not chosen {hostable removable movable exportable}`,
  },
  'the editor has one of them, too, and the user hasn’t chosen or approved': {
    files: { project: { book: shown('plain'), other: shown('plain') } },
    ports: inEditorToo('book'),
    bar: '$(shield) MCP · choose host · 1 to approve warning “MCP Switchboard, Choose what runs 1 server, 1 server needs approval” 2',
    text: `
      $(arrow-swap) Choose what runs 1 server
      $(shield) 1 server needs approval — Review…
      $(circle-slash) book — MCP host not chosen {hostable removable movable exportable}
      $(shield) other — Needs approval {approvable removable movable exportable disableable}`,
  },
  'the user left them to the editor': {
    files: { project: { book: shown('plain') } },
    ports: inEditorToo(),
    act: ({ host }) => host.servers.setHosting('editor'),
    bar: '$(plug) MCP “MCP Switchboard, Left to VS Code: 1 server”',
    text: `
      $(arrow-swap) Left to VS Code: 1 server — Change…
      $(circle-slash) book — Left to VS Code {hostable removable movable exportable}`,
  },
  'the user chose us for them, and hasn’t approved': {
    files: { project: { book: shown('plain') } },
    ports: inEditorToo(),
    act: ({ host }) => host.servers.setHosting('switchboard'),
    bar: '$(shield) MCP · 1 to approve warning “MCP Switchboard, 1 server needs approval” 1',
    text: `
      $(shield) 1 server needs approval — Review…
      $(shield) book — Needs approval {approvable removable movable exportable disableable}`,
  },
  'all are off: in the file, by the user, in a scope that another hides': {
    files: {
      project: { filed: { command: 'a', disabled: true }, same: { command: 'x' } },
      user: { off: shown('plain') },
    },
    act: async (rig) => {
      await rig.host.servers.setDisabled(idOf(rig, 'off'), true);
      await rig.host.servers.setDisabled(idOf(rig, 'same'), true);
    },
    bar: '$(plug) MCP “MCP Switchboard, No MCP servers enabled”',
    text: `
      $(circle-slash) All servers are disabled — Enable…
      ▸ Project — .mcp.json
      ▸ User — mine.json`,
  },
  'one was rejected': {
    files: { project: { book: shown('plain') } },
    act: (rig) => rig.host.servers.reject([idOf(rig, 'book')]),
    bar: '$(plug) MCP “MCP Switchboard, 1 server is blocked”',
    text: `
      $(lock) book — Blocked: you rejected it {approvable removable movable exportable}`,
  },
  'a file has a syntax error': {
    files: { project: '{ "mcpServers": { "a": { "command": "a" }' },
    bar: '',
    text: `
      $(error) .mcp.json — line 1: A \`{\` is not closed.`,
  },
  'an entry can’t be used': {
    files: { project: { bad: { command: 7 }, 'pay\u202Eload': { url: 'nowhere' } } },
    open: ['bad', 'Problems'],
    bar: '$(error) MCP 0/2 error “MCP Switchboard, 0 of 2 MCP servers connected, 2 failed”',
    text: `
      ▾ $(error) bad — Configuration error: \`command\` must be a string, not a number. {removable movable exportable}
        ▾ $(warning) Problems
          $(error) \`command\` must be a string, not a number. — line 1
      ▸ $(warning) pay\\u{202e}load — Configuration error: The URL must begin with \`http://\` or \`https://\`. · invisible characters in its name {removable movable exportable}`,
  },
  'two scopes': {
    files: { project: { b: { command: 'b', disabled: true } }, user: { a: shown('plain') } },
    act: (rig) => rig.until(() => rig.host.catalog.tools.length > 0),
    open: ['Project', 'User'],
    bar: '$(plug) MCP 1/1 “MCP Switchboard, 1 of 1 MCP servers connected”',
    text: `
      ▾ Project — .mcp.json
        $(circle-slash) b — Disabled in .mcp.json {enableable removable movable exportable}
      ▾ User — mine.json
        ▸ $(pass-filled) a — 3 tools {disconnectable restartable removable movable exportable disableable}`,
  },
  'flat, sorted by state': {
    files: { project: { b: { command: 'b', disabled: true }, c: { command: 'c' } }, user: { a: shown('crash') } },
    shows: { isGrouped: false, sort: 'state' },
    act: (rig) => rig.until(() => rig.host.views.some(({ state }) => state.kind === 'failed')),
    bar: '$(error) MCP 0/1 · 1 to approve error “MCP Switchboard, 0 of 1 MCP servers connected, 1 failed, 1 server needs approval” 1',
    text: `
      $(shield) 1 server needs approval — Review…
      $(error) a — Failed: The server exited with code 3 before it was ready: Error: the database is locked. {connectable removable movable exportable disableable}
      $(shield) c — Needs approval {approvable removable movable exportable disableable}
      $(circle-slash) b — Disabled in .mcp.json {enableable removable movable exportable}`,
  },
  'filtered by a tool’s name': {
    files: { user: { a: shown('plain'), b: { command: 'b', disabled: true } } },
    shows: { filter: 'burn' },
    act: (rig) => rig.until(() => rig.host.catalog.tools.length > 0),
    bar: '$(plug) MCP 1/1 “MCP Switchboard, 1 of 1 MCP servers connected”',
    text: `
      ▸ $(pass-filled) a — 3 tools {disconnectable restartable removable movable exportable disableable}`,
  },
  'the filter fits nothing': {
    files: { user: { b: { command: 'b', disabled: true } } },
    shows: { filter: 'nothing like it' },
    bar: '$(plug) MCP “MCP Switchboard, No MCP servers enabled”',
    text: ``,
  },
};

export function treeTextSuite(): void {
  describe('the view Servers, as a text, when', () => {
    for (const [title, { text, bar, ...situation }] of Object.entries(SITUATIONS))
      it(title, async () => {
        const { open = [] } = situation;
        const shown = await withTree(situation, async (data, host) => ({
          rows: (await linesOf(data, undefined, open, '')).join('\n'),
          bar: barOf(host),
        }));
        assert.equal(shown.rows.replaceAll(/\d+(?= folders| tokens)/g, '<n>'), text.replaceAll(/^ {6}/gm, '').trim());
        assert.equal(shown.bar, bar);
      });

    it('a server’s name, command and errors are hostile, its tooltip shows them as text', async () => {
      const name =
        'x | y\n[run](command:workbench.action.quit) `a` <img src=x> https://evil.example ![i](https://evil.example/i) $(flame)';
      const situation = { files: { user: { [name]: shown('crash', { cwd: '/', env: { '|[a](command:b)': '|' } }) } } };
      const markdown = await withTree({ ...situation, act: approve }, async (data) => {
        const [node] = await data.children();
        assert.ok(node?.kind === 'server');
        const { tooltip } = await data.resolve(data.row(node), node);
        return tooltip as vscode.MarkdownString;
      });
      const { value, isTrusted, supportHtml } = markdown;
      assert.ok(!supportHtml && typeof isTrusted === 'object');
      assert.deepEqual(
        [...value.matchAll(/(?<!\\)\]\((\S+?)(?:\?|\))/g)].map(([, target]) => target),
        ['openDefinition', 'showLog', 'doctor'].map((command) => `command:mcpSwitchboard.${command}`),
      );
      const table = value.split('\n').filter((line) => line.startsWith('|'));
      assert.ok(table.length >= 6, value);
      for (const line of table) assert.equal(line.match(/(?<!\\)\|/g)?.length, 3, line);
      assert.ok(!/(?<!\\)[<`]|https:/.test(value.split('```')[0] ?? ''), value);
      assert.match(value, /```text\nloading…\nError: the database is locked\n```/);
    });
  });
}

/** What the view has in a situation. */
async function withTree<T>(
  { files, trusted = true, ports, act, shows }: Situation,
  body: (data: ServersTreeData, host: Host) => Promise<T>,
): Promise<T> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-tree-')));
  const sources = (['project', 'user'] as const).map((scope) => sourceOf(scope, folder));
  for (const { scope, file = '' } of sources) {
    const content = files[scope as 'project' | 'user'];
    const isText = typeof content === 'string';
    if (content !== undefined) writeFileSync(file, isText ? content : JSON.stringify({ mcpServers: content }));
  }
  const rig = new TestHost({
    folder,
    trusted,
    // A server that ends has failed, with no further attempts.
    settings: { reconnect: { maxAttempts: 0 } },
    ports: { config: new NodeConfigPorts(sources), ...ports },
  });
  const kept = new Map<string, unknown>(shows ? [['serversView', { isGrouped: true, sort: 'defined', ...shows }]] : []);
  const store = { get: (key: string) => kept.get(key), set: async () => {} };
  const none = (): void => {};
  const data = new ServersTreeData(rig.host, () => ({ toolQualityThreshold: 0 }), store, none, none);
  try {
    await rig.host.start();
    await act?.(rig);
    return await body(data, rig.host);
  } finally {
    data.dispose();
    await rig.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function sourceOf(scope: Scope, folder: string): ConfigSource {
  const name = scope === 'project' ? '.mcp.json' : 'mine.json';
  const file = path.join(folder, name);
  const own = scope === 'project' ? { folder: { name: 'demo', path: folder } } : {};
  return { id: `${scope}:${file}`, scope, format: 'mcp', label: name, file, ...own };
}

/** What the status bar and the badge say of a host. */
function barOf(host: Host): string {
  const { createStatusBarItem } = vscode.window;
  const items: vscode.StatusBarItem[] = [];
  const view: Pick<vscode.TreeView<unknown>, 'badge'> = {};
  Object.assign(vscode.window, {
    createStatusBarItem: (id: string) => {
      const item = createStatusBarItem(`${id}.test`);
      items.push(item);
      return item;
    },
  });
  const bar = new StatusBar(host, view);
  try {
    const [item] = items;
    if (!item) return '';
    const color = item.backgroundColor?.id.replace(/^statusBarItem\.|Background$/g, '');
    const spoken = item.accessibilityInformation?.label;
    return [item.text, color, `“${spoken}”`, view.badge?.value].filter((part) => part !== undefined).join(' ');
  } finally {
    bar.dispose();
    Object.assign(vscode.window, { createStatusBarItem });
  }
}

/** A row: its checkbox, icon, label, description, and what a menu may do with it. */
async function linesOf(
  data: ServersTreeData,
  node: Node | undefined,
  open: readonly string[],
  indent: string,
): Promise<string[]> {
  const lines: string[] = [];
  for (const child of await data.children(node)) {
    const { label, description, iconPath, checkboxState, contextValue = '', collapsibleState } = data.row(child);
    const box = checkboxState === undefined ? '' : isTicked(checkboxState) ? '[x] ' : '[ ] ';
    const icon = iconPath instanceof vscode.ThemeIcon ? `$(${iconPath.id}) ` : '';
    const isClosed = collapsibleState !== vscode.TreeItemCollapsibleState.None;
    const isOpen = isClosed && open.includes(textOfLabel(label));
    const can = child.kind === 'server' ? ` {${contextValue.replace(/^server ?/, '')}}` : '';
    const mark = isOpen ? '▾ ' : isClosed ? '▸ ' : '';
    lines.push(
      `${indent}${mark}${box}${icon}${textOfLabel(label)}${description ? ` — ${String(description)}` : ''}${can}`,
    );
    if (isOpen) lines.push(...(await linesOf(data, child, open, `${indent}  `)));
  }
  return lines;
}

function isTicked(state: NonNullable<vscode.TreeItem['checkboxState']>): boolean {
  return (typeof state === 'object' ? state.state : state) === vscode.TreeItemCheckboxState.Checked;
}

function textOfLabel(label: vscode.TreeItem['label']): string {
  return typeof label === 'object' ? label.label : (label ?? '');
}
