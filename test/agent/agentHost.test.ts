import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sendChat } from '../../scripts/lib/browser.mjs';
import { currentEditor, ensureEditor, ensureSessionStore } from '../../scripts/lib/install-editor.mjs';
import type { AgentWindow } from '../support/agentWindow.ts';
import { eventually } from '../support/eventually.ts';
import { useHostedWindow } from '../support/useAgentWindow.ts';
import { doctorReport } from '../support/webPages.ts';

/** One message between the window and the Agent Host, as the editor logs it. */
interface Message {
  readonly params?: { readonly action?: Action };
}

interface Action {
  readonly type: string;
  readonly activeClient?: { readonly tools: readonly { readonly name: string }[] };
  readonly customizations?: readonly { readonly type: string; readonly name: string }[];
}

interface Synced {
  readonly mcpServers: Record<string, { readonly url: string; readonly headers?: Record<string, string> }>;
}

const SERVERS = ['everything', 'filesystem', 'memory', 'notes'];

describe('a session of the Agent Host, up to where it wants a sign-in', () => {
  let window: AgentWindow;

  before(async function () {
    this.timeout(400_000);
    await ensureSessionStore(await ensureEditor(currentEditor));
  });

  useHostedWindow(
    {
      settings: {
        'chat.agentHost.allowSignedOutWhenUsable': true,
        'chat.agentHost.ahpJsonlLoggingEnabled': true,
        'mcpSwitchboard.alwaysLoadTools': ['notes/*'],
      },
    },
    async (opened) => {
      window = opened;
      await window.page.locator('.interactive-session').getByText('Local', { exact: true }).last().click();
      await window.page
        .locator('.action-widget .monaco-list-row', { hasText: /^Copilot/ })
        .first()
        .click();
    },
  );

  const below = (folder: string, name: RegExp): string[] =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
      .filter((path) => name.test(path))
      .map((path) => join(folder, path));

  const actions = (): readonly Action[] =>
    below(join(window.editor.dataDir, 'data', 'logs'), /\/ahp\/.*\.jsonl$/)
      // The last line may be one that is being written.
      .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1))
      .flatMap((line) => (JSON.parse(line) as Message).params?.action ?? []);

  it('is given our tools as the window’s', async () => {
    const { activeClient } = await eventually(
      'the window’s tools',
      () => actions().find(({ type }) => type === 'session/activeClientSet'),
      60_000,
    );
    await window.screenshot('agent-host-session');
    const names = activeClient?.tools.map(({ name }) => name) ?? [];
    for (const name of ['mcp_tool_search', 'mcp_tool_list', 'mcp_call_tool', 'mcp_read_resource'])
      assert.ok(names.includes(name), name);
  });

  it('is given the endpoints with what opens them, so that it has each server’s tools by their names', async () => {
    const plugins = join(window.editor.dataDir, 'data', 'agentPlugins');
    const published = (): readonly (readonly [string, Synced['mcpServers'][string]])[] =>
      below(plugins, /\.mcp\.json$/)
        .map((file) => readFileSync(file, 'utf8'))
        // One that is empty is being written.
        .flatMap((text) => (text === '' ? [] : Object.entries((JSON.parse(text) as Synced).mcpServers)))
        .filter(([name]) => SERVERS.some((server) => name.startsWith(server)));
    const ours = await eventually(
      'the four endpoints',
      () => {
        const found = published();
        return found.length === SERVERS.length && found;
      },
      60_000,
    );
    const [, { url, headers }] = ours.find(([name]) => name.startsWith('notes')) ?? assert.fail();
    const client = new Client({ name: 'copilot-runtime', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers ?? {} } });
    await client.connect(transport);
    assert.equal(client.getServerVersion()?.name, '_notes_');
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'delete_note'));
    await client.close();
  });

  it('wants a sign-in for the first message', async () => {
    await sendChat(window.page, 'Which MCP tools do you have?');
    await window.page.getByText('Sign in to use GitHub Copilot', { exact: true }).first().waitFor();
    await window.screenshot('agent-host-sign-in');
  });

  it('has the servers of a root .mcp.json by itself, too: doctor says that they are the editor’s there', async () => {
    const { customizations = [] } = await eventually(
      'the session’s own servers',
      () => actions().findLast((action) => action.customizations?.some(({ type }) => type === 'mcpServer')),
      60_000,
    );
    const found = customizations.filter(({ type }) => type === 'mcpServer').map(({ name }) => name);
    assert.deepEqual(found.sort(), SERVERS);
    await window.page.keyboard.press('Escape');
    await window.runCommand('MCP Switchboard: Doctor');
    await doctorReport(window, /Agent Host sessions run these with VS Code/);
    await window.screenshot('agent-host-doctor');
  });
});
