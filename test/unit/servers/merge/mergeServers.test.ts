import assert from 'node:assert/strict';
import type { Scope, SourceResult, WorkspaceFolder } from '../../../../src/config/configTypes.ts';
import { fingerprintOf } from '../../../../src/servers/trust/fingerprint.ts';
import { definitionId, mergeServers } from '../../../../src/servers/merge/mergeServers.ts';
import type { ServerDecisions } from '../../../../src/servers/serverTypes.ts';
import { sourceOf } from '../../config/sources.ts';
import { decisionsOf, lineOf, resultOf } from '../support.ts';

const app = { name: 'app', path: '/w/app' };
const lib = { name: 'lib', path: '/w/lib' };

const project = (servers: Record<string, unknown>, folder: WorkspaceFolder = app): SourceResult =>
  resultOf(sourceOf({ scope: 'project', file: `${folder.path}/.mcp.json`, folder }), servers);
const workspace = (servers: Record<string, unknown>, folder: WorkspaceFolder = app): SourceResult =>
  resultOf(sourceOf({ scope: 'workspace', file: `${folder.path}/.vscode/mcp.json`, folder }), servers);
const user = (servers: Record<string, unknown>): SourceResult => resultOf(sourceOf({ scope: 'user' }), servers);

/** Approves these servers as they are defined in `results`. */
const approving = (results: readonly SourceResult[], ...names: string[]): Pick<ServerDecisions, 'approval'> => {
  const entries = results.flatMap((result) => result.entries).filter((entry) => names.includes(entry.name));
  const approved = new Map(entries.map((entry) => [definitionId(entry.source, entry.name), fingerprintOf(entry)]));
  return {
    approval: (id) => {
      const fingerprint = approved.get(id);
      return fingerprint === undefined ? undefined : { fingerprint, verdict: 'approved' };
    },
  };
};

const table = (
  results: readonly SourceResult[],
  options: Partial<ServerDecisions> = {},
  order?: readonly Scope[],
): string[] => mergeServers({ results }, decisionsOf(options), order).map(lineOf);

