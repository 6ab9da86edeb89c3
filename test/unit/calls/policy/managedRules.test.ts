import { strict as assert } from 'node:assert';
import { managedRules } from '../../../../src/calls/policy/rules/managedRules.ts';
import { CAUTIOUS_RULES } from '../../../../src/config/rules/permissionRules.ts';

describe('rules of a managed file', () => {
  it('are read beside its servers, and may allow', () => {
    const rules = [
      { tool: 'mcp__corp__*', action: 'allow' },
      { tool: '*_delete_*', action: 'deny' },
    ];
    const text = `\uFEFF// managed\n${JSON.stringify({ mcpServers: {}, permissions: { rules } })}`;
    assert.deepEqual(
      managedRules(text).map(({ action, source }) => [action, source]),
      [
        ['allow', 'enterprise'],
        ['deny', 'enterprise'],
      ],
    );
  });

  it('are none where the file has none, or there is no file', () => {
    assert.deepEqual(managedRules(undefined), []);
    assert.deepEqual(managedRules('{"mcpServers": {}}'), []);
  });

  it('that can’t be read leave nothing to run without a question', () => {
    assert.deepEqual(managedRules('{"permissions": {"rules": ['), CAUTIOUS_RULES);
    const unknown = managedRules('{"permissions": {"rules": [{"tool": "x", "action": "forbid"}]}}');
    assert.deepEqual(unknown.slice(1), CAUTIOUS_RULES);
  });
});
