import assert from 'node:assert/strict';
import { ActivePreset } from '../../../../src/catalog/presets/activePreset.ts';
import { entriesOf } from '../../../../src/catalog/presets/enabledEntries.ts';
import { canHave, readPresets } from '../../../../src/catalog/presets/readPresets.ts';
import type { NamedServer } from '../../../../src/catalog/names/serverNames.ts';

const named = (configuredName: string, part = configuredName, name = configuredName): NamedServer => ({
  configuredName,
  name,
  part,
});
/** What is written for the first of these servers, where it alone is enabled. */
const written = (server: NamedServer, ...others: NamedServer[]): readonly string[] =>
  entriesOf([{ server, tools: 'all' }], [server, ...others]);

describe('what is enabled now, as entries of a preset', () => {
  it('names servers as they are configured, and the tools that the active preset has', () => {
    const [docs, mail] = [named('docs'), named('GitHub MCP', 'github')];
    const enabled = [
      { server: docs, tools: 'all' },
      { server: mail, tools: ['get_*', 'search'] },
    ] as const;
    assert.deepEqual(entriesOf(enabled, [docs, mail]), ['docs', 'GitHub MCP/get_*', 'GitHub MCP/search']);
  });

  it('means no other server, and no tool of one', () => {
    const cases: readonly (readonly [NamedServer, NamedServer, string])[] = [
      [named('a*', 'a-1f3c'), named('ab'), 'a-1f3c'],
      [named('a?', 'a-1f3c'), named('ab'), 'a-1f3c'],
      [named('a/b', 'b'), named('a'), 'b'],
      [named('a__b', 'a-b'), named('a'), 'a-b'],
      [named('mcp__x', 'x'), named('mcp'), 'x'],
      [named('notes', 'notes', 'notes (one)'), named('notes', 'notes-2', 'notes (two)'), 'notes (one)'],
      // Another server is configured by what callable names call this one.
      [named('a*', 'a'), named('a', 'a-2'), 'a_'],
    ];
    for (const [server, other, entry] of cases) {
      assert.deepEqual(written(server, other), [entry]);
      const preset = new ActivePreset({ name: 'New', entries: [entry], last: [entry] }, []);
      assert.deepEqual([preset.toolsOf(server), preset.toolsOf(other)], ['all', []], entry);
    }
  });

  it('is written only where all of it is read', () => {
    const many = Array.from({ length: 2_000 }, (_each, at) => `server-${at}`);
    const read = readPresets({ user: { Many: { tools: many } }, workspace: undefined });
    assert.deepEqual(read[0]?.entries, many);
    assert.ok(canHave(many));
    assert.ok(!canHave([...many, 'one-more']));
    assert.ok(!canHave(['x'.repeat(301)]));
  });
});
