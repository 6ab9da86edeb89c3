import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { CatalogTool } from '../../../../src/catalog/catalogTool.ts';
import { entryOf } from '../../catalog/entries.ts';
import { mcpTool } from '../../catalog/tools.ts';
import { RuleSet } from '../../../../src/calls/policy/rules/ruleSet.ts';
import { readRules, type ReadRules, type RuleSource } from '../../../../src/config/rules/permissionRules.ts';

const readPermissionRules = (value: unknown, source: RuleSource): ReadRules =>
  readRules(value, { source, mayAllow: source === 'user' || source === 'enterprise' });

const target = (name: string, serverName: string, toolName: string): CatalogTool => ({
  ...entryOf(mcpTool(toolName), serverName),
  name,
  serverPart: name.split('__')[1] ?? '',
});
const write = target('mcp__files__write_file', 'files', 'write_file');

function match(
  rules: readonly unknown[],
  args: JsonObject = {},
  at = write,
  source: RuleSource = 'user',
): string | undefined {
  return new RuleSet(readPermissionRules(rules, source).rules).match(at, args)?.action;
}

describe('permission rules', () => {
  it('the strictest that fits counts, wherever it stands', () => {
    const of = (source: RuleSource, action: string): unknown[] => [
      ...readPermissionRules([{ tool: 'mcp__files__*', action }], source).rules,
    ];
    const set = (...rules: unknown[][]): string | undefined =>
      new RuleSet(rules.flat() as never).match(write, {})?.action;
    assert.equal(set(of('user', 'allow'), of('workspace', 'deny')), 'deny');
    assert.equal(set(of('enterprise', 'allow'), of('user', 'ask')), 'ask');
    assert.equal(set(of('enterprise', 'deny'), of('user', 'allow')), 'deny');
    const both = [...of('user', 'deny'), ...of('enterprise', 'deny')];
    assert.equal(new RuleSet(both as never).match(write, {})?.source, 'enterprise');
  });

  it('match the callable name and the full configured name', () => {
    const long = target('mcp__my-gi-1a2b__search', 'my-github-server', 'search');
    for (const tool of ['mcp__my-gi-1a2b__*', 'mcp__my-github-server__*', 'mcp__my-github-server__search']) {
      for (const action of ['allow', 'ask', 'deny']) assert.equal(match([{ tool, action }], {}, long), action, tool);
    }
  });

  it('an allow has to name its server', () => {
    for (const tool of ['*', 'mcp__*', 'mcp__*__read', 'mcp__git?__x', 'read_file', 'mcp__files']) {
      const { rules, problems } = readPermissionRules([{ tool, action: 'allow' }], 'user');
      assert.deepEqual(rules, [], tool);
      assert.equal(problems.length, 1);
    }
    assert.equal(match([{ tool: 'write_*', server: 'files', action: 'allow' }]), 'allow');
    assert.equal(match([{ tool: 'write_*', server: 'file*', action: 'allow' }]), undefined);
  });

  it('a workspace and an entry can tighten only', () => {
    for (const source of ['workspace', 'entry'] as const) {
      assert.equal(match([{ tool: 'mcp__files__*', action: 'allow' }], {}, write, source), undefined);
      assert.equal(match([{ tool: '*', action: 'deny' }], {}, write, source), 'deny');
      assert.equal(match([{ tool: 'write_*', action: 'ask' }], {}, write, source), 'ask');
    }
  });

  it('patterns of arguments fit texts, by name and by JSON pointer', () => {
    const rule = (args: object, action = 'allow'): unknown[] => [{ tool: 'mcp__files__*', args, action }];
    assert.equal(match(rule({ path: 'src/**' }), { path: 'src/a/b.ts' }), 'allow');
    assert.equal(match(rule({ path: 'src/*' }), { path: 'src/a/b.ts' }), undefined);
    assert.equal(match(rule({ '/deep/0/path': 'src/**' }), { deep: [{ path: 'src/a' }] }), 'allow');
    assert.equal(match(rule({ path: 'src/**' }), {}), undefined, 'a missing argument fits no allow');
    assert.equal(match(rule({ path: '*' }), { path: 7 }), undefined, 'a number is no text');
    assert.equal(match(rule({ path: 'src/**' }, 'deny'), {}), undefined);
    assert.equal(match(rule({ count: '7' }, 'deny'), { count: 7 }), 'deny');
    assert.equal(match(rule({ toString: '*' }, 'deny'), {}), undefined);
  });

  it('nothing climbs out of what an allow opens, and nothing slips under a deny', () => {
    const allow = [{ tool: 'mcp__files__*', args: { path: 'src/**' }, action: 'allow' }];
    for (const path of [
      'src/../.env',
      'src/..',
      'src\\..\\x',
      'src/%2e%2e/x',
      'src/a/../../x',
      'src/.%2E/x',
      'src%2f..%2fx',
    ])
      assert.equal(match(allow, { path }), undefined, path);
    assert.equal(match(allow, { path: ['src/a', '/etc/passwd'] }), undefined);
    assert.equal(match(allow, { path: ['src/a', 'src/b'] }), 'allow');
    const deny = [{ tool: 'mcp__files__*', args: { path: 'secret/*' }, action: 'deny' }];
    for (const path of ['secret/a', 'secret/a/b', 'x/../secret/a', 'secret\\a', './secret/a'])
      assert.equal(match(deny, { path }), 'deny', path);
    assert.equal(match(deny, { path: ['a', 'secret/b'] }), 'deny');
  });

  it('what makes no sense never loosens anything', () => {
    const { rules, problems } = readPermissionRules(
      [
        'all',
        { tool: 'mcp__a__*' },
        { action: 'deny' },
        { tool: 'mcp__a__*', action: 'allow', args: { path: 1 } },
        { tool: 'mcp__a__*', action: 'deny', args: { path: 1 } },
      ],
      'user',
    );
    assert.equal(problems.length, 5);
    assert.deepEqual(
      rules.map(({ action, args }) => [action, args]),
      [
        // What may be meant to deny.
        ['ask', undefined],
        ['ask', undefined],
        ['deny', undefined],
      ],
    );
  });
});
