import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bodyOf, HttpFixture, json } from '../../fixtures/servers/http.ts';
import type { AgentWindow } from '../../support/agentWindow.ts';

const KEY = 'sk-live-0a1b2c3d4e5f60718293a4b5c6d7e8f9';

/** What comes up while a server is tried before it is saved. @param of the window that the suite shares */
export function trials(of: () => AgentWindow): void {
  describe('trying servers:', () => {
    const window = (): AgentWindow => of();
    const project = (): string => readFileSync(join(window().folder, '.mcp.json'), 'utf8');
    const shown = (text: string): Promise<void> =>
      window().page.locator('.quick-input-widget', { hasText: text }).first().waitFor();
    const add = async (text: string, name: string): Promise<void> => {
      await window().runCommand('MCP Switchboard: Add Server…');
      await shown('Command or URL');
      await window().fillBox(text);
      await window().pressInBox('Enter');
      await shown('Server name');
      await window().fillBox(name);
      await window().pressInBox('Enter');
      await window().pickRow('Project').click();
      await window().pickRow('Connect and Save').click();
    };

    it('one that wants a header asks for it, keeps the secret out of the file, and connects', async () => {
      const sent: (string | undefined)[] = [];
      const server = new HttpFixture((request, response) => {
        void (async () => {
          const key = request.headers['x-api-key'];
          const { id, method } = (await bodyOf(request)) ?? {};
          if (typeof key !== 'string' || request.method !== 'POST')
            return response.writeHead(request.method === 'POST' ? 403 : 405).end('An API key is needed');
          sent.push(key);
          if (id === undefined) return response.writeHead(202).end();
          const results: Readonly<Record<string, object>> = {
            initialize: {
              protocolVersion: '2025-11-25',
              capabilities: { tools: {} },
              serverInfo: { name: 'keyed', version: '1' },
            },
            'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
          };
          const result = results[method ?? ''];
          const error = { code: -32601, message: 'Method not found' };
          return json(response, 200, { jsonrpc: '2.0', id, ...(result ? { result } : { error }) });
        })();
      });
      await server.listen();
      try {
        const before = project();
        await add(server.url, 'keyed');
        await shown('Could not connect. Nothing was saved.');
        await window().screenshot('add-header-wanted');
        assert.equal(project(), before);
        await window().pickRow('Add Header…').click();
        await window().page.getByPlaceholder('Authorization: Bearer …').waitFor();
        await window().fillBox('no header');
        await shown('Write “Name: value”.');
        await window().screenshot('add-header-asked');
        await window().fillBox(`X-Api-Key: ${KEY}`);
        await window().pressInBox('Enter');
        await shown('${input:');
        await window().screenshot('add-header-written');
        await window().pickRow('Connect and Save').click();
        await window().treeRow('keyed', '1 tool').waitFor();
        assert.match(project(), /"X-Api-Key": "\$\{input:[^}]+\}"/);
        assert.ok(!project().includes(KEY));
        assert.equal(sent.at(-1), KEY);
        await window().runOnServer('Remove Server', 'Select a server to remove', 'keyed');
        await window().treeRow('keyed').waitFor({ state: 'detached' });
      } finally {
        await server.close();
      }
    });

    it('a download that takes long says so, and cancelling it leaves no process and no line', async () => {
      // A registry that never answers, asked by the real npx.
      const registry = createServer(() => undefined);
      await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
      const { port } = registry.address() as AddressInfo;
      const isRunning = (): boolean =>
        window()
          .editor.processes()
          .some(({ command }) => command.includes('never-downloaded-mcp'));
      try {
        const before = project();
        await add(`npm_config_registry=http://127.0.0.1:${port} npx -y never-downloaded-mcp`, 'downloading');
        const progress = window().page.locator('.notification-toast', { hasText: 'Connecting downloading' });
        await progress.filter({ hasText: 'Installing' }).waitFor();
        await window().screenshot('add-installing');
        assert.ok(isRunning());
        await progress.locator('.monaco-button', { hasText: 'Cancel' }).click();
        await progress.waitFor({ state: 'detached' });
        await window().until(() => !isRunning());
        await window().treeRow('downloading').waitFor({ state: 'detached' });
        assert.equal(project(), before);
      } finally {
        registry.closeAllConnections();
        registry.close();
      }
    });
  });
}
