import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import { Grants, type GrantKey } from '../../../../src/calls/policy/permissionGrants.ts';
import { ANNOTATION_TRUST, APPROVAL_MODES } from '../../../../src/calls/callSettings.ts';
import { decideByPolicy, type PolicyInput } from '../../../../src/calls/policy/callPolicy.ts';
import { entryOf } from '../../catalog/entries.ts';
import { mcpTool } from '../../catalog/tools.ts';
import { RuleSet } from '../../../../src/calls/policy/rules/ruleSet.ts';
import {
  readRules,
  RULE_ACTIONS,
  RULE_SOURCES,
  type PermissionRule,
  type ReadRules,
  type RuleSource,
} from '../../../../src/config/rules/permissionRules.ts';

const readPermissionRules = (value: unknown, source: RuleSource): ReadRules =>
  readRules(value, { source, mayAllow: source === 'user' || source === 'enterprise' });
const SERVERS = ['files', 'git', 'files__x', 'fi'];
const TOOLS = ['read', 'write', 'x__read', 'delete_all'];
const maybe = fc.option(fc.boolean(), { nil: undefined });
const word = fc.constantFrom('mcp__', 'files', 'git', '__', '*', '?', 'read', 'write', 'x', 'delete_');
const glob = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(''));
const path = fc
  .array(fc.constantFrom('src', '..', 'a', '/', '\\', '*', '**', 'secret'), { maxLength: 6 })
  .map((parts) => parts.join(''));
const args = fc.record({ path, count: fc.integer() }, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const rule = fc
  .record(
    {
      tool: glob,
      action: fc.constantFrom(...RULE_ACTIONS),
      server: fc.constantFrom('files', 'git', 'f*'),
      args: fc.record({ path }),
    },
    { requiredKeys: ['tool', 'action'] },
  )
  .chain((value) => fc.constantFrom(...RULE_SOURCES).map((source) => readPermissionRules([value], source).rules));
const rules = fc.array(rule, { maxLength: 8 }).map((lists) => lists.flat());
const target = fc
  .record({ server: fc.constantFrom(...SERVERS), tool: fc.constantFrom(...TOOLS) })
  .map(({ server, tool }) => {
    const part = server.replace('__', '-');
    return { ...entryOf(mcpTool(tool), server), name: `mcp__${part}__${tool}`, serverPart: part };
  });
const input: fc.Arbitrary<Omit<PolicyInput, 'rule'>> = fc.record({
  annotations: fc
    .record({ readOnlyHint: maybe, destructiveHint: maybe, openWorldHint: maybe })
    .map((hints) => Object.fromEntries(Object.entries(hints).filter(([, value]) => value !== undefined))),
  trust: fc.constantFrom(...ANNOTATION_TRUST),
  mode: fc.constantFrom(...APPROVAL_MODES),
  writePattern: fc.constantFrom(undefined, 'mcp_*_delete_*'),
  granted: fc.boolean(),
  openWorldGranted: fc.boolean(),
});
const STRICTNESS = { allow: 0, ask: 1, deny: 2 };

type Target = Parameters<RuleSet['match']>[0];
const decided = (
  list: readonly PermissionRule[],
  at: Target,
  given: JsonObject,
  rest: Omit<PolicyInput, 'rule'>,
): number => STRICTNESS[decideByPolicy({ ...rest, rule: new RuleSet(list).match(at, given) }).action];

describe('policy: what holds for every call', () => {
  it('adding a deny or an ask never makes an answer milder', () => {
    fc.assert(
      fc.property(
        rules,
        glob,
        fc.constantFrom('deny', 'ask'),
        fc.constantFrom(...RULE_SOURCES),
        target,
        args,
        input,
        (list, tool, action, source, at, given, rest) => {
          const more = [...list, ...readPermissionRules([{ tool, action }], source).rules];
          assert.ok(decided(more, at, given, rest) >= decided(list, at, given, rest));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('what a workspace or an entry says never makes an answer milder', () => {
    fc.assert(
      fc.property(
        rules,
        fc.array(fc.record({ tool: glob, action: fc.constantFrom(...RULE_ACTIONS) }), { maxLength: 4 }),
        target,
        args,
        input,
        (list, shipped, at, given, rest) => {
          for (const source of ['workspace', 'entry'] as const) {
            const more = [...list, ...readPermissionRules(shipped, source).rules];
            assert.ok(decided(more, at, given, rest) >= decided(list, at, given, rest));
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('a tool that changed is never decided about more mildly, and runs only where it was granted as it is now', () => {
    fc.assert(
      fc.property(rules, target, args, input, (list, at, given, rest) => {
        const changed = decided(list, at, given, { ...rest, changed: true });
        assert.ok(changed >= decided(list, at, given, rest));
        assert.ok(changed > 0 || rest.granted);
      }),
      { numRuns: 1_000 },
    );
  });

  it('an allow for one server never opens another', () => {
    fc.assert(
      fc.property(glob, target, args, (tool, at, given) => {
        const { rules: list } = readPermissionRules([{ tool, action: 'allow' }], 'user');
        const named = new RuleSet(list).match(at, given);
        if (!named) return;
        const { serverPart: part } = at;
        assert.ok(named.tool.startsWith(`mcp__${part}__`) || named.tool.startsWith(`mcp__${at.serverName}__`));
        assert.ok(!at.serverName.includes('__') || named.tool.startsWith(`mcp__${part}__`));
      }),
      { numRuns: 2_000 },
    );
  });

  it('taking a grant back never allows more', async () => {
    const key = fc.record({
      serverId: fc.constantFrom('a', 'b'),
      fingerprint: fc.constantFrom('1', '2'),
      pin: fc.constantFrom('p', 'q'),
      tool: fc.constantFrom('x', 'y'),
    }) as fc.Arbitrary<GrantKey>;
    const given = fc.record({ key, args: fc.option(args, { nil: undefined }), session: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { maxLength: 8 }),
        fc.nat(),
        key,
        args,
        async (list, which, asked, askedArgs) => {
          const grants = new Grants(new MemoryStore());
          for (const { key: one, args: bound, session } of list) {
            const request = { key: one, serverName: 's', at: 0, ...(bound ? { args: bound } : {}) };
            if (session) grants.grantForSession(request);
            else await grants.grantAlways(request);
          }
          const before = grants.has(asked, askedArgs);
          const { all } = grants;
          await grants.revoke(all[which % Math.max(1, all.length)]?.id ?? '');
          assert.ok(before || !grants.has(asked, askedArgs));
          for (const grant of grants.all) await grants.revoke(grant.id);
          assert.equal(grants.has(asked, askedArgs), false);
        },
      ),
      { numRuns: 300 },
    );
  });
});
