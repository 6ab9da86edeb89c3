import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { ODD_TOOLS } from '../fixtures/catalog/odd-schemas.mjs';
import { AgentWindow } from '../support/agentWindow.ts';

const TOOLS_FILE = 'odd-tools.json';
// The editor puts tools of others into groups when there are more than 64 in all, so not all of them at once.
const TURNS = [ODD_TOOLS.slice(0, 15), ODD_TOOLS.slice(15, 30), ODD_TOOLS.slice(30)];

/** Puts a server with odd schemas in the place of one of the demo's. */
function withOddServer(folder: string): void {
  const file = join(folder, '.mcp.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: Record<string, unknown> };
  const tools = join(folder, TOOLS_FILE);
  writeFileSync(tools, JSON.stringify(TURNS[0]));
  delete config.mcpServers['everything'];
  const server = join(root, 'test/fixtures/catalog/list-server.mjs');
  config.mcpServers['odd'] = { command: process.execPath, args: [server, tools] };
  writeFileSync(file, JSON.stringify(config));
}

describe('the agent with tools of odd schemas', () => {
  let window: AgentWindow;

  before(async function () {
    this.timeout(180_000);
    window = await AgentWindow.open({
      prepare: withOddServer,
      settings: { 'mcpSwitchboard.toolExposure': 'search', 'mcpSwitchboard.alwaysLoadTools': ['odd/*'] },
    });
    await window.hostWithSwitchboard();
  });

  after(async () => {
    await window?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot('failed-odd-schemas');
  });

  /** The editor takes a moment to list what is published: asks in turns that do nothing else. */
  async function untilOffered(name: string): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await window.page.waitForTimeout(3_000);
      const ending = `looked for ${name} ${attempt}.`;
      await window.send({ text: ending });
      const { offered } = await window.turnEnded(ending);
      if (offered.some((tool) => tool.name === name)) return;
    }
  }

  for (const [turn, tools] of TURNS.entries())
    it(`gets ${tools.length} of them natively, and its turn succeeds`, async () => {
      writeFileSync(join(window.folder, TOOLS_FILE), JSON.stringify(tools));
      await untilOffered(`mcp__odd__${tools[0]?.name}`);
      const ending = `end of odd turn ${turn}.`;
      const name = tools[0]?.name ?? '';
      await window.send({ call: { name: `mcp__odd__${name}`, input: {} } }, { text: ending });
      const { offered, results } = await window.turnEnded(ending);
      const names = offered.map((tool) => tool.name);
      const missing = tools.map((tool) => `mcp__odd__${tool.name}`).filter((each) => !names.includes(each));
      assert.deepEqual(missing, []);
      assert.ok(results[0]?.text.includes(`"called":"${name}"`), results[0]?.text);
    });
});
