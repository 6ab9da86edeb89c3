import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../../src/calls/callSettings.ts';
import { readHooks } from '../../../src/calls/hooks/hookSettings.ts';
import type { HookFailure, HookVerdict } from '../../../src/calls/hooks/hookTypes.ts';
import { readRuleLists } from '../../../src/config/rules/serverRules.ts';
import type { TransportSpec } from '../../../src/config/configTypes.ts';
import { isAllowedByOrganisation, lineVerdict, policyVerdict } from '../../../src/servers/trust/policyVerdict.ts';
import { editorPolicies, type ServerPolicy } from '../../../src/servers/trust/serverPolicy.ts';
import { TestHost } from '../../support/testHost.ts';

const lists = (allowed: unknown, denied: unknown = []): ServerPolicy[] => [
  { label: 'test', isOrganisation: false, ...readRuleLists(allowed, denied, { emptyAllows: true }) },
];
const run = (command: string, ...args: string[]): TransportSpec => ({ type: 'stdio', command, args, env: {} });
const runOf = ([command = '', ...args]: readonly string[]): TransportSpec => run(command, ...args);
const reach = (headersHelper: string): TransportSpec => ({
  type: 'http',
  url: 'https://h',
  headers: {},
  headersHelper,
});
const runs = (
  transport: TransportSpec,
  policies: readonly ServerPolicy[],
  platform: NodeJS.Platform = 'linux',
  name = 's',
): boolean => policyVerdict({ name, transport }, policies, platform) === undefined;

