import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import type { Catalog } from '../../../../src/catalog/catalog.ts';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import { ToolSearch, type SearchQuery } from '../../../../src/catalog/search/toolSearch.ts';
import { mcpTool } from '../tools.ts';

describe('search', () => {
  let catalog: Catalog;
  let search: ToolSearch;
  beforeEach(() => {
    catalog = openCatalog();
    search = new ToolSearch(catalog);
    catalog.setServer('1', 'github', [
      mcpTool('create_issue', 'Open a new issue in a repository', { title: 'The title of the issue' }),
      mcpTool('list_issues', 'List the issues of a repository'),
      mcpTool('issue', 'Read one'),
      mcpTool('mergePullRequest', 'Merge a pull request'),
    ]);
    catalog.setServer('2', 'notes', [
      mcpTool('delete_note', 'Remove a note for good'),
      mcpTool('发送邮件', '发送一封电子邮件'),
    ]);
  });
  afterEach(() => {
    search.dispose();
    catalog.dispose();
  });

  const namesFor = (query: SearchQuery): string[] => search.search(query).hits.map(({ tool }) => tool.tool.name);

  it('puts an exact name first, then partial names, then the rest', () => {
    equal(namesFor({ query: 'issue' })[0], 'issue');
    deepEqual(namesFor({ query: 'ssue' }).toSorted(), ['create_issue', 'issue', 'list_issues']);
    equal(namesFor({ query: 'create_issue' })[0], 'create_issue');
    equal(namesFor({ query: 'mcp__github__create_issue' })[0], 'create_issue');
    equal(namesFor({ query: 'merge pull request' })[0], 'mergePullRequest');
    equal(namesFor({ query: 'github issue' })[0], 'issue');
    equal(namesFor({ query: 'use create_issue to report a note that was deleted' })[0], 'create_issue');
  });

  it('finds by words, whatever their form', () => {
    equal(namesFor({ query: 'removing notes' })[0], 'delete_note');
    equal(namesFor({ query: '邮件' })[0], '发送邮件');
  });

  it('says how a hit matched and counts what the limit left out', () => {
    const result = search.search({ query: 'issue', limit: 2 });
    equal(result.hits.length, 2);
    equal(result.total, 3);
    equal(result.hits[0]?.match, 'name');
    equal(result.hits[0]?.summary, 'Read one');
  });

  it('keeps to one server', () => {
    deepEqual(namesFor({ query: '', server: 'notes' }), ['delete_note', '发送邮件']);
    deepEqual(namesFor({ query: 'issue', server: 'notes' }), []);
    deepEqual(namesFor({ query: 'issue', server: 'nobody' }), []);
  });

  it('lists everything for an empty query', () => {
    equal(search.search({ query: ' ' }).total, 6);
  });

  it('follows the catalog', () => {
    equal(namesFor({ query: 'weather' }).length, 0);
    catalog.setServer('3', 'sky', [mcpTool('forecast', 'The weather of tomorrow')]);
    deepEqual(namesFor({ query: 'weather' }), ['forecast']);
    catalog.removeServer('3');
    equal(namesFor({ query: 'weather' }).length, 0);
  });

  describe('with a regular expression', () => {
    it('matches names first, then descriptions, in any case', () => {
      deepEqual(namesFor({ query: '^(create|LIST)_', regex: true }), ['create_issue', 'list_issues']);
      deepEqual(namesFor({ query: 'merge|for good', regex: true }), ['mergePullRequest', 'delete_note']);
      deepEqual(namesFor({ query: 'mcp__notes__', regex: true }), ['delete_note', '发送邮件']);
    });

    it('says what is wrong with a pattern that is none', () => {
      throws(
        () => search.search({ query: '(', regex: true }),
        (error) => {
          ok(error instanceof SwitchboardError);
          equal(error.code, 'invalid-arguments');
          ok(error.message.includes('Unterminated group'), error.message);
          return true;
        },
      );
    });

    // Exponential on one name; polynomial, which takes a little of each of many.
    for (const [pattern, count] of [
      ['^(a+)+$', 1],
      ['[a-z]*[a-z]*[a-z]*!!', 5_000],
    ] as const) {
      it(`ends ${pattern} over ${count} tools in 50 ms`, () => {
        const evil = Array.from({ length: count }, (_unused, place) => mcpTool(`${'a'.repeat(60)}-${place}`, 'aword '.repeat(40))); // prettier-ignore
        catalog.setServer('4', 'evil', evil);
        // The best of some, in this thread's own time: the machine may do something else meanwhile.
        const times = Array.from({ length: 5 }, () => {
          const before = process.threadCpuUsage();
          throws(() => search.search({ query: pattern, regex: true }), { code: 'invalid-arguments' });
          const { user, system } = process.threadCpuUsage(before);
          return (user + system) / 1000;
        });
        ok(Math.min(...times) < 55, `${times.map(Math.round).join(', ')} ms`);
      });
    }

    it('has time for a usual pattern over many tools', () => {
      const many = Array.from({ length: 5_000 }, (_unused, place) => mcpTool(`tool_${place}`, 'Reads a file of the project. '.repeat(8))); // prettier-ignore
      catalog.setServer('4', 'many', many);
      // In one of some: the machine may do something else meanwhile.
      const found = Array.from({ length: 5 }, () => {
        try {
          return search.search({ query: '(read|write)s?.*(file|folder)', regex: true }).total;
        } catch (error) {
          return String(error);
        }
      });
      ok(found.includes(5_000), String(found));
    });
  });
});
