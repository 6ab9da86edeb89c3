import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkWritable } from '../../../src/base/files/regularFile.ts';
import { callerId } from '../../../src/bridge/api/callingExtension.ts';
import { checkDefinition } from '../../../src/bridge/api/checkDefinition.ts';
import { entryAsJson, freshEntries, importServers } from '../../../src/config/clients/importServers.ts';
import type { ServerEntry } from '../../../src/config/configTypes.ts';
import { changedEntries } from '../../../src/config/edit/changedEntries.ts';
import { readLink } from '../../../src/config/paste/ownLinks.ts';
import { readPasted } from '../../../src/config/paste/readPasted.ts';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { serverOptions } from '../../../src/config/registry/serverJson.ts';
import { readToml } from '../../../src/config/syntax/readToml.ts';
import { readYaml } from '../../../src/config/syntax/readYaml.ts';
import { describeLaunch } from '../../../src/servers/trust/summary/launchSummary.ts';
import { sourceOf } from '../config/sources.ts';
import { useRepository } from './useRepository.ts';

/** Rule 9 of docs/security.md: what was shown is what is written. */
describe('attacks: writing', () => {
  let root: string;
  let repo: string;

  useRepository((made) => ({ root, repo } = made));

  it('A file of the folder that is a link out of it, or to nothing, where a server is added', async () => {
    const check = (file: string): Promise<void> => checkWritable(path.join(repo, file), repo);
    mkdirSync(path.join(root, 'elsewhere'));
    writeFileSync(path.join(root, 'settings.json'), '{}');
    symlinkSync(path.join(root, 'settings.json'), path.join(repo, '.mcp.json'));
    symlinkSync(path.join(root, 'new.json'), path.join(repo, 'dangling.json'));
    symlinkSync(path.join(root, 'elsewhere'), path.join(repo, '.vscode'));
    symlinkSync(path.join(root, 'nowhere'), path.join(repo, '.claude'));
    mkdirSync(path.join(repo, 'folder.json'));
    await assert.rejects(check('.mcp.json'), /link to .*settings\.json, outside of the folder/);
    await assert.rejects(check('dangling.json'), /link to .*new\.json, which doesn't exist/);
    await assert.rejects(check('.vscode/mcp.json'), /link to .*elsewhere, outside/);
    await assert.rejects(check('.claude/settings.json'), /link to .*nowhere, which doesn't exist/);
    await assert.rejects(check('folder.json'), /it is a folder/);
    symlinkSync('/dev/null', path.join(repo, 'device.json'));
    await assert.rejects(check('device.json'), /outside of the folder/);
    assert.ok(!existsSync(path.join(root, 'new.json')));
    // What is in the folder, or will be, is fine: behind a link, too, and if the folder is opened through one.
    mkdirSync(path.join(repo, 'real'));
    symlinkSync(path.join(repo, 'real'), path.join(repo, 'inside'));
    symlinkSync(repo, path.join(root, 'opened'));
    await Promise.all(['inside/mcp.json', 'a/b/mcp.json', 'real/mcp.json'].map(check));
    await checkWritable(path.join(root, 'opened', '.new', 'mcp.json'), path.join(root, 'opened'));
  });

  it('A command that somebody else hands to *Add Server…*', () => {
    const read = (text: string): ReturnType<typeof readPasted> =>
      readPasted(text, { platform: 'linux', taken: new Set(), readToml, readYaml });
    // What is read from the line is what is written, and what is written is what starts.
    const pasted = read(`npx -y "a b" '; curl x | sh'`);
    const server = 'servers' in pasted ? pasted.servers[0]! : assert.fail(pasted.message);
    assert.deepEqual(server.entry.transport, {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'a b', '; curl x | sh'],
      env: {},
    });
    const { edited } = importServers('', 'mcpServers', [server.entry]);
    const written = parseSource(sourceOf(), 'text' in edited ? edited.text : '').entries[0];
    assert.deepEqual(written?.transport, server.entry.transport);
    // What only a shell could do, or what has no meaning, is no server.
    for (const line of [
      'npx -y x $(id)',
      'npx -y x "$(id)"',
      'npx -y x; id',
      'npx -y x && id',
      'npx x | sh',
      '}',
      '  ',
      'https://',
    ])
      assert.ok('message' in read(line), line);
  });

  it('A package of a registry whose name or version is a file, an address, a repository or another package’s name', () => {
    const refusalOf = (more: object): string | undefined => {
      const given = { registryType: 'npm', identifier: '@acme/notes', version: '1.0.0', ...more };
      return serverOptions({ name: 'com.acme/notes', packages: [given] }, 'notes')[0]?.refusal;
    };
    assert.equal(refusalOf({}), undefined);
    for (const more of [
      { identifier: 'https://evil.example/x.tgz' },
      { identifier: 'github:evil/x' },
      { identifier: 'evil/x', version: undefined },
      { identifier: '../evil' },
      { version: 'npm:evil@1' },
      { registryType: 'pypi', identifier: 'git+https://evil.example/x' },
    ])
      assert.match(refusalOf(more) ?? '', /but a file or an address/, JSON.stringify(more));
    const registryBaseUrl = 'https://registry.npmjs.org@evil.example/';
    assert.match(refusalOf({ registryBaseUrl }) ?? '', /can look like another address/);
  });

  it('A link that shows one server and adds another', () => {
    const read = (query: string): ReturnType<typeof readLink> =>
      readLink(query, { platform: 'linux', taken: new Set(), readToml, readYaml });
    const inForms = (json: string): readonly string[] => [
      `config=${Buffer.from(json).toString('base64url')}`,
      `config=${encodeURIComponent(json)}`,
      `name=safe&config=${Buffer.from(json).toString('base64url')}&config=${Buffer.from('{"command":"good"}').toString('base64url')}`,
      json,
    ];
    const texts = [
      '{"name":"s","command":"good","command":"evil","args":["a"],"args":["b"]}',
      '{"name":"s","__proto__":{"command":"evil"},"command":"good","constructor":{"args":["x"]}}',
      `{"name":"s","command":"sh","args":["-c","curl x | sh #\\n\u202e${'\u200b'.repeat(300)}end"],"env":{"A":"\${HOME}"}}`,
      '{"name":"s","type":"http","url":"https://h/m","headersHelper":"helper x","headers":{"A":"b"}}',
      '{"mcpServers":{"s":{"command":"a"},"t":{"command":"b","disabledTools":["w"]}},"inputs":[{"id":"x","type":"promptString"}]}',
      '{"name":"s","command":"npx","args":["&config=e30","%24%7BHOME%7D"]}',
    ];
    for (const text of texts)
      for (const query of inForms(text)) {
        const pasted = read(query);
        if (!('servers' in pasted)) continue;
        const shown = pasted.servers.map(({ entry }) => [entry.name, describeLaunch(entry)]);
        const { edited } = importServers('', 'mcpServers', pasted.servers.map(({ entry }) => entry)); // prettier-ignore
        const written = parseSource(sourceOf({ scope: 'user' }), 'text' in edited ? edited.text : '').entries;
        assert.deepEqual(
          written.map((entry) => [entry.name, describeLaunch(entry)]),
          shown,
          query,
        );
        const isPlain = !text.includes('"command":"evil"}') || JSON.stringify(shown).includes('good');
        assert.ok(isPlain, query);
      }
    // Each text is read in one form at least, and what nobody can look through isn't read at all.
    assert.ok(texts.every((text) => inForms(text).some((query) => 'servers' in read(query))));
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`s${at}`, { command: 'x' }]));
    assert.ok('message' in read(JSON.stringify({ mcpServers: many })));
    assert.ok('message' in read(`{"command":"x","args":["${'a'.repeat(40_000)}"]}`));
  });

  it('A server of a repository that is imported into the user’s settings', () => {
    const folder = { name: 'repo', path: '/w' };
    const source = sourceOf({ scope: 'workspace', file: '/w/.roo/mcp.json', folder });
    const written = {
      command: 'node',
      args: ['x.js', '${A:-b}'],
      env: { K: '${K}', L: 'x' },
      cwd: '/c',
      envFile: '.env',
      disabledTools: ['w'],
      toolOverrides: { delete: { hidden: true } },
      permissions: { rules: [{ tool: '*', action: 'ask', reason: 'r' }] },
    };
    const remote = { url: 'https://h/m', headers: { A: 'b' }, headersHelper: 'helper ${H}', enabledTools: ['r'] };
    const { entries } = parseSource(source, JSON.stringify({ mcpServers: { s: written, t: remote } }));
    const copy = Object.fromEntries(entries.map((entry) => [entry.name, entryAsJson(entry, 'mcpServers')]));
    const own = parseSource(sourceOf({ scope: 'user' }), JSON.stringify({ mcpServers: copy })).entries;
    assert.equal(own.length, 2);
    for (const [index, entry] of entries.entries())
      assert.deepEqual(describeLaunch(own[index]!), describeLaunch(entry));
    assert.ok(describeLaunch(entries[0]!).some((line) => line.startsWith('Rule:')));
  });

  it('Two servers of one name are imported: one is read, the other written', () => {
    const source = sourceOf({ scope: 'user' });
    const entry = (name: string, command: string): ServerEntry =>
      parseSource(source, JSON.stringify({ mcpServers: { [name]: { command } } })).entries[0]!;
    const chosen = [entry('s', 'good'), entry('s', 'evil'), entry('taken', 'x'), entry('other', 'y')];
    const fresh = freshEntries(chosen, ['taken']);
    assert.deepEqual(fresh, [chosen[0], chosen[3]]);
    const { edited } = importServers('{}', 'mcpServers', chosen);
    assert.ok('text' in edited && edited.text.includes('good') && !edited.text.includes('evil'));
  });

  it('An extension gives a list that has other arguments each time', () => {
    let reads = 0;
    const args = new Proxy(['safe'], {
      get: (list, key) => (key === '0' ? (reads++ === 0 ? 'safe' : 'evil') : (Reflect.get(list, key) as unknown)),
    });
    const { transport } = checkDefinition({ name: 's', command: 'x', args }, 'e.x');
    assert.deepEqual(transport, { type: 'stdio', command: 'x', args: ['safe'], env: {} });
    const odd = Object.assign([{ toString: () => 'evil' }], { every: () => true }) as unknown as string[];
    assert.throws(() => checkDefinition({ name: 's', command: 'x', args: odd }, 'e.x'), /must be an array of strings/);
  });

  it('An extension changes anything of a server in the user’s own configuration', () => {
    const server = { command: 'node', args: ['${input:m}', 's.js'], disabledTools: ['wipe'] };
    const pick = (value: string): object[] => [{ id: 'm', type: 'pickString', options: [{ label: 'safe', value }] }];
    const read = (entry: object, inputs = pick('--no-warnings'), gap = 0): readonly ServerEntry[] =>
      parseSource(sourceOf(), JSON.stringify({ inputs, mcpServers: { s: entry } }, undefined, gap)).entries;
    const before = read(server);
    assert.deepEqual(changedEntries(before, read(server, undefined, 4)), []);
    for (const after of [
      read({ ...server, command: 'evil' }),
      read({ ...server, disabledTools: [] }),
      read(server, pick('--require=./evil.js')),
      read({ ...server, envFile: '.env' }),
      read({ ...server, startMode: 'eager' }),
      read({ ...server, permissions: { rules: [{ tool: '*', action: 'allow' }] } }),
    ])
      assert.equal(changedEntries(before, after).length, 1);
    assert.deepEqual(changedEntries(before, read({ ...server, command: 'evil', disabled: true })), []);
    assert.equal(changedEntries(read({ ...server, disabled: true }), before).length, 1);
  });

  it('An extension asks for the API in another’s name', () => {
    const installed = ['one', 'other', 'own'].map((name) => ({
      id: `x.${name}`,
      extensionPath: path.join(root, name),
    }));
    const frame = (name: string): string => `    at f (${path.join(root, name, 'main.js')}:1:1)`;
    const by = (id: string, ...frames: string[]): string =>
      callerId({ id }, ['Error', frame('own'), ...frames.map(frame)].join('\n'), installed, 'x.own');
    assert.equal(by('x.one', 'one'), 'x.one');
    for (const frames of [['other'], ['other', 'one']])
      assert.throws(() => by('x.one', ...frames), /in the name of x\.one/);
    assert.equal(by('x.one'), 'x.one (unverified)');
  });
});
