// npm run -s bench -- policy [--decisions N] [--calls N]
//
// What a decision costs with 500 rules and 2,000 grants, and what the whole pipeline (validation, policy with these rules, turns,
// result, history) adds to a call of an in-process server. Blocks of calls through the pipeline and without it alternate; medians.
// Each decision is the median of five runs, each with nothing known beforehand: what interrupts one of them is not counted.
// `Raw`: of all five, as they came.
import type { JsonObject } from '../src/base/json/json.ts';
import { CallGate } from '../src/calls/policy/callGate.ts';
import { RuleOwners } from '../src/calls/policy/rules/ruleOwners.ts';
import { readPermissionRules } from '../src/config/rules/permissionRules.ts';
import type { Session } from '../src/connection/connectionTypes.ts';
import { Rig, tool } from '../test/unit/calls/rig.ts';
import { median, option, quantile, report } from './connection/report.ts';

const decisions = option('decisions', 20_000);
const calls = option('calls', 10_000);
const SERVERS = 20;
const TOOLS = 50;
const BLOCK = 200;
const RUNS = 5;

const rules = Array.from({ length: 500 }, (_, index) => {
  const server = `server${index % SERVERS}`;
  switch (index % 5) {
    case 0:
      return { tool: `mcp__${server}__tool_${index % TOOLS}*`, args: { path: `src/${index}/**` }, action: 'allow' };
    case 1:
      return { tool: `*_tool_${index}`, action: 'deny' };
    case 2:
      return { tool: 'tool_*', server, args: { '/deep/path': `secret${index}/*` }, action: 'deny' };
    case 3:
      return { tool: `mcp__*__tool_${index % TOOLS}_*`, action: 'ask' };
    default:
      return { tool: '*', args: { path: `*${index}*/private/*` }, action: 'deny' };
  }
});

const rig = new Rig({ settings: { rules: readPermissionRules(rules, 'user').rules } });
for (let server = 0; server < SERVERS; server++) {
  const hints = [
    { readOnlyHint: true, openWorldHint: false },
    { destructiveHint: true },
    {},
    { readOnlyHint: false, destructiveHint: false },
  ];
  rig.catalog.setServer(
    `id${server}`,
    `server${server}`,
    Array.from({ length: TOOLS }, (_, index) => tool(`tool_${index}`, hints[index % hints.length] ?? {})),
  );
}
const ports = {
  fingerprintOf: () => 'f1',
  settings: () => rig.settings,
  asker: { ask: async () => undefined },
  clock: rig.clock,
};
const newGate = (): CallGate =>
  new CallGate(ports, { grants: rig.calls.grants, plan: rig.calls.plan, owners: new RuleOwners(rig.store) });
const gate = newGate();
const tools = rig.catalog.tools.filter(({ serverName }) => serverName.startsWith('server'));
for (let index = 0; index < 1_000; index++) {
  const granted = tools[(index * 7) % tools.length];
  if (!granted) throw new Error('there are no tools');
  const request = { key: gate.keyOf(granted), serverName: granted.serverName, at: 0 };
  rig.calls.grants.grantForSession(index % 2 === 0 ? { ...request, args: { path: `src/${index}/a/b.ts` } } : request);
  // A second kind of key, so that there are two thousand.
  rig.calls.grants.grantForSession({ ...request, key: { ...request.key, pin: `old${index}` } });
}

const runs = Array.from({ length: RUNS }, () => decideByPolicy(newGate()));
const times = Array.from({ length: decisions }, (_, index) => median(runs.map((run) => run[index] ?? 0)));

/** Microseconds of each decision. */
function decideByPolicy(fresh: CallGate): readonly number[] {
  return Array.from({ length: decisions }, (_, index) => decideOne(fresh, index));
}

function decideOne(fresh: CallGate, index: number): number {
  const each = tools[(index * 13) % tools.length];
  if (!each) throw new Error('there are no tools');
  const args: JsonObject = {
    path: `src/${index % 500}/a/b.ts`,
    deep: { path: 'public/x' },
    text: 'x'.repeat(index % 300),
  };
  const start = performance.now();
  fresh.explain(each, args);
  return (performance.now() - start) * 1000;
}

// One more, that lets the call through: none of the others is about this server.
const allowed = readPermissionRules([...rules, { tool: 'list_notes', action: 'allow' }], 'user').rules;
const plain = new Rig({ settings: { rules: allowed } });
const session = { callTool: async () => ({ content: [{ type: 'text', text: 'ran' }], isError: false }) };
const direct = session as unknown as Session;
plain.serve = async () => ({ content: [{ type: 'text', text: 'ran' }] });
const signal = new AbortController().signal;
const sides: Record<string, (title: string) => Promise<unknown>> = {
  pipeline: (title) =>
    plain.calls.broker.call({ name: 'mcp__notes__list_notes', args: { title }, surface: 'test', signal }),
  direct: (title) => direct.callTool('list_notes', { title }, { signal, timeoutMs: 1_000 }),
};
const spent: Record<string, number[]> = { pipeline: [], direct: [] };
for (let done = -BLOCK * 2; done < calls; done += BLOCK) {
  for (const [name, call] of Object.entries(sides)) {
    for (let index = 0; index < BLOCK; index++) {
      const start = performance.now();
      await call(`title ${index}`);
      // The first blocks warm up.
      if (done >= 0) spent[name]?.push(performance.now() - start);
    }
  }
}

report(
  'policy',
  {
    rules: rig.settings.rules.length,
    grants: rig.calls.grants.all.length,
    decisionP50Us: median(times),
    decisionP99Us: quantile(times, 0.99),
    decisionP99RawUs: quantile(runs.flat(), 0.99),
    decisionMaxUs: Math.max(...times),
    pipelineP50Ms: median(spent['pipeline'] ?? []),
    directP50Ms: median(spent['direct'] ?? []),
    pipelineP99Ms: quantile(spent['pipeline'] ?? [], 0.99),
    addedP50Ms: median(spent['pipeline'] ?? []) - median(spent['direct'] ?? []),
  },
  { decisionP99Us: '<= 200', addedP50Ms: '<= 0.15' },
);
process.exit(0);