describe('servers/merge', () => {
  it('what the user defined is ready; what the workspace defines asks', () => {
    assert.deepEqual(table([user({ u: 'u' }), workspace({ w: 'w' }), project({ p: 'p' })]), [
      'project p: needs-approval new',
      'workspace w: needs-approval new',
      'user u: ready',
    ]);
  });

  it('the local scope asks nothing; dynamic and cloud do', () => {
    const scopes = ['cloud', 'dynamic', 'local'] as const;
    const results = scopes.map((scope) =>
      resultOf(sourceOf({ scope }), { s: 's', [scope]: { url: `https://${scope}` } }),
    );
    assert.deepEqual(table(results), [
      'local s: ready',
      'local local: ready',
      'dynamic s: shadowed by local',
      'dynamic dynamic: needs-approval new',
      'cloud s: shadowed by local',
      'cloud cloud: needs-approval new',
    ]);
  });

  it('while a managed file exists, nothing comes from the cloud, and nothing stands above it', () => {
    const results = (['cloud', 'user', 'enterprise'] as const).map((scope) =>
      resultOf(sourceOf({ scope }), { s: scope, [scope]: `${scope}-2` }),
    );
    assert.deepEqual(table(results, {}, ['user', 'cloud', 'enterprise']), [
      'enterprise s: ready',
      'enterprise enterprise: ready',
      'user s: shadowed by enterprise',
      'user user: ready',
    ]);
  });

  it('one endpoint under two names is hosted once, across scopes only', () => {
    const server = { command: 'npx', args: ['s'], env: { KEY: '${KEY}' } };
    const results = [
      user({
        same: server,
        again: server,
        account: { ...server, env: { KEY: '${OTHER}' } },
        url: { url: 'HTTPS://H:443/m/?b=2&a=1', type: 'http' },
      }),
      project({ p: server, u: { url: 'https://h/m?a=1&b=2' } }),
    ];
    assert.deepEqual(table(results), [
      'project p: needs-approval new',
      'project u: needs-approval new',
      'user same: ready',
      'user again: ready',
      'user account: ready',
      'user url: ready',
    ]);
    assert.deepEqual(table(results, approving(results, 'p', 'u')).slice(2), [
      'user same: shadowed by project',
      'user again: shadowed by project',
      'user account: ready',
      'user url: shadowed by project',
    ]);
    const [, , same] = mergeServers({ results }, decisionsOf(approving(results, 'p')));
    assert.deepEqual(same?.status, {
      kind: 'shadowed',
      by: { scope: 'project', label: 'project:/w/app/.mcp.json', name: 'p' },
    });
  });

  it('sandboxed entries and broken ones that are disabled', () => {
    assert.deepEqual(table([user({ a: { command: 'x', sandboxEnabled: true }, b: { disabled: true } })]), [
      'user a: blocked sandboxed',
      'user b: disabled by entry',
    ]);
  });

  it('an approved entry hides those below it', () => {
    const results = [user({ s: 'u' }), workspace({ s: 'w' }), project({ s: 'p' })];
    assert.deepEqual(table(results, approving(results, 's')), [
      'project s: ready',
      'workspace s: shadowed by project',
      'user s: shadowed by project',
    ]);
  });

  it('an unapproved, rejected, untrusted or broken entry hides nothing', () => {
    const results = [user({ s: 'u' }), project({ s: 'p' })];
    assert.deepEqual(table(results), ['project s: needs-approval new', 'user s: ready']);
    const approved = approving(results, 's');
    assert.deepEqual(table(results, { ...approved, workspaceTrusted: false }), [
      'project s: blocked untrusted-workspace',
      'user s: ready',
    ]);
    const rejected: ServerDecisions['approval'] = (id) => {
      const approval = approved.approval(id, '');
      return approval && { ...approval, verdict: 'rejected' };
    };
    assert.deepEqual(table(results, { approval: rejected }), ['project s: blocked rejected', 'user s: ready']);
    assert.deepEqual(table([user({ s: 'u' }), project({ s: {} })]), [
      'project s: problem nothing-to-run',
      'user s: ready',
    ]);
  });

  it('a disabled entry that the user stands behind hides those below it', () => {
    const results = [user({ s: 'u' }), project({ s: { command: 'p', disabled: true } })];
    const approved = approving(results, 's');
    assert.deepEqual(table(results, approved), ['project s: disabled by entry', 'user s: shadowed by project']);
    const byUser = [user({ s: 'u' }), project({ s: 'p' })];
    const isDisabled = (id: string): boolean => id.startsWith('project:');
    assert.deepEqual(table(byUser, { ...approving(byUser, 's'), isDisabled }), [
      'project s: disabled by user',
      'user s: shadowed by project',
    ]);
    const own = [user({ s: 'u' }), resultOf(sourceOf({ scope: 'local' }), { s: { disabled: true } })];
    assert.deepEqual(table(own), ['local s: disabled by entry', 'user s: shadowed by local']);
  });

  it('an edit after approval or rejection asks again', () => {
    const before = [project({ s: 'p' })];
    const after = [project({ s: { command: 'p', env: { NODE_OPTIONS: '--require ./x.js' } } })];
    const approved = approving(before, 's');
    assert.deepEqual(table(after, approved), ['project s: needs-approval changed']);
    const approval: ServerDecisions['approval'] = (id) => {
      const found = approved.approval(id, '');
      return found && { ...found, verdict: 'rejected' };
    };
    assert.deepEqual(table(after, { approval }), ['project s: needs-approval new']);
  });

  it('what VS Code has, too, is disabled until the user chooses this extension, and says whether they chose', () => {
    const results = [user({ s: 'u' }), project({ s: 'p' })];
    const editorHosts: ServerDecisions['editorHosts'] = (entry) => entry.scope === 'project';
    const [definition] = mergeServers({ results }, decisionsOf({ hosting: 'undecided', editorHosts }));
    assert.deepEqual(definition?.status, { kind: 'disabled', by: 'editor', reason: 'MCP host not chosen' });
    const [left] = mergeServers({ results }, decisionsOf({ hosting: 'editor', editorHosts }));
    assert.deepEqual(left?.status, { kind: 'disabled', by: 'editor', reason: 'left to VS Code' });
    assert.deepEqual(table(results, { hosting: 'undecided', editorHosts }), [
      'project s: disabled by editor',
      'user s: ready',
    ]);
    assert.deepEqual(table(results, { ...approving(results, 's'), hosting: 'editor', editorHosts }), [
      'project s: disabled by editor',
      'user s: shadowed by project',
    ]);
    assert.deepEqual(table(results, { hosting: 'switchboard', editorHosts })[0], 'project s: needs-approval new');
  });

  it('one name in two folders: both, named apart', () => {
    const results = [
      project({ s: '1', t: '1' }),
      project({ s: '2' }, lib),
      workspace({ s: '3' }, lib),
      user({ s: 'u' }),
    ];
    assert.deepEqual(table(results, approving(results, 's', 't')), [
      'project s (app): ready',
      'project t: ready',
      'project s (lib): ready',
      'workspace s (lib): shadowed by project',
      'user s: shadowed by project',
    ]);
    const namesakes = [project({ s: '1' }), project({ s: '2' }, { name: 'app', path: '/v/app' })];
    assert.deepEqual(
      table(namesakes).map((line) => line.split(':')[0]),
      ['project s (/w/app)', 'project s (/v/app)'],
    );
  });

  it('takes another order of scopes', () => {
    const results = [user({ s: 'u' }), project({ s: 'p' })];
    assert.deepEqual(table(results, approving(results, 's'), ['user', 'project']), [
      'user s: ready',
      'project s: shadowed by user',
    ]);
  });

  it('entries stand in the order of their file, broken ones too', () => {
    assert.deepEqual(table([user({ b: 'b', a: {}, c: 'c' })]), [
      'user b: ready',
      'user a: problem nothing-to-run',
      'user c: ready',
    ]);
  });

  it('ids are unique and survive an edit', () => {
    const source = sourceOf();
    assert.notEqual(definitionId(source, 'a#b'), definitionId({ ...source, id: `${source.id}#a` }, 'b'));
    const ids = (command: string): string[] =>
      mergeServers({ results: [user({ s: command })] }, decisionsOf()).map(({ id }) => id);
    assert.deepEqual(ids('x'), ids('y'));
  });
});

