import { strict as assert } from 'node:assert';
import { AgentWindow, type ModelRequest, type Step } from '../support/agentWindow.ts';

const LIST_NOTES = 'mcp__notes__list_notes';
const find = (query: string): Step => ({ call: { name: 'mcp_tool_search', input: { query } } });

describe('the agent and tools that join its list', () => {
  let window: AgentWindow;
  let turn = 0;
  const ending = (): string => `end of loading turn ${turn}.`;
  /** One turn; the requests that the model was sent in it. */
  const send = async (...steps: Step[]): Promise<readonly ModelRequest[]> => {
    turn += 1;
    const before = window.requests().length;
    await window.send(...steps, { text: ending() });
    await window.turnEnded(ending());
    return window.requests().slice(before);
  };
  const natives = ({ offered }: ModelRequest): string[] =>
    offered.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));

  before(async function () {
    this.timeout(180_000);
    window = await AgentWindow.open({
      settings: { 'mcpSwitchboard.toolExposure': 'search', 'mcpSwitchboard.loadFoundTools': true },
    });
    await window.hostWithSwitchboard();
  });

  after(async () => {
    await window?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot(`failed-loading-${turn}`);
  });

  it('a tool that a search finds is called by its name in the next step of the same turn', async () => {
    // The editor starts what is published with the first message.
    await send();
    await window.page.waitForTimeout(3_000);
    const requests = await send(find('list my notes'), { call: { name: LIST_NOTES, input: {} } });
    assert.deepEqual(
      requests.map((request) => natives(request).includes(LIST_NOTES)),
      [false, true, true],
    );
    assert.match(requests.at(-1)?.results.at(-1)?.text ?? '', /Welcome/);
  });

  it('List Tools copies its report as JSON', async () => {
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.page.keyboard.press('F1');
    await window.page.keyboard.type('MCP Switchboard: List Tools');
    await window.pickRow('List Tools').click();
    await window.pickRow('mcp__').waitFor();
    await window.screenshot('list-tools');
    await window.page.locator('.quick-input-widget [aria-label="Copy as JSON"]').click();
    await window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    const copied = await window.page.evaluate(() =>
      (navigator as unknown as { clipboard: { readText(): Promise<string> } }).clipboard.readText(),
    );
    const report = JSON.parse(copied) as { name: string; server: string; score: number; findings: object[] }[];
    assert.equal(report.filter(({ server }) => server === 'notes').length, 4);
    assert.ok(report.length > 40);
    for (const { name, server, score, findings } of report)
      assert.ok(name.startsWith('mcp__') && server && score >= 0 && score <= 100 && Array.isArray(findings), name);
  });

  it('what is picked in Search Tools joins, too, and is shown in the tree', async () => {
    await window.page.keyboard.press('F1');
    await window.page.keyboard.type('MCP Switchboard: Search Tools');
    await window.pickRow('Search Tools').click();
    await window.page.getByPlaceholder('Search the tools').fill('add numbers');
    await window.pickRow('everything').waitFor();
    await window.screenshot('search-tools');
    await window.pickRow('Get Sum Tool').click();
    await window.page.locator('.statusbar', { hasText: 'mcp__everything__get-sum in its own list' }).waitFor();
    await window.screenshot('search-tools-loaded');
    await window.page.waitForTimeout(3_000);
    const [request] = await send();
    assert.ok(request && natives(request).includes('mcp__everything__get-sum'));
  });
});
