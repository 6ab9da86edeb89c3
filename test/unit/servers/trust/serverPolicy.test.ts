import assert from 'node:assert/strict';
import { readRuleLists } from '../../../../src/config/rules/serverRules.ts';
import type { SourceResult, TransportSpec } from '../../../../src/config/configTypes.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { matchesGlob } from '../../../../src/base/text/glob.ts';
import { mergeServers } from '../../../../src/servers/merge/mergeServers.ts';
import { policyVerdict } from '../../../../src/servers/trust/policyVerdict.ts';
import { editorPolicies, settingPolicy, type ServerPolicy } from '../../../../src/servers/trust/serverPolicy.ts';
import { sourceOf } from '../../config/sources.ts';
import { decisionsOf, lineOf, resultOf } from '../support.ts';

const policy = (allowed: unknown, denied: unknown = [], isOrganisation = false): ServerPolicy => ({
  label: 'test',
  isOrganisation,
  ...readRuleLists(allowed, denied, { emptyAllows: true }),
});
const run = (command: string, ...args: string[]): TransportSpec => ({ type: 'stdio', command, args, env: {} });
const reach = (url: string): TransportSpec => ({ type: 'http', url, headers: {} });
const passes = (transport: TransportSpec, lists: ServerPolicy, name = 'srv'): boolean =>
  policyVerdict({ name, transport }, [lists]) === undefined;

describe('base/glob in rules', () => {
  for (const [text, pattern, expected] of [
    ['', '', true],
    ['', '*', true],
    ['abc', 'abc', true],
    ['abc', 'a*c', true],
    ['abc', 'a?c', true],
    ['abc', 'a?', false],
    ['ab.c', 'ab?d', false],
    ['aXbXc', '*X?', true],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
    ['abc', '**c', true],
    ['abc', 'b', false],
  ] as const)
    it(`${text} ${expected ? 'fits' : "doesn't fit"} ${pattern}`, () =>
      assert.equal(matchesGlob(text, pattern), expected));
  it('takes no exponential time', () => assert.equal(matchesGlob('a'.repeat(5000), `${'a*'.repeat(50)}b`), false));
});

