import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnnotationTrust, ApprovalMode } from '../../../src/calls/callSettings.ts';
import { decideByPolicy, type PolicyInput } from '../../../src/calls/policy/callPolicy.ts';
import { planModeVerdict } from '../../../src/calls/plan/planMode.ts';
import { RULE_ACTIONS, type PermissionRule } from '../../../src/config/rules/permissionRules.ts';
import { root } from '../../../scripts/lib/paths.mjs';

const file = join(root, 'test/fixtures/calls/decisions.txt');

const ANNOTATIONS = {
  reads: { readOnlyHint: true, openWorldHint: false },
  'reads, no word': { readOnlyHint: true },
  'reads, open world': { readOnlyHint: true, openWorldHint: true },
  writes: { readOnlyHint: false, destructiveHint: false },
  destroys: { destructiveHint: true },
  'says nothing': {},
};
/** A name that says that the tool writes; a tool that is another than was approved. */
const SUSPICIONS = [
  { mark: '       ', writePattern: undefined, changed: false },
  { mark: 'caught ', writePattern: 'mcp_*_delete_*', changed: false },
  { mark: 'changed', writePattern: undefined, changed: true },
];
const MODES: readonly ApprovalMode[] = ['policy', 'askAlways', 'denyWrites'];
const TRUST: readonly AnnotationTrust[] = ['all', 'destructiveOnly', 'none'];

const rule = (action: PermissionRule['action']): PermissionRule => ({ tool: 'mcp__a__*', action, source: 'user' });

/** Every combination of what a decision depends on, one line each. */
function table(): string {
  const lines: string[] = [];
  for (const [title, annotations] of Object.entries(ANNOTATIONS)) {
    for (const { mark, writePattern, changed } of SUSPICIONS) {
      for (const trust of TRUST) {
        for (const mode of MODES) {
          const cells = [undefined, ...RULE_ACTIONS].flatMap((action) =>
            [false, true].map((granted) => {
              const input: PolicyInput = {
                ...{ annotations, trust, mode, granted, writePattern, changed, openWorldGranted: false },
                rule: action && rule(action),
              };
              const { action: decided, flagged, lasting } = decideByPolicy(input);
              const marks = `${flagged ? '!' : ''}${decided === 'ask' && lasting === false ? '1' : ''}`;
              return `${decided}${marks}`.padEnd(6);
            }),
          );
          const plan = planModeVerdict(annotations, writePattern, trust === 'all');
          lines.push(
            `${title.padEnd(18)}| ${mark} | ${trust.padEnd(15)} | ${mode.padEnd(10)} | ${cells.join(' ')}| ${plan}`,
          );
        }
      }
    }
  }
  const head = [
    '! flagged, 1 for this call only. Columns: no rule, deny, ask, allow; each without and with a grant. Last: plan mode.',
    '',
  ];
  return `${[...head, ...lines].join('\n')}\n`;
}

describe('decisions: rules × annotations × names × changes × trust × mode × grants', () => {
  it('are those of the golden table', () => {
    const now = table();
    if (process.env['UPDATE_GOLDEN']) writeFileSync(file, now);
    assert.equal(now, readFileSync(file, 'utf8'));
  });
});
