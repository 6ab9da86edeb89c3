import { strict as assert } from 'node:assert';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { SCOPES, type Scope, type ServerEntry } from '../../../../src/config/configTypes.ts';
import { fingerprintOf } from '../../../../src/servers/trust/fingerprint.ts';
import { sourceOf } from '../sources.ts';

function read(
  permissions: unknown,
  scope: Scope = 'user',
): { entry: ServerEntry; problems: string[]; fixes: string[] } {
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', permissions } } }, null, 1);
  const { entries, problems } = parseSource(sourceOf({ format: 'mcp', file: '/w/mcp.json', scope }), text);
  return {
    entry: entries[0] ?? assert.fail('the server has to load'),
    problems: problems.map(({ code, severity, range }) => {
      const marked = text.slice(range.offset, range.offset + range.length).replaceAll(/\s+/g, '');
      return `${severity} ${code} ${marked}`;
    }),
    fixes: problems.map(({ fix }) => fix ?? ''),
  };
}

const allow = { rules: [{ tool: 'list_*', action: 'allow', reason: 'harmless' }] };
const deny = { rules: [{ tool: 'delete_*', action: 'deny', args: { path: '*.env' } }] };

describe('config/entryRules: permissions of an entry', () => {
  it('are read from the user’s own files, for that server alone', () => {
    const { entry, problems } = read({ rules: [...allow.rules, ...deny.rules] });
    assert.deepEqual(entry.permissionRules, [
      { tool: 'list_*', action: 'allow', source: 'entry', server: 'a', reason: 'harmless' },
      { tool: 'delete_*', action: 'deny', source: 'entry', args: { path: '*.env' } },
    ]);
    assert.deepEqual(problems, []);
  });

  for (const scope of SCOPES) {
    const own = ['enterprise', 'local', 'user'].includes(scope);
    it(`of the scope ${scope} ${own ? 'may allow' : 'only tighten'}`, () => {
      const { entry, problems } = read({ rules: [...allow.rules, ...deny.rules] }, scope);
      assert.deepEqual(
        entry.permissionRules?.map(({ action }) => action),
        own ? ['allow', 'deny'] : ['deny'],
      );
      assert.deepEqual(problems, own ? [] : ['warning not-tightening "allow"']);
    });
  }

  it('that are wrong are a warning at their place with a fix, and the server loads', () => {
    for (const [permissions, problem] of [
      ['allow', 'warning invalid-rule "allow"'],
      [{ rules: 'x' }, 'warning invalid-rule "x"'],
      [{ allow: ['x'] }, 'warning invalid-rule ["x"]'],
      [{ rules: [1] }, 'warning invalid-rule 1'],
      [{ rules: [{ tool: 'x' }] }, 'warning invalid-rule {"tool":"x"}'],
      [{ rules: [{ tool: 'x', action: 'yes' }] }, 'warning invalid-rule "yes"'],
      [{ rules: [{ action: 'deny' }] }, 'warning invalid-rule {"action":"deny"}'],
      [{ rules: [{ tool: 'x', action: 'ask', server: 'b' }] }, 'warning invalid-rule "b"'],
      [{ rules: [{ tool: 'x', action: 'ask', args: { a: 1 } }] }, 'warning invalid-rule {"a":1}'],
    ] as const) {
      const { problems, fixes } = read(permissions);
      assert.deepEqual(problems, [problem]);
      assert.ok((fixes[0]?.length ?? 0) > 5);
    }
    assert.deepEqual(read(null).problems, []);
  });

  it('that can’t be read never loosen anything', () => {
    const rules = [
      { tool: '*', action: 'allow', server: 'b' },
      { tool: '*', action: 'allow', args: { a: 1 } },
      { tool: '*', action: 'deny', args: { a: 1 } },
      { tool: 'x', action: 'ask', server: 'b' },
    ];
    const actions = read({ rules }).entry.permissionRules?.map(({ action, args, server }) => [action, args, server]);
    assert.deepEqual(actions, [
      ['deny', undefined, undefined],
      ['ask', undefined, undefined],
    ]);
  });

  it('are part of the fingerprint: the user approves what is shown', () => {
    const prints = [undefined, allow, deny].map((permissions) => fingerprintOf(read(permissions).entry));
    assert.equal(new Set(prints).size, 3);
  });
});