describe('servers/policy', () => {
  it('an empty list restricts nothing', () => assert.ok(passes(run('x'), policy([]))));

  it('names, as globs without case', () => {
    assert.ok(passes(run('x'), policy(['SRV*'])));
    assert.ok(!passes(run('x'), policy(['other'])));
    assert.ok(!passes(run('x'), policy([], ['s?v'])));
  });

  it('denies by each name that stands for the server in names of tools', () => {
    for (const name of ['Play Wright', 'play_wright', 'mcp__Play Wright', 'mcp__play_wright', 'mcp__play*'])
      assert.ok(!passes(run('x'), policy([], [name]), 'Play Wright'), name);
    for (const name of ['playwright', '@corp/playwright-mcp', 'mcp__playwright', 'mcp__*'])
      assert.ok(!passes(run('x'), policy([], [name]), '@corp/playwright-mcp'), name);
    assert.ok(!passes(run('x'), policy([], ['mcp__a']), 'mcp__a'));
    assert.ok(passes(run('x'), policy([], ['mcp__other', 'wright']), 'playwright-mcp'));
  });

  it('allows by the configured name, or by the callable one that is no other server’s', () => {
    const isAllowed = (written: string, name: string, names = [name]): boolean =>
      policyVerdict({ name, transport: run('x'), names }, [policy([written])]) === undefined;
    for (const written of ['playwright-mcp', 'mcp__playwright-mcp', 'playwright', 'mcp__playwright', 'PLAYWRIGHT'])
      assert.ok(isAllowed(written, 'playwright-mcp'), written);
    assert.ok(isAllowed('mcp__a', 'mcp__a'));
    for (const other of ['playwright', 'Playwright', 'mcp-playwright', '@evil/playwright'])
      assert.ok(!isAllowed('playwright', 'playwright-mcp', ['playwright-mcp', other]), other);
    assert.ok(!isAllowed('mcp__', 'playwright'));
    assert.ok(!isAllowed('play', 'playwright'));
  });

  it('deny wins', () => assert.ok(!passes(run('x'), policy(['srv'], ['srv']))));

  it('commands with their arguments', () => {
    const lists = policy([{ command: 'npx -y @corp/*' }]);
    assert.ok(passes(run('npx', '-y', '@corp/x'), lists));
    assert.ok(!passes(run('npx', '-y', '@corp/x', '--evil'), lists));
    assert.ok(!passes(run('npx', '-y @corp/x'), lists));
    assert.ok(!passes(run('/tmp/npx', '-y', '@corp/x'), lists));
    assert.ok(passes(run('npx', '-y', '@corp/x', 'any'), policy([{ serverCommand: ['npx', '-y', '@corp/*', '**'] }])));
  });

  it('where commands are allowed, a name alone does not pass; an address still does by name', () => {
    const lists = policy(['srv', { command: 'npx' }]);
    assert.ok(!passes(run('node'), lists));
    assert.ok(passes(reach('https://h'), lists));
    assert.ok(!passes(reach('https://h'), policy(['srv', { url: 'https://other/*' }])));
  });

  it('denying a command looks through its path and ending', () => {
    const lists = policy([], [{ command: 'docker **' }]);
    for (const command of ['docker', '/usr/bin/docker', 'C:\\bin\\docker.EXE'])
      assert.ok(!passes(run(command, 'run'), lists));
    assert.ok(passes(run('dockerd'), lists));
  });

  for (const [url, pattern, expected] of [
    ['https://mcp.corp.com/x', 'https://*.corp.com/*', true],
    ['https://mcp.corp.com/x', '*.corp.com', true],
    ['https://evil.com/.corp.com/', 'https://*.corp.com/*', false],
    ['https://evil.com/?x=.corp.com', '*.corp.com', false],
    ['https://u:p@mcp.corp.com/x', 'https://mcp.corp.com', true],
    ['https://mcp.corp.com@evil.com/x', 'https://mcp.corp.com/*', false],
    ['https://MCP.corp.com./x', 'https://mcp.corp.com', true],
    ['http://mcp.corp.com/x', 'https://mcp.corp.com', false],
    ['https://mcp.corp.com:8443/x', 'https://mcp.corp.com', false],
    ['https://mcp.corp.com:8443/x', 'https://mcp.corp.com:*/x', true],
    ['https://mcp.corp.com:443/x', 'https://mcp.corp.com:443', true],
    ['https://mcp.corp.com/y', 'https://mcp.corp.com/x', false],
    ['${HOST}/x', '*', false],
  ] as const)
    it(`${url} is ${expected ? '' : 'not '}allowed by ${pattern}`, () =>
      assert.equal(passes(reach(url), policy([{ url: pattern }])), expected));

  it('a denied address is denied on every port, and also where it has variables', () => {
    const lists = policy([], [{ url: 'https://evil.com' }, { url: 'https://*.evil.com/*' }]);
    assert.ok(!passes(reach('https://evil.com:8443/x'), lists));
    assert.ok(!passes(reach('https://${SUB}.evil.com/x'), lists));
    assert.ok(passes(reach('https://good.com/x'), lists));
  });

  it('a deny list that makes no sense denies everything', () => {
    assert.ok(!passes(run('x'), policy([], [{ name: 'a', url: 'b' }])));
    assert.ok(!passes(run('x'), policy([7])));
  });

  it('says which rule it was', () => {
    assert.deepEqual(policyVerdict({ name: 'srv', transport: run('x') }, [{ ...policy([], ['s*']), file: '/f' }]), {
      reason: 'denied by name s* (test)',
      rule: 'name s*',
      file: '/f',
    });
  });
});

