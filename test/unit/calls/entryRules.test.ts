import { strict as assert } from 'node:assert';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../src/calls/callSettings.ts';
import { withCountingHost } from './countingHost.ts';

const rules = [
  { tool: 'destroy', action: 'allow' },
  { tool: 'read', action: 'deny', reason: 'not here' },
  { tool: 'mcp__counting__write', action: 'ask' },
];
const more = { permissions: { rules } };

describe('rules of an entry', function () {
  this.timeout(60_000);

  it('of a project’s file tighten, are named as the reason, and allow nothing', () =>
    withCountingHost(
      async ({ rig, counted }) => {
        await assert.rejects(
          rig.call('mcp__counting__read'),
          /a rule in the server’s configuration denies “read” \(not here\)/,
        );
        await assert.rejects(rig.call('mcp__counting__destroy'), /The user denied/);
        assert.equal(rig.questions.length, 1, 'the rule that allows doesn’t count');
        assert.deepEqual(counted(), []);
        assert.ok(rig.host.problems.some(({ code }) => code === 'not-tightening'));
      },
      { more },
    ));

  it('of a user’s file may allow; what a setting says stricter goes before', () =>
    withCountingHost(
      async ({ rig, counted }) => {
        await rig.call('mcp__counting__destroy');
        assert.deepEqual(counted(), ['destroy']);
        assert.equal(rig.questions.length, 0);
        await assert.rejects(rig.call('mcp__counting__write'), /asks for “mcp__counting__write”/);
      },
      { more, scope: 'user' },
    ));

  it('stand below all others: stricter ones count, of equally strict ones a setting is named', () => {
    const set = readPermissionRules(
      [
        { tool: 'mcp__counting__destroy', action: 'deny' },
        { tool: 'read', action: 'deny', reason: 'by setting' },
        { tool: 'mcp__counting__write', action: 'allow' },
      ],
      'user',
    );
    const settings = { ...DEFAULT_CALL_SETTINGS, rules: set.rules };
    return withCountingHost(
      async ({ rig, counted }) => {
        await assert.rejects(rig.call('mcp__counting__destroy'), /a rule in your settings denies/);
        await assert.rejects(rig.call('mcp__counting__read'), /\(by setting\)/);
        await assert.rejects(rig.call('mcp__counting__write'), /a rule in the server’s configuration asks/);
        assert.deepEqual(counted(), []);
      },
      { more, scope: 'user', ports: { calls: { settings: () => settings } } },
    );
  });
});
