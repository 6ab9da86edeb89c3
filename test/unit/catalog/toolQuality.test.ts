import { deepEqual, equal, ok } from 'node:assert/strict';
import { assessTool, reportTools } from '../../../src/catalog/toolQuality.ts';
import type { McpTool } from '../../../src/connection/connectionTypes.ts';
import { entryOf } from './entries.ts';
import { mcpTool } from './tools.ts';

const good: McpTool = {
  ...mcpTool('create_issue', 'Open a new issue in a repository. For example, to report a bug.', { title: 'One line' }),
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string', description: 'One line' } },
    required: ['title'],
  },
};
const codes = (tool: McpTool, siblings: readonly McpTool[] = []): string[] =>
  assessTool(tool, siblings).findings.map(({ code }) => code);

describe('quality of a tool', () => {
  it('is at most 100, bonus included', () => {
    equal(assessTool(good, [good]).score, 100);
    deepEqual(codes(good), ['examples']);
  });

  const table: readonly (readonly [string, Partial<McpTool>, string, number])[] = [
    ['no description', { description: '' }, 'short-description', 60],
    ['a short description', { description: 'Open an issue' }, 'short-description', 60],
    ['a long description', { description: 'word '.repeat(500) }, 'long-description', 90],
    ['an unusual name', { name: 'CreateIssue', description: 'Open a new issue in a repository.' }, 'unusual-name', 95],
    [
      'no parameter descriptions',
      { description: 'Open a new issue in a repository.', inputSchema: { properties: { a: {} }, required: ['a'] } },
      'no-parameter-descriptions',
      80,
    ],
    [
      'required parameters not marked',
      { description: 'Open a new issue in a repository.', inputSchema: { properties: { a: { description: 'x' } } } },
      'required-not-marked',
      90,
    ],
  ];
  for (const [name, change, code, score] of table) {
    it(`with ${name} is ${score} and says how to fix it`, () => {
      const quality = assessTool({ ...good, ...change }, []);
      equal(quality.score, score);
      ok(quality.findings.some((finding) => finding.code === code && finding.advice.length > 20));
    });
  }

  it('is less for a twin in the same server', () => {
    ok(codes(good, [good, { ...good, name: 'open_issue' }]).includes('ambiguous-twin'));
    ok(
      codes(good, [{ ...good, name: 'createIssue', description: 'Something else entirely' }]).includes(
        'ambiguous-twin',
      ),
    );
    // Of three, each has one.
    const alike = ['a_a', 'b_b', 'c_c'].map((name) => ({ ...good, name }));
    ok(alike.every((tool) => codes(tool, alike).includes('ambiguous-twin')));
    ok(!codes(good, [mcpTool('list_issues', 'List all issues of a repository.')]).includes('ambiguous-twin'));
  });

  it('of 2,000 tools of one server is told without comparing each with each', () => {
    const tools = Array.from({ length: 2_000 }, (_, at) => entryOf(mcpTool(`do_${at}`, `Does ${at}. `.repeat(60))));
    const before = process.cpuUsage();
    equal(reportTools(tools, 40).length, 2_000);
    ok(process.cpuUsage(before).user < 5_000_000);
  });

  it('falls below 40, from where a tool is marked, where nearly everything is missing, never below 0', () => {
    const { score } = assessTool(mcpTool('X', '', { a: '' }), []);
    ok(score < 40 && score >= 0, `${score}`);
  });
});