describe('servers/fingerprint', () => {
  const print = (entry: object): string => {
    const found = user({ s: entry }).entries[0];
    assert.ok(found);
    return fingerprintOf(found);
  };
  it('is another for everything that would run or be reached', () => {
    const stdio = { command: 'x', args: ['a'], env: { A: '${B}' }, cwd: '/c', envFile: '.env' };
    const http = { type: 'http', url: 'https://h', headers: { A: 'b' }, headersHelper: 'h' };
    const prints = [
      ...[stdio, { ...stdio, command: 'y' }, { ...stdio, args: ['a', ''] }, { ...stdio, env: { A: '${C}' } }],
      ...[
        { ...stdio, env: { B: '${B}' } },
        { ...stdio, cwd: '/d' },
        { ...stdio, envFile: 'x' },
      ],
      ...[http, { ...http, type: 'sse' }, { ...http, url: 'https://i' }, { ...http, headers: { A: 'c' } }],
      { ...http, headersHelper: 'i' },
    ].map(print);
    assert.equal(new Set(prints).size, prints.length);
  });
  it('is the same for the same, however it is written', () => {
    assert.equal(
      print({ command: 'x', env: { A: '1', B: '2' } }),
      print({ env: { B: '2', A: '1' }, type: 'stdio', command: ['x'], disabled: true, timeout: 5 }),
    );
  });
});
