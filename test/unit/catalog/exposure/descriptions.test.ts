import { equal, ok } from 'node:assert/strict';
import { cutAtWord, describe as describeTool, summarise } from '../../../../src/catalog/exposure/descriptions.ts';
import type { CatalogTool } from '../../../../src/catalog/catalogTool.ts';
import { mcpTool } from '../tools.ts';

const entry = (description?: string): CatalogTool => ({
  name: 'mcp__s__t',
  serverId: '1',
  serverName: 's',
  serverPart: 's',
  tool: mcpTool('t', description),
});

describe('summaries', () => {
  const table: readonly (readonly [string, number, string])[] = [
    ['short', 10, 'short'],
    ['exactly10!', 10, 'exactly10!'],
    ['one two three', 9, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['one, two three', 6, 'one…'],
    ['indivisible', 5, 'indi…'],
    ['abc😀def', 5, 'abc…'],
    ['', 5, ''],
  ];
  for (const [text, limit, expected] of table) {
    it(`${JSON.stringify(text)} within ${limit} is ${JSON.stringify(expected)}`, () => {
      equal(cutAtWord(text, limit), expected);
    });
  }

  it('are one line of at most 100 characters', () => {
    const summary = summarise(entry('Does  a\nthing.\n\n' + 'word '.repeat(50)));
    ok(summary.startsWith('Does a thing. word'));
    ok(summary.length <= 100 && summary.endsWith('word…'), summary);
  });

  it('leave descriptions whole up to 2,048 characters', () => {
    equal(describeTool(entry('x '.repeat(1000))).length, 1999);
    const cut = describeTool(entry('word '.repeat(1000)));
    ok(cut.length <= 2048 && cut.endsWith('word…'));
  });

  it('stand in for an absent description', () => {
    equal(summarise(entry()), 'MCP tool t from s');
    equal(describeTool(entry('  ')), 'MCP tool t from s');
  });
});
