import { deepEqual, equal, match, ok } from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../../../../scripts/lib/paths.mjs';
import type { McpTool, ServerInfo } from '../../../../../src/connection/connectionTypes.ts';
import {
  checksByAsking,
  checksOfWhatIsKnown,
  type CheckResult,
} from '../../../../../src/ui/pages/inspector/serverChecks.ts';
import { withServers } from '../../../../support/testHost.ts';

const info: ServerInfo = {
  name: 's',
  version: '1',
  protocolVersion: '2026-07-28',
  era: 'modern',
  capabilities: { tools: {} },
};
const text = { type: 'string', description: 'What to keep, e.g. tea' };
const tool: McpTool = {
  name: 'create_note',
  description: 'Creates a note. Use it where something is to be kept.',
  inputSchema: { type: 'object', properties: { text }, required: ['text'] },
  annotations: { readOnlyHint: false },
};

const outcomes = (results: readonly CheckResult[]): string[] =>
  results.filter(({ outcome }) => outcome !== 'passed').map(({ what, outcome }) => `${outcome}: ${what}`);

describe('inspector: conformance', () => {
  it('finds nothing wrong with a server that is as specified', () => {
    deepEqual(outcomes(checksOfWhatIsKnown(info, [tool], [])), []);
  });

  it('says what is missing, and in which tool', () => {
    const odd = { ...tool, name: 'create note', description: 'a\u202Eb', annotations: {} };
    const results = checksOfWhatIsKnown(
      { ...info, version: '', protocolVersion: '2024-11-05', capabilities: {} },
      [tool, odd],
      ['The tool x has no schema.'],
    );
    equal(outcomes(results).length, results.length);
    match(results.map(({ advice }) => advice).join('\n'), /2024-11-05[^]*no schema[^]*create note/);
  });

  it('asks real servers for what there isn’t, and runs nothing', async function () {
    this.timeout(120_000);
    const everything = path.join(root, 'node_modules/.bin/mcp-server-everything');
    const faulty = path.join(root, 'test/fixtures/servers/legacy.ts');
    const node = process.execPath;
    await withServers(
      { everything: { command: node, args: [everything] }, legacy: { command: node, args: [faulty] } },
      async ({ host }) => {
        for (const { definition } of host.views) {
          const { signal } = new AbortController();
          const session = await host.pool.ready(definition.id, 30_000, signal);
          const results = await checksByAsking(session, session.info, signal);
          ok(results.length >= 2, definition.name);
          const unknown = results.find(({ what }) => what === 'An unknown method is refused');
          equal(unknown?.outcome, 'passed', `${definition.name}: ${unknown?.advice}`);
          ok(!results.some(({ advice }) => advice.startsWith('There was no answer')), JSON.stringify(results));
          for (const { outcome, advice } of results) equal(advice === '', outcome === 'passed');
        }
        equal(host.calls.history.entries.length, 0, 'no tool was called');
      },
    );
  });
});