/** Rule 8 of docs/security.md: the lists of servers hold for every process. */
describe('attacks: lists', () => {
  const noDocker = lists([], [{ command: 'docker **' }]);

  it('A denied command in another spelling', () => {
    for (const command of ['/usr/bin/docker', '/usr/bin/../bin//docker', './docker', 'docker.sh'])
      assert.equal(runs(run(command, 'ps'), noDocker), command === 'docker.sh', command);
    for (const command of ['DOCKER', 'docker.exe', 'Docker.EXE.', 'docker. ', 'C:\\bin\\docker.cmd', 'C:/x/docker.ps1'])
      assert.ok(!runs(run(command, 'ps'), noDocker, 'win32'), command);
    assert.ok(!runs(run('Docker', 'ps'), noDocker, 'darwin'));
    assert.ok(runs(run('Docker', 'ps'), noDocker));
    assert.ok(!runs(run('docker', 'ps'), lists([], [{ command: 'docker.exe **' }]), 'win32'));
    assert.ok(!runs(run('c:/bin/tool.exe'), lists([], [{ command: 'C:\\bin\\tool' }]), 'win32'));
    const byName = lists([], ['evil']);
    for (const name of ['EVIL', ' evil ', 'ｅｖｉｌ']) assert.ok(!runs(run('x'), byName, 'linux', name), name);
  });

  it('A denied command behind a shell or another program that starts it', () => {
    for (const words of [
      ['sh', '-c', 'docker ps'],
      ['bash', '-lc', 'cd /tmp && docker ps'],
      ['/bin/sh', '-c', 'FOO=1 "docker" ps'],
      ['sh', '-c', 'do\\cker ps'],
      ['sh', '-c', 'docker${IFS}ps'],
      ['sh', '-c', 'd$()oc${x}ker$y ps'],
      ['sh', '-c', 'exec docker ps'],
      ['sh', '-c', 'echo $(docker ps)'],
      ['sh', '-c', 'if true; then docker ps; fi'],
      ['env', '-i', 'A=b', 'docker', 'ps'],
      ['/usr/bin/env', 'sh', '-c', 'docker ps'],
      ['env', '-S', 'docker ps'],
      ['sudo', '-n', 'nice', 'docker', 'ps'],
      ['timeout', '5', '/usr/bin/docker', 'ps'],
    ])
      assert.ok(!runs(runOf(words), noDocker), words.join(' '));
    for (const words of [
      ['cmd', '/c', 'docker', 'ps'],
      ['cmd.exe', '/d', '/c', 'C:\\bin\\Docker.exe ps'],
      ['PowerShell.exe', '-Command', '& "C:\\bin\\docker.exe" ps'],
      ['cmd', '/c', 'd^ocker ps'],
    ])
      assert.ok(!runs(runOf(words), noDocker, 'win32'), words.join(' '));
    assert.ok(!runs(run('sh', '-c', `${' '.repeat(30_000)}docker ps`), noDocker));
    assert.ok(!runs(run('sh', ...Array.from({ length: 90 }, () => 'sh'), 'docker', 'ps'), noDocker));
    for (const words of [
      ['sh', '-c', 'echo docker'],
      ['node', 'docker ps'],
      ['dockerd', 'ps'],
    ])
      assert.ok(runs(runOf(words), noDocker), words.join(' '));
  });

  it('A command that is reached out of the folder that a list allows', () => {
    const corp = lists([{ command: '/opt/corp/* **' }]);
    assert.ok(runs(run('/opt/corp/bin/tool', 'x'), corp));
    assert.ok(!runs(run('/opt/corp/../../bin/sh', '-c', 'x'), corp));
    const onWindows = lists([{ command: 'C:\\Corp\\*.exe' }]);
    assert.ok(runs(run('c:\\corp\\TOOL.exe'), onWindows, 'win32'));
    assert.ok(!runs(run('C:\\Corp\\..\\Windows\\x.exe'), onWindows, 'win32'));
  });

  it('A `headersHelper` that runs what the lists deny', () => {
    for (const helper of ['docker ps', '/usr/bin/docker ps', 'true; docker ps', 'sh -c "docker ps"', 'A=b docker ps'])
      assert.ok(!runs(reach(helper), noDocker), helper);
    assert.ok(runs(reach('token --for h'), noDocker));
    const onlyToken = lists([{ url: 'https://*' }, { command: 'token **' }]);
    for (const helper of ['token', 'token --for "a b"', 'token --for ${HOST}'])
      assert.ok(runs(reach(helper), onlyToken), helper);
    for (const helper of ['curl x', 'token; curl x', 'token $(curl x)', 'token `curl x`', 'token | sh', 'token > /x'])
      assert.ok(!runs(reach(helper), onlyToken), helper);
    // Servers of one kind are allowed: the others need no rule.
    assert.ok(runs(reach('curl x'), lists([{ url: 'https://*' }])));
  });

  it('A hook that runs what the lists deny', async () => {
    const reason = lineVerdict('docker ps', noDocker, 'linux')?.reason ?? '';
    assert.match(reason, /^command denied by command docker \*\* \(test\)$/);
    assert.equal(lineVerdict('node check.mjs', noDocker, 'linux'), undefined);
    const seen = path.join(mkdtempSync(path.join(tmpdir(), 'switchboard-attack-')), 'seen');
    const command = `sh -c 'echo x > "${seen}"'`;
    const hooks = readHooks({ PreToolUse: [{ hooks: [{ type: 'command', command }] }] }, 'user');
    let policies: readonly ServerPolicy[] = [];
    let hookFailure: HookFailure = 'block';
    const settings = (): CallSettings => ({ ...DEFAULT_CALL_SETTINGS, hooks, hookFailure });
    const ports = { policies: () => policies, calls: { settings } };
    const rig = new TestHost({ ports });
    try {
      const shown = { name: 'b', inputSchema: {}, annotations: {} };
      const tool = { name: 'mcp__a__b', serverId: 'a', serverName: 'a', tool: shown };
      const { signal } = new AbortController();
      const run = async (): Promise<HookVerdict> =>
        rig.host.calls.hooks.before({ tool, args: {}, known: undefined, signal });
      policies = lists([], [{ command: 'echo **' }]);
      for (hookFailure of ['block', 'ignore'] as const) {
        const { decision, reason } = await run();
        assert.deepEqual(decision, hookFailure === 'block' ? 'deny' : 'ask');
        assert.match(reason ?? '', /hook failed: command denied by command echo \*\*/);
        assert.ok(!existsSync(seen));
      }
      policies = [];
      assert.deepEqual(await run(), {});
      assert.ok(existsSync(seen));
    } finally {
      await rig.stop();
      rmSync(path.dirname(seen), { recursive: true });
    }
  });

  it('A workspace that sets the editor’s lists, to loosen those of the user', () => {
    const none = { access: undefined, allowed: undefined, denied: undefined };
    const blocks = (policies: readonly ServerPolicy[], name = 'evil'): boolean =>
      !runs(run('x'), policies, 'linux', name);
    const levels = (user: object, workspace: object): ServerPolicy[] =>
      editorPolicies(
        { ...none, ...user, ...workspace },
        { user: { ...none, ...user }, workspace: [{ ...none, ...workspace }] },
      );
    assert.ok(blocks(levels({ access: 'none' }, { access: 'all' })));
    assert.ok(blocks(levels({ access: 'registry' }, { access: 'all' })));
    assert.ok(blocks(levels({ denied: ['evil'] }, { denied: [] })));
    assert.ok(blocks(levels({ allowed: ['good'] }, { allowed: ['evil'] })));
    assert.ok(blocks(levels({}, { denied: ['evil'] })));
    // Only an organisation, or the user, lets a server from the cloud start a process.
    const subject = { name: 'evil', transport: run('x') };
    assert.ok(isAllowedByOrganisation(subject, levels({ allowed: ['evil'] }, {})));
    assert.ok(!isAllowedByOrganisation(subject, levels({}, { allowed: ['evil'] })));
  });
});
