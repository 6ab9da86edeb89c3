import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { giveFile } from '../../support/fileDialog.ts';
import type { McpRegistry } from '../../support/mcpRegistry.ts';
import { openWeatherRegistry, publishWeather, weatherBundle } from '../../support/weatherRegistry.ts';

/** Adding servers by each way, as a user does. @param of the window that the suite shares */
export function adding(of: () => AgentWindow): void {
  describe('adding servers:', () => {
    let registry: McpRegistry;
    const window = (): AgentWindow => of();
    const path = (file: string): string => join(window().folder, file);
    const project = (): string => readFileSync(path('.mcp.json'), 'utf8');
    const widget = (text: string) => window().page.locator('.quick-input-widget', { hasText: text }).first();
    const shown = (text: string): Promise<void> => widget(text).waitFor();
    const answer = async (question: string, text: string): Promise<void> => {
      await shown(question);
      await window().fillBox(text);
      await window().pressInBox('Enter');
    };
    const back = async (): Promise<void> => {
      await window().page.locator('.quick-input-titlebar .codicon-quick-input-back').first().click();
    };
    const bundlesFolder = (): string => {
      const storage = join(window().editor.dataDir, 'data', 'User', 'globalStorage');
      const own = readdirSync(storage).find((name) => name.includes('mcp-switchboard.mcp-switchboard')) ?? '';
      return join(storage, own, 'bundles');
    };

    before(async function () {
      this.timeout(450_000);
      registry = await openWeatherRegistry();
      await window().changeSettings({ 'mcpSwitchboard.registry.url': registry.url });
      await window().page.setViewportSize({ width: 1100, height: 700 });
    });

    after(async () => {
      registry.close();
      await window().page.setViewportSize({ width: 1500, height: 950 });
    });

    it('offers its ways, and goes back from each', async () => {
      await window().runCommand('MCP Switchboard: Add Server…');
      for (const way of [
        'Command or URL…',
        'Browse MCP Registry…',
        'npm Package…',
        'PyPI Package…',
        'Docker Image…',
        'Bundle…',
        'Other Clients’ Servers…',
      ])
        await window().pickRow(way).waitFor();
      await window().screenshot('add-ways');
      for (const [way, text] of [
        ['Command or URL…', 'or a command that adds a server to another client'],
        ['npm Package…', 'npm package, with arguments'],
        ['PyPI Package…', 'PyPI package'],
        ['Docker Image…', 'Docker image'],
      ] as const) {
        await window().pickRow(way).click();
        await shown(text);
        await back();
        await window().pickRow(way).waitFor();
      }
      await window().page.keyboard.press('Escape');
    });

    it('a package: name, scope with who sees it, what is written; back at every step', async () => {
      await window().runCommand('MCP Switchboard: Add Server…');
      await window().pickRow('npm Package…').click();
      await answer('npm package, with', '@acme/notes-mcp --key <YOUR_KEY>');
      await answer('Server name', 'packaged');
      await window().page.getByPlaceholder('Where to save?').waitFor();
      await shown('Everyone on the project');
      await shown('Only you, in this folder, on this machine');
      await window().screenshot('add-scope');
      await window().pickRow('Project').click();
      await window().pickRow('Connect and Save').waitFor();
      await back();
      await window().page.getByPlaceholder('Where to save?').waitFor();
      await back();
      await shown('Server name');
      await back();
      await shown('npm package, with');
      assert.equal(await window().box.inputValue(), '@acme/notes-mcp --key <YOUR_KEY>');
      await window().pressInBox('Enter');
      await answer('Server name', 'packaged');
      await window().pickRow('Project').click();
      await window().pickRow('Save Without Connecting').click();
      await window().until(() => project().includes('packaged-key"'));
      assert.match(
        project(),
        /"packaged": \{\s+"command": "npx",\s+"args": \[\s+"-y",\s+"@acme\/notes-mcp",\s+"--key",\s+"\$\{input:/,
      );
    });

    it('the registry: searched as one types, page by page, its texts shown as they are', async () => {
      await window().runCommand('MCP Switchboard: Browse MCP Registry…');
      await window().pickRow('Acme Weather').waitFor();
      await shown('acme.com · 1.0.0');
      await shown('deprecated');
      // A stranger's text does nothing: neither an icon nor a command.
      assert.equal(await window().page.locator('.quick-input-list .codicon-trash').count(), 0);
      assert.equal(await window().page.locator('.quick-input-list a[href]').count(), 0);
      await shown('\\u{202e}reversed');
      assert.equal(await window().pickRow('Gone').count(), 0);
      await window().screenshot('registry');
      await window().pressInBox('End');
      await window().fillBox('many/server-1');
      await window().pickRow('server-10').waitFor();
      await window().pickRow('Acme Weather').waitFor({ state: 'detached' });
      assert.ok(registry.requests.some((request) => request.includes('search=many%2Fserver-1')));
      registry.fault = 'error';
      await window().fillBox('weather');
      await window().pickRow('HTTP 500').waitFor();
      await window().screenshot('registry-failed');
      registry.fault = undefined;
      await window().page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Try Again' }).waitFor();
      await window().pressInBox('Enter');
      await window().pickRow('Acme Weather').waitFor();
      await window().page.keyboard.press('Escape');
    });

    it('the registry: a server with its inputs, saved as its server.json says, and marked as added', async () => {
      await window().runCommand('MCP Switchboard: Browse MCP Registry…');
      await window().pickRow('Acme Weather').click();
      await shown('Publisher: acme.com');
      await shown('Runs: npx -y @acme/weather@1.0.0');
      await window().screenshot('registry-server');
      await window().pickRow('Other Versions…').click();
      await window().page.getByPlaceholder('Select a version').waitFor();
      await window().pickRow('1.0.0').click();
      await window().page.getByPlaceholder('Select what to add').waitFor();
      await window().pickRow('Add npm Package').click();
      await shown('Key of your account');
      await window().page.locator('.quick-input-widget input[type="password"]').waitFor();
      await window().pressInBox('Enter');
      await shown('A value is required.');
      await window().fillBox('k3y-of-mine');
      await window().pressInBox('Enter');
      await window().pickRow('metric').waitFor();
      await window().pickRow('imperial').click();
      await shown('City to start with');
      await back();
      await window().pickRow('imperial').click();
      await answer('City to start with', 'Bern');
      await window().pickRow('Project').click();
      await window().pickRow('Save Without Connecting').click();
      await window().until(() => project().includes('"com.acme/weather"'));
      const text = project();
      assert.match(text, /"-y",\s+"@acme\/weather@1\.0\.0",\s+"--units",\s+"imperial",\s+"Bern"/);
      assert.match(text, /"WEATHER_KEY": "\$\{input:weather-key\}"/);
      assert.match(text, /"registry": \{\s+"name": "com\.acme\/weather",\s+"version": "1\.0\.0"/);
      assert.ok(!text.includes('k3y-of-mine'));
      await window().treeRow('weather').waitFor();
      await window().runCommand('MCP Switchboard: Browse MCP Registry…');
      await shown('✓ added');
      await window().page.keyboard.press('Escape');
    });

    it('an update is shown as a difference before it is written', async () => {
      publishWeather(registry, '2.0.0');
      const before = project();
      await window().runCommand('MCP Switchboard: Check for Server Updates…');
      await shown('Update “weather” from 1.0.0 to 2.0.0?');
      await window().page.locator('.monaco-diff-editor').first().waitFor();
      await window().screenshot('registry-update');
      assert.equal(project(), before);
      await window().pickRow('Don’t Update').click();
      await window().runCommand('MCP Switchboard: Check for Server Updates…');
      await shown('Update “weather”');
      assert.equal(project(), before);
      await window()
        .page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Update' })
        .filter({ hasNotText: 'Don’t' })
        .first()
        .click();
      await window().until(() => project().includes('@acme/weather@2.0.0'));
      assert.equal(project(), before.replaceAll('1.0.0', '2.0.0'));
      await window().answerNotification('Undo');
      await window().until(() => project() === before);
    });

    it('a bundle of the registry is fetched, set up, tried and saved; cancelling leaves nothing of it', async () => {
      const add = async (): Promise<void> => {
        await window().runCommand('MCP Switchboard: Browse MCP Registry…');
        await window().pickRow('Packed Weather').click();
        await window().pickRow('Add mcpb Package').click();
        await window().pickRow('Add').waitFor();
        await shown('Author, as it says: Acme');
        await window().screenshot('bundle');
        await window().pickRow('Add').click();
        await answer('City', 'Bern');
      };
      await add();
      await answer('kept in the secret storage', 's3cret-key');
      await window().page.getByPlaceholder('Where to save?').waitFor();
      assert.equal(await window().pickRow('Everyone on the project').count(), 0);
      assert.equal(readdirSync(bundlesFolder()).filter((name) => !name.endsWith('.mcpb')).length, 1);
      await window().page.keyboard.press('Escape');
      await window().until(() => readdirSync(bundlesFolder()).length === 0);
      await add();
      await answer('kept in the secret storage', 's3cret-key');
      await window().pickRow('Local').click();
      await window().pickRow('Connect and Save').click();
      await window().treeRow('weather-bundle', '1 tool').waitFor();
      const [folder = ''] = readdirSync(bundlesFolder());
      assert.ok(existsSync(join(bundlesFolder(), folder, 'server', 'index.js')));
      await window().screenshot('bundle-added');
    });

    it('a local bundle', async () => {
      const file = path('weather.mcpb');
      writeFileSync(file, weatherBundle());
      await window().runCommand('MCP Switchboard: Add Server…');
      await window().pickRow('Bundle…').click();
      await giveFile(window(), 'Select a Bundle', file);
      await shown('Author, as it says: Acme');
      await back();
      await window().pickRow('Bundle…').waitFor();
      await window().page.keyboard.press('Escape');
    });

    it('a link shows all that would run, with Cancel first, and saves nothing by itself', async () => {
      const before = project();
      const server = {
        name: 'linked\u202E',
        command: 'npx',
        args: ['-y', 'linked-mcp', '$(trash)'],
        env: { TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' },
      };
      const config = Buffer.from(JSON.stringify(server)).toString('base64url');
      writeFileSync(path('link.md'), `[Add](code-oss://mcp-switchboard.mcp-switchboard/add?config=${config})\n`);
      await window().page.keyboard.press('Control+P');
      await window().fillBox('link.md');
      await window().pickRow('link.md').waitFor();
      await window().pressInBox('Enter');
      await window().page.locator('.view-lines', { hasText: 'code-oss:' }).first().click();
      for (const key of ['Control+Home', 'End', 'ArrowLeft', 'ArrowLeft']) await window().page.keyboard.press(key);
      const allow = window().dialogButton('Open');
      // The editor finds links in its own time.
      await window().runAndAnswer('Open Link', (timeout) =>
        allow.or(widget('A Link Wants to Add')).first().waitFor({ timeout }),
      );
      if (await allow.isVisible()) await allow.click();
      await shown('A Link Wants to Add an MCP Server');
      await shown('linked\\u{202e}');
      await shown('linked-mcp');
      const [first] = await window().page.locator('.quick-input-widget .monaco-list-row.focused').allInnerTexts();
      assert.match(first ?? '', /Cancel/);
      await window().screenshot('add-link');
      await window().pressInBox('Enter');
      await widget('A Link Wants to Add').waitFor({ state: 'hidden' });
      assert.equal(project(), before);
      assert.equal(
        window()
          .editor.processes()
          .some(({ command }) => command.includes('linked-mcp')),
        false,
      );
    });

    it('copies to another scope, and exports without secrets', async () => {
      await window().runCommand('MCP Switchboard: Copy to Scope…');
      await window().page.getByPlaceholder('Select a server to copy').waitFor();
      await window().pickRow('packaged').click();
      await window().page.getByPlaceholder('Where to save?').waitFor();
      await window().screenshot('copy-to-scope');
      await window().pickRow('Workspace').click();
      await window().dialogButton('Copy').click();
      await window().until(() => readFileSync(path('.vscode/mcp.json'), 'utf8').includes('"packaged"'));
      await window().runCommand('MCP Switchboard: Export Servers…');
      await shown('Export MCP Servers: Select Servers');
      await window().pickRow('weather').click();
      await window().pressInBox('Enter');
      await window().pickRow('Codex').click();
      await window().page.locator('.view-lines', { hasText: 'mcp_servers' }).first().waitFor();
      await window().screenshot('export-codex');
    });
  });
}