describe('servers/policy: merged', () => {
  const managed = (text: string, stale = false): SourceResult => {
    const source = sourceOf({ scope: 'enterprise', file: '/etc/mcp-switchboard/managed-mcp.json' });
    const { parsed, ...content } = parseSource(source, text);
    return { source, status: parsed ? 'found' : 'broken', ...content, stale };
  };
  const user = resultOf(sourceOf(), { a: 'a', b: 'b' });
  const lines = (results: SourceResult[], policies: ServerPolicy[] = []): string[] =>
    mergeServers({ results }, decisionsOf({ policies })).map(lineOf);

  it('the lists of the managed file hold for all but its own servers', () => {
    const file = managed('{"mcpServers":{"m":{"command":"m"}},"allowedServers":["a"],"deniedMcpServers":[]}');
    assert.deepEqual(lines([file, user]), ['enterprise m: ready', 'user a: ready', 'user b: blocked policy']);
    assert.deepEqual(lines([managed('{"allowedServers":[]}'), user]), [
      'user a: blocked policy',
      'user b: blocked policy',
    ]);
    assert.deepEqual(lines([managed('{"mcpServers":{}}'), user]), ['user a: ready', 'user b: ready']);
  });
  it('while it can not be read, nothing runs', () => {
    assert.deepEqual(lines([managed('{"allowedServers":['), user]), [
      'user a: blocked policy',
      'user b: blocked policy',
    ]);
  });
  it('the setting, and MCP turned off', () => {
    assert.deepEqual(lines([user], [policy([], ['b'])]), ['user a: ready', 'user b: blocked policy']);
    assert.deepEqual(lines([user], [{ ...policy([]), access: 'none' }]), [
      'user a: blocked policy',
      'user b: blocked policy',
    ]);
  });
  it('lists of two settings files can only take away from each other', () => {
    const both = [...settingPolicy('yours', ['a'], []), ...settingPolicy('the workspace', ['a', 'b'], [])];
    assert.deepEqual(lines([user], both), ['user a: ready', 'user b: blocked policy']);
    assert.deepEqual(settingPolicy('x', [], undefined), []);
    assert.deepEqual(settingPolicy('x', 'nonsense', 'nonsense'), []);
  });
  it("the editor's own settings bind", () => {
    const of = (access?: string, allowed?: unknown, denied?: unknown): string[] =>
      lines([user], editorPolicies({ access, allowed, denied }));
    assert.deepEqual(of('all'), ['user a: ready', 'user b: ready']);
    assert.deepEqual(of('none'), ['user a: blocked policy', 'user b: blocked policy']);
    assert.deepEqual(of('registry'), ['user a: blocked policy', 'user b: blocked policy']);
    assert.deepEqual(of(undefined, ['a']), ['user a: ready', 'user b: blocked policy']);
    assert.deepEqual(of(undefined, undefined, [{ serverName: 'a' }]), ['user a: blocked policy', 'user b: ready']);
  });
  it('a process from the cloud needs the organisation', () => {
    const cloud = resultOf(sourceOf({ scope: 'cloud' }), { a: 'npx', b: { url: 'https://h' } });
    assert.deepEqual(lines([cloud]), ['cloud a: blocked policy', 'cloud b: needs-approval new']);
    assert.deepEqual(lines([cloud], [policy(['*'])])[0], 'cloud a: blocked policy');
    assert.deepEqual(lines([cloud], [policy(['*'], [], true)])[0], 'cloud a: needs-approval new');
  });
  it('a blocked server hides nothing', () => {
    const folder = { name: 'w', path: '/w' };
    const project = resultOf(sourceOf({ scope: 'project', file: '/w/.mcp.json', folder }), { a: 'evil' });
    assert.deepEqual(lines([project, user], [policy([], [{ command: 'evil' }])]), [
      'project a: blocked policy',
      'user a: ready',
      'user b: ready',
    ]);
  });
});
