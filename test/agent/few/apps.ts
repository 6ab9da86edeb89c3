import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool, offeredNames } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

export function apps(useWindow: UseSharedWindow): void {
  describe('a server with an app', () => {
    let window: AgentWindow;
    const noted = (): string => readFileSync(join(window.folder, 'noted'), 'utf8');

    useWindow({ 'mcpSwitchboard.toolExposure': 'native' }, (opened) => {
      window = opened;
    });

    it('is told that the editor draws apps, and its page is drawn in the chat and calls its own tool', async () => {
      const request = await window.untilOffered('mcp__apps__show_chart');
      assert.ok(!offeredNames(request).some((name) => name.includes('chart_data')));
      assert.match(
        noted(),
        /^declared .*"io\.modelcontextprotocol\/ui":\{"mimeTypes":\["text\/html;profile=mcp-app"\]/,
      );
      await window.send({ call: { name: 'mcp__apps__show_chart', input: {} } });
      assert.match(await window.result(), /result of show_chart/);
      await window.until(async () => {
        const texts = await Promise.all(window.page.frames().map((frame) => frame.locator('#fetched').allInnerTexts()));
        return texts.flat().includes('result of chart_data');
      });
      await window.screenshot('app-in-chat');
    });

    it('no model is told of a tool for the app alone, or can call it', async () => {
      const list = { call: { name: 'mcp_tool_list', input: { server: 'apps' } } };
      const search = { call: { name: 'mcp_tool_search', input: { query: 'chart data' } } };
      await window.send(list, search, callTool('apps__chart_data'));
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /show_chart/);
      for (const { text } of results.slice(0, 2)) assert.doesNotMatch(text, /chart_data/);
      assert.match(results[2]?.text ?? '', /Unknown tool "mcp__apps__chart_data"/);
    });
  });
}
