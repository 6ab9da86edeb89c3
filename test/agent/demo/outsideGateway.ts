import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Locator } from 'playwright-core';
import { PORTABLE_FOLDER } from '../../../src/config/clients/portableEntry.ts';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { eventually } from '../../support/eventually.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

interface Snippet {
  readonly mcpServers: Record<
    string,
    { readonly command: string; readonly args: string[]; readonly env?: Record<string, string> }
  >;
}

/** @param home of the window’s user */
export function outsideGateway(useWindow: UseSharedWindow, home: string): void {
  describe('an agent outside the editor, with what Copy Gateway Address gives', () => {
    let window: AgentWindow;
    const clients: Client[] = [];

    useWindow({}, (opened) => {
      window = opened;
    });

    after(async () => {
      for (const each of clients) await each.close().catch(() => undefined);
    });

    const toast = (text: string): Locator => window.page.locator('.notification-toast', { hasText: text }).first();

    /** *Copy Gateway Address…* for an agent; what is on the clipboard then. */
    async function copied(agent: string, shot: string): Promise<string> {
      const before = await window.clipboard();
      await window.runAndAnswer('MCP Switchboard: Copy Gateway Address', async (timeout) => {
        await window.pickRow(agent).waitFor({ timeout });
        await window.screenshot(shot);
        await window.pickRow(agent).click({ timeout });
      });
      await toast('Copied').waitFor();
      // The notification of the copy before may still be there.
      return eventually('something else is on the clipboard', async () => {
        const text = await window.clipboard();
        return text !== before && text;
      });
    }

    async function connect(config: string): Promise<Client> {
      const { switchboard } = (JSON.parse(config) as Snippet).mcpServers;
      assert.ok(switchboard);
      const client = new Client({ name: 'an-agent', version: '1' }, { capabilities: { elicitation: {} } });
      clients.push(client);
      await client.connect(new StdioClientTransport(switchboard));
      return client;
    }

    let config = '';
    let client: Client;

    it('the configuration that is copied connects it, and lists the tools of all servers with their true annotations', async () => {
      config = await copied('Other (JSON)', 'outside-gateway-pick');
      await window.screenshot('outside-gateway-copied');
      client = await connect(config);
      const { tools } = await client.listTools();
      const annotations = (name: string): unknown => tools.find((tool) => tool.name === name)?.annotations;
      for (const name of ['mcp__filesystem__read_text_file', 'mcp__everything__echo', 'mcp__memory__read_graph'])
        assert.ok(annotations(name), name);
      assert.deepEqual(annotations('mcp__notes__delete_note'), {
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: false,
      });
      assert.deepEqual(annotations('mcp__notes__list_notes'), { readOnlyHint: true, openWorldHint: false });
    });

    it('the window’s chat isn’t part of it: what reads runs, what destroys is asked about in the editor, with the agent named', async () => {
      const list = await client.callTool({ name: 'mcp__notes__list_notes', arguments: {} });
      assert.match(JSON.stringify(list.content), /Welcome/);
      const remove = { name: 'mcp__notes__delete_note', arguments: { title: 'Welcome' } };
      const denied = client.callTool(remove);
      await window.pickRow('Deny').waitFor();
      assert.match(
        await window.page.locator('.quick-input-widget').innerText(),
        /Called by an agent outside the editor that calls itself\s+(?:Details\s+)?an-agent\./,
      );
      await window.screenshot('outside-gateway-question');
      assert.equal(await window.pickRow('Always Allow This Tool').count(), 0, 'nothing that lasts is offered');
      await window.pickRow('Deny').click();
      assert.match(JSON.stringify((await denied).content), /The user denied/);
      const allowed = client.callTool(remove);
      await window.pickRow('Allow Once').click();
      assert.match(JSON.stringify((await allowed).content), /Deleted the note/);
      assert.ok(!window.notes().some((name) => name.includes('Welcome')));
    });

    it('a question that waits doesn’t block another one', async () => {
      const remove = (title: string): Promise<unknown> =>
        client.callTool({ name: 'mcp__notes__delete_note', arguments: { title } }).then(({ content }) => content);
      const about = (title: string): Locator => window.page.locator('.quick-input-title', { hasText: title });
      const first = remove('First');
      await about('First').waitFor();
      const second = remove('Second');
      const next = window.page.locator('.quick-input-titlebar [aria-label^="Next Question"]');
      await next.waitFor();
      await window.screenshot('outside-gateway-two-questions');
      await next.click();
      await about('Second').waitFor();
      await window.pickRow('Deny').click();
      assert.match(JSON.stringify(await second), /The user denied/);
      await about('First').waitFor();
      await window.pickRow('Deny').click();
      assert.match(JSON.stringify(await first), /The user denied/);
    });

    it('for Claude Code, the same is a command without a token', async () => {
      const line = await copied('Claude Code', 'outside-gateway-pick-again');
      const { command, args } = (JSON.parse(config) as Snippet).mcpServers['switchboard'] ?? assert.fail();
      assert.match(line, /^claude mcp add --transport stdio switchboard -- /);
      for (const word of [command, ...args]) assert.ok(line.includes(word), line);
      assert.doesNotMatch(line, /Bearer|127\.0\.0\.1/);
    });

    it('revoked, it is refused, at once and for whoever comes anew, until it is on again', async () => {
      await window.runCommand('MCP Switchboard: Revoke Gateway Address');
      await toast('Gateway access revoked').waitFor();
      await assert.rejects(client.callTool({ name: 'mcp__notes__list_notes', arguments: {} }), /was revoked/);
      await assert.rejects(connect(config));
      const again = await copied('Other (JSON)', 'outside-gateway-again');
      assert.equal(again, config);
      await connect(again);
      assert.match(
        JSON.stringify((await client.callTool({ name: 'mcp__notes__list_notes', arguments: {} })).content),
        /Ideas/,
      );
    });

    it('a portable entry is shown, written, found by an agent in a folder of the window, and taken out again', async () => {
      const file = join(window.folder, '.github', 'mcp.json');
      await window.runAndAnswer('MCP Switchboard: Add Portable Entry…', async (timeout) => {
        await window.pickRow('.github/mcp.json').waitFor({ timeout });
        await window.screenshot('portable-entry-files');
        await window.pickRow('.github/mcp.json').click({ timeout });
      });
      await window.page.getByText('Add the entry “switchboard” to .github/mcp.json?').waitFor();
      await window.screenshot('portable-entry-shown');
      await window.dialogButton('Add').click();
      await toast('Added “switchboard” to .github/mcp.json.').waitFor();
      const { switchboard } = (JSON.parse(readFileSync(file, 'utf8')) as Snippet).mcpServers;
      assert.ok(switchboard);
      assert.doesNotMatch(JSON.stringify(switchboard), new RegExp(window.folder));
      const agent = new Client({ name: 'reads-files', version: '1' });
      clients.push(agent);
      assert.ok(existsSync(join(home, PORTABLE_FOLDER)), 'the window is found in its own home');
      const { args } = switchboard;
      const env = { HOME: home, USERPROFILE: home };
      const cwd = join(window.folder, '.github');
      await agent.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd }));
      const notes = await agent.callTool({ name: 'mcp__notes__list_notes', arguments: {} });
      assert.match(JSON.stringify(notes.content), /Ideas/);
      await window.runAndAnswer('MCP Switchboard: Remove Portable Entry…', async (timeout) => {
        await window.pickRow('.github/mcp.json').waitFor({ timeout });
        await window.pressInBox('Enter');
      });
      await toast('Removed the portable entry from .github/mcp.json.').waitFor();
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { mcpServers: {} });
    });
  });
}
