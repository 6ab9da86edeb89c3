import { strict as assert } from 'node:assert';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { replacedParts, resolvedLaunch, resolvedVariable } from '../../../src/servers/resolvedLaunch.ts';
import type { ServerEntry } from '../../../src/config/configTypes.ts';
import type { ResolveContext } from '../../../src/servers/resolveEntry.ts';
import { sourceOf } from '../config/sources.ts';

const CONTEXT: ResolveContext = {
  platform: 'linux',
  environment: { HOME: '/home/me', GITHUB_TOKEN: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', PLAIN: 'word' },
  homeDir: '/home/me',
  workspaceFolders: [{ name: 'app', path: '/w/app' }],
};

function entryOf(entry: object, file: object = {}): ServerEntry {
  const text = JSON.stringify({ ...file, mcpServers: { a: entry } });
  const [read] = parseSource(sourceOf({ file: '/w/app/.mcp.json' }), text).entries;
  assert.ok(read);
  return read;
}

const launch = (entry: object, file: object = {}): ReturnType<typeof resolvedLaunch> =>
  resolvedLaunch(entryOf(entry, file), CONTEXT);

describe('a launch with its variables replaced', () => {
  it('is the command with its folders and environment', () => {
    const { lines, missing } = launch({
      command: 'node',
      args: ['${workspaceFolder}/my server.js', '~/x'],
      cwd: 'sub',
      env: { DIR: '${HOME}/d' },
    });
    assert.deepEqual(lines, ['node "/w/app/my server.js" ~/x', 'cwd: /w/app/sub', 'DIR=/home/me/d']);
    assert.deepEqual(missing, []);
  });

  it('masks secrets, wherever they come from', () => {
    const { lines } = launch({
      command: 'x',
      args: ['--token', 'hunter2hunter2', '--url=https://me:pa55w0rd@h.example', '${GITHUB_TOKEN}'],
      env: { API_KEY: 'k3y-of-mine', OTHER: 'Bearer ${env:GITHUB_TOKEN}' },
    });
    const all = lines.join('\n');
    for (const secret of ['hunter2', 'pa55w0rd', 'ghp_16C7', 'k3y-of-mine']) assert.ok(!all.includes(secret), all);
    assert.ok(all.includes('•••'));
    const remote = launch({ url: 'https://h/?key=s3cr3tvalue', headers: { Authorization: 'Bearer abcdef123456' } });
    assert.ok(!/s3cr3tvalue|abcdef123456/.test(remote.lines.join('\n')), remote.lines.join('\n'));
  });

  const parts = (entry: object, context = CONTEXT): ReturnType<typeof replacedParts> =>
    replacedParts(entryOf(entry), context);

  it('in parts has the value of each variable, with secrets masked by its name or its field’s', () => {
    const env = { DIR: '${HOME}/d', FIXED: 'x', KEY: '${GITHUB_TOKEN}', API_KEY: '${PLAIN}' };
    const { shownValue, lines, missing } = parts({ command: 'node', args: ['${workspaceFolder}/a.js'], env });
    for (const [variable, field, value] of [
      ['workspaceFolder', 'args[0]', '/w/app'],
      ['HOME', 'env.DIR', '/home/me'],
      ['GITHUB_TOKEN', 'env.KEY', '•••'],
      ['PLAIN', 'env.API_KEY', '•••'],
      ['PLAIN', 'env.OTHER', undefined],
    ] as const)
      assert.equal(shownValue(variable, field), value, `${variable} in ${field}`);
    assert.deepEqual({ lines, missing }, { lines: [], missing: [] });
  });

  it('in parts has the lines that differ for another reason, and what isn’t set', () => {
    const { lines } = parts({ command: '${C:-node}', args: ['${PLAIN}'], cwd: 'sub', env: { A: '${B:-${PLAIN}}' } });
    assert.deepEqual(lines, ['node word', 'cwd: /w/app/sub', 'A=word']);
    const some = parts({ command: 'x', args: ['${NO_SUCH}'], cwd: '${NO_SUCH}', env: { A: '${PLAIN}' } });
    assert.deepEqual(some.lines, []);
    assert.equal(some.shownValue('PLAIN', 'env.A'), 'word');
    assert.equal(some.shownValue('NO_SUCH', 'args[0]'), undefined);
    assert.deepEqual(some.missing, [
      { variable: 'NO_SUCH', field: 'args[0]' },
      { variable: 'NO_SUCH', field: 'cwd' },
    ]);
  });

  it('leaves what somebody is asked for as it is written, and asks nobody', () => {
    const inputs = [{ id: 'key', type: 'promptString', password: true }];
    const { lines, missing } = launch({ command: 'x', env: { KEY: '${input:key}', C: '${command:a.b}' } }, { inputs });
    assert.deepEqual(lines, ['x', 'KEY=${input:key}', 'C=${command:a.b}']);
    assert.deepEqual(missing, []);
  });

  it('has what is missing as written, where a variable has no value', () => {
    const { lines, missing } = launch({ command: 'x', args: ['${NO_SUCH}', '${PLAIN}'] });
    assert.deepEqual(lines, ['x ${NO_SUCH} word']);
    assert.deepEqual(missing, [{ variable: 'NO_SUCH', field: 'args[0]' }]);
  });

  it('shows on one line each, with nothing hidden', () => {
    const { lines } = launch({ command: 'x', args: ['a\nb', 'c\u202ed'] });
    assert.deepEqual(lines, ['x "a\\nb" c\\u{202e}d']);
  });

  it('one variable', () => {
    const [entry] = parseSource(sourceOf({ file: '/w/app/.mcp.json' }), '{"mcpServers":{"a":{"command":"x"}}}').entries;
    assert.ok(entry);
    assert.equal(resolvedVariable(entry, 'workspaceFolder', CONTEXT), '/w/app');
    assert.equal(resolvedVariable(entry, 'env:GITHUB_TOKEN', CONTEXT), '•••');
    assert.equal(resolvedVariable(entry, 'NO_SUCH', CONTEXT), undefined);
  });
});
