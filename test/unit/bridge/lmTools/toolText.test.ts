import { strict as assert } from 'node:assert';
import { ageText, listText, overviewText, searchText } from '../../../../src/bridge/lmTools/toolText.ts';
import type { SearchHit } from '../../../../src/catalog/search/toolSearch.ts';
import { reportTools } from '../../../../src/catalog/toolQuality.ts';
import { entryOf } from '../../catalog/entries.ts';
import { mcpTool } from '../../catalog/tools.ts';

const LONG = `Reads a file. ${'More about it. '.repeat(20)}`;
const tools = ['a', 'b', 'c'].map((name) => entryOf({ ...mcpTool(name), description: LONG }, 'files'));
const hits = tools.map((tool): SearchHit => ({ tool, summary: '', match: 'words' }));
const X = { serverName: 'x', state: 'Failed: it exited', brief: 'failed', remedy: 'Connect it.' };
const settings = { maxToolsPerSearch: 2, summaryDescriptionLimit: 40, now: 600_000 };

describe('what the search tools answer the model', () => {
  it('name, server, effect and a line of each; schema and description of the best', () => {
    const answer = JSON.parse(searchText(hits, 9, [X], settings)) as {
      tools: Record<string, string>[];
      more: string;
      notReady: object[];
    };
    assert.deepEqual(
      answer.tools.map((tool) => 'inputSchema' in tool && 'description' in tool),
      [true, true, false],
    );
    for (const { name, server, effect, summary } of answer.tools) {
      assert.match(`${name} ${server} ${effect}`, /^mcp__files__[abc] files (?:read-only|writes|destructive)$/);
      assert.ok((summary ?? '').length <= 40 && summary?.endsWith('…'));
    }
    assert.match(answer.more, /^6 more/);
    assert.deepEqual(answer.notReady, [{ serverName: 'x', state: 'Failed: it exited', remedy: 'Connect it.' }]);
  });

  it('names resources, templates and prompts beside them, where there are some', () => {
    const own = { serverId: 's', serverName: 's', summary: 'sum' };
    const text = searchText(hits, 3, [], settings, [
      { ...own, kind: 'resource', resource: { uri: 'a://b', name: 'b' } },
      { ...own, kind: 'template', template: { uriTemplate: 'a://{b}', name: 'b' } },
      { ...own, kind: 'prompt', prompt: { name: 'p' } },
    ]);
    const said = { server: 's', summary: 'sum' };
    assert.deepEqual((JSON.parse(text) as { resourcesAndPrompts: object[] }).resourcesAndPrompts, [
      { resource: 'a://b', ...said },
      { template: 'a://{b}', ...said },
      { prompt: 'p', ...said },
    ]);
    assert.ok(!searchText(hits, 3, [], settings).includes('mcp_read_resource'));
  });

  it('gives the age of cached tools', () => {
    const [tool] = tools;
    assert.ok(tool);
    const hit: SearchHit = { tool: { ...tool, cachedAt: 0 }, summary: '', match: 'words' };
    assert.match(searchText([hit], 1, [], settings), /"cached":"listed 10 min ago; the server connects on a call/);
    assert.match(listText([hit.tool], undefined, [], settings), /"cached":"listed 10 min ago/);
    assert.match(overviewText([], [hit], 1, [], settings), /^Cached: files \(listed 10 min ago;/m);
    assert.match(ageText(5 * 3_600_000), /^listed 5 hours ago/);
    assert.match(ageText(72 * 3_600_000), /^listed 3 days ago/);
  });

  it('to an empty query a line for each server and tool', () => {
    const servers = [{ serverName: 'files', tools, instructions: 'Files of the project.' }];
    const lines = overviewText(servers, hits, 5, [X], settings).split('\n');
    assert.equal(lines[1], '- files (3 tools): Files of the project.');
    assert.equal(lines.filter((line) => line.startsWith('- mcp__files__')).length, 3);
    assert.deepEqual(lines.slice(-2), [
      'and 2 more: search by words, or give a server',
      'Not ready: x (Failed: it exited). Connect it.',
    ]);
  });

  it('a list, page by page', () => {
    const many = Array.from({ length: 60 }, (_unused, index) => entryOf(mcpTool(`t${index}`)));
    const first = JSON.parse(listText(many, undefined, [], settings)) as { tools: object[]; nextCursor?: string };
    const second = JSON.parse(listText(many, first.nextCursor, [], settings)) as typeof first;
    assert.deepEqual([first.tools.length, second.tools.length, second.nextCursor], [50, 10, undefined]);
    assert.throws(() => listText(many, 'x', [], settings), /Unknown cursor/);
  });

  it('are of a bounded length, however long the schemas', () => {
    const properties = (count: number, text: string): object =>
      Object.fromEntries(Array.from({ length: count }, (_unused, at) => [`p${at}`, { description: text }]));
    const long = ['a', 'b', 'c'].map((name): SearchHit => {
      const inputSchema = { type: 'object', properties: properties(2_000, 'word '.repeat(100)) } as never;
      return { tool: entryOf({ ...mcpTool(name), inputSchema }), summary: '', match: 'words' };
    });
    const text = searchText(long, 3, [], { ...settings, maxToolsPerSearch: 3 });
    assert.ok(text.length < 110_000, `${text.length}`);
    const answer = JSON.parse(text) as { tools: { inputSchema?: object; more?: string }[] };
    assert.deepEqual(
      answer.tools.map(({ inputSchema, more }) => [inputSchema !== undefined, more?.slice(0, 10)]),
      [
        [true, undefined],
        [false, 'The schema'],
        [false, 'The schema'],
      ],
    );
  });

  it('the report has the lowest quality first', () => {
    const report = reportTools([...tools, entryOf({ ...mcpTool('X'), description: '' })], 101);
    assert.equal(report[0]?.name, 'mcp__s__X');
    assert.ok(report.every(({ isMarked }) => isMarked));
  });
});
