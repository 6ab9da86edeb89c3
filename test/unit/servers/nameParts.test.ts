import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { assert, property, string } from 'fast-check';
import { freePart, isPart, readableParts } from '../../../src/servers/nameParts.ts';

/** The configured name of a server, and its part of callable names where no other has it. */
const READABLE: Readonly<Record<string, string>> = {
  github: 'github',
  GitHub: 'github',
  'github-mcp': 'github',
  'mcp-github': 'github',
  'github-mcp-server': 'github',
  'mcp-server-github': 'github',
  'GitHub MCP Server': 'github',
  GitHubMCPServer: 'github',
  'playwright-mcp': 'playwright',
  '@playwright/mcp': 'playwright',
  '@modelcontextprotocol/server-filesystem': 'filesystem',
  'io.github.github/github-mcp-server': 'github',
  mcp_server_time: 'time',
  'sequential-thinking': 'sequential',
  'chrome-devtools-mcp': 'chrome',
  'GitHub Enterprise': 'github',
  OpenAIAssistants: 'openai',
  'a-elasticsearch': 'a-elasticse',
  elasticsearch: 'elasticsear',
  'my notes': 'my_notes',
  'a.b': 'a_b',
  a__b: 'a_b',
  _a_: 'a',
  'my-tools': 'my-tools',
  context7: 'context7',
  Café: 'cafe',
  ｇｉｔｈｕｂ: 'github',
  mcp: 'mcp',
  server: 'server',
  'mcp-server': 'mcp-server',
  'mcp-server-mcp': 'mcp-server',
  '🚀 deploy': 'deploy',
  ['word '.repeat(40)]: 'word_word',
  ['x'.repeat(200)]: 'x'.repeat(11),
};

describe('server parts of callable names', () => {
  for (const [name, part] of Object.entries(READABLE)) {
    it(`make ${part} of ${JSON.stringify(name.slice(0, 40))}`, () => {
      equal(freePart('id', [name], new Set()), part);
    });
  }

  for (const name of [
    'githubа',
    'gіthub',
    'git\u200bhub',
    'github\ufe0f',
    'github\u{e0041}',
    '数据库',
    '',
    '__',
    '/',
  ]) {
    it(`have a hash where letters would be lost or nothing is left: ${JSON.stringify(name)}`, () => {
      deepEqual(readableParts(name), []);
      match(freePart('id', [name], new Set()), /^[a-z]\w*-[a-z0-9]{4}$/);
    });
  }

  it('keep an affix before they take a hash', () => {
    equal(freePart('id', ['github-mcp'], new Set(['github'])), 'github-mcp');
    match(freePart('id', ['github-mcp'], new Set(['github', 'github-mcp'])), /^github-[a-z0-9]{4}$/);
    match(freePart('id', ['github-mcp-server'], new Set(['github'])), /^github-[a-z0-9]{4}$/);
  });

  it('take more of the name, cut within a word, before they take a hash', () => {
    equal(freePart('id', ['GitHub Enterprise'], new Set(['github'])), 'github_ente');
    equal(freePart('id', ['textProgress'], new Set(['text'])), 'textprogres');
    equal(freePart('id', ['chrome-devtools-mcp'], new Set(['chrome'])), 'chrome-devt');
    match(freePart('id', ['chrome-devtools'], new Set(['chrome', 'chrome-devt'])), /^chrome-[a-z0-9]{4}$/);
  });

  it('take the name that is shown, with the folder, before they take a hash', () => {
    equal(freePart('id', ['notes', 'notes (app)'], new Set(['notes'])), 'notes_app');
  });

  it('are free, short, and made of what every provider takes, for any name', () => {
    const taken = new Set<string>();
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), (name) => {
        const part = freePart(`id of ${name}`, [name], taken);
        ok(isPart(part), JSON.stringify([name, part]));
        ok(!taken.has(part));
        taken.add(part);
      }),
      { numRuns: 2_000 },
    );
  });
});
