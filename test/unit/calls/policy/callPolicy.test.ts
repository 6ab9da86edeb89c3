import { strict as assert } from 'node:assert';
import { decideByPolicy } from '../../../../src/calls/policy/callPolicy.ts';
import type { ToolAnnotations } from '../../../../src/connection/connectionTypes.ts';

describe('policy: decide', () => {
  const table: [string, ToolAnnotations, { granted?: boolean; openWorldGranted?: boolean }, 'allow' | 'ask'][] = [
    ['read-only runs', { readOnlyHint: true, openWorldHint: false }, {}, 'allow'],
    ['read-only in a closed world runs', { readOnlyHint: true, openWorldHint: false }, {}, 'allow'],
    ['read-only in the open world asks', { readOnlyHint: true, openWorldHint: true }, {}, 'ask'],
    ['… once per server', { readOnlyHint: true, openWorldHint: true }, { openWorldGranted: true }, 'allow'],
    ['… or never, for a granted tool', { readOnlyHint: true, openWorldHint: true }, { granted: true }, 'allow'],
    ['a writing tool asks', { readOnlyHint: false, destructiveHint: false }, {}, 'ask'],
    ['a granted writing tool runs', { readOnlyHint: false, destructiveHint: false }, { granted: true }, 'allow'],
    ['a destructive tool asks', { destructiveHint: true }, {}, 'ask'],
    ['a granted destructive tool runs', { destructiveHint: true }, { granted: true }, 'allow'],
    ['a tool without annotations asks', {}, {}, 'ask'],
    ['leave for the open world opens no writing tool', { destructiveHint: false }, { openWorldGranted: true }, 'ask'],
    ['… and no destructive one', { destructiveHint: true }, { openWorldGranted: true }, 'ask'],
  ];
  for (const [title, annotations, given, action] of table) {
    it(title, () => {
      const decision = decideByPolicy({
        annotations,
        trust: 'all',
        mode: 'policy',
        granted: false,
        openWorldGranted: false,
        ...given,
      });
      assert.equal(decision.action, action);
      assert.ok(decision.reason.length > 10, 'every decision says why');
    });
  }
});
