import assert from 'node:assert/strict';
import { readFileHooks } from '../../../../src/calls/hooks/fileHooks.ts';
import { hasHooks } from '../../../../src/calls/hooks/hookSettings.ts';
import type { ConfigSource, SourceResult } from '../../../../src/config/configTypes.ts';

const hook = (command: string, more: object = {}): object => ({ type: 'command', command, ...more });
const result = (scope: 'user' | 'workspace', hooks: object | undefined, folder?: string): SourceResult => {
  const place = folder === undefined ? {} : { folder: { name: folder, path: folder } };
  const source: ConfigSource = { id: `${scope}${folder}`, scope, format: 'settings', label: 'f', ...place };
  return {
    source,
    status: 'ok',
    entries: [],
    problems: [],
    stale: false,
    ...(hooks ? { hooks } : {}),
  } as unknown as SourceResult;
};
const before = (...hooks: object[]): object => ({ PreToolUse: [{ matcher: 'mcp__.*', hooks }], PostToolUse: [] });

describe('hooks of Claude Code’s settings files', () => {
  it('are the user’s, which may allow, and the first folder’s, which may not', () => {
    const results = [
      result('user', before(hook('mine'))),
      result('workspace', before(hook('first')), '/first'),
      result('workspace', before(hook('second')), '/second'),
      result('workspace', undefined, '/first'),
    ];
    const { PreToolUse } = readFileHooks(results, '/first');
    assert.deepEqual(
      PreToolUse.map(({ source, hooks }) => [source, hooks[0]?.command]),
      [
        ['user', 'mine'],
        ['workspace', 'first'],
      ],
    );
    assert.deepEqual(readFileHooks(results, undefined).PreToolUse.length, 1);
    assert.ok(!hasHooks(readFileHooks([], '/first')));
  });

  it('with conditions or options of their own aren’t run: the tools that they are for ask', () => {
    for (const more of [
      { if: 'mcp__a__b' },
      { async: true },
      { args: ['x'] },
      { shell: 'powershell' },
      { type: 'http' },
    ]) {
      const [group] = readFileHooks([result('user', before(hook('x', more)))], undefined).PreToolUse;
      assert.deepEqual([group?.hooks.length, group?.isPartial], [0, true], JSON.stringify(more));
    }
  });
});
