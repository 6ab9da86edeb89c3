import { strict as assert } from 'node:assert';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { Rig, tool } from '../calls/rig.ts';

/** What becomes of a call with these arguments under one rule of the user. */
async function under(rule: JsonObject, args: JsonObject): Promise<'ran' | 'stopped'> {
  const rig = new Rig({ settings: { rules: readPermissionRules([rule], 'user').rules } });
  const more = { inputSchema: { type: 'object' } };
  const read = { readOnlyHint: true, openWorldHint: false };
  rig.catalog.setServer('id', 'notes', [tool('write', { destructiveHint: true }, more), tool('read', read, more)]);
  return rig.call(rule['action'] === 'allow' ? 'write' : 'read', args).then(
    () => 'ran',
    () => 'stopped',
  );
}

async function assertEach<T extends JsonValue>(
  rule: JsonObject,
  expected: 'ran' | 'stopped',
  values: readonly T[],
  argsOf: (value: T) => JsonObject = (path) => ({ path }),
): Promise<void> {
  for (const value of values) assert.equal(await under(rule, argsOf(value)), expected, JSON.stringify(value));
}

describe('attacks: decisions about calls', () => {
  it('An argument climbs out of what a rule allows, in any notation', async () => {
    const rule: JsonObject = { tool: 'mcp__notes__write', args: { path: 'src/**' }, action: 'allow' };
    await assertEach(rule, 'ran', ['src/a/b.ts', 'src/a b.ts', 'src/ä.ts']);
    await assertEach(rule, 'stopped', [
      ...['src/../../etc/passwd', 'src/%2e%2e/x', 'src/..%2fx', 'src\\..\\..\\x', 'src/.%2e/x', 'src/%252e%252e%252fx'],
      ...['src/．．/x', 'src/..;/x', '../src/x', '/etc/passwd', 'SRC/x', 'src/x\u0000/../../y', ' src/x', 'file:src/x'],
      ...[
        'src/.. /x',
        'src/..\u200b/x',
        'src/a/',
        'src//x',
        'src/./x',
        'src/x.',
        'src/x ',
        'src/a:b',
        'src/LONGNA~1/x',
      ],
      ...['src/$HOME/x', 'src/`id`', 'src/*', 'src/x\n', 'src/a\u0301', ['src/a', '../b'], {}, [], 7],
    ]);
    const notes: JsonObject = { tool: 'mcp__notes__write', args: { path: 'notes/*' }, action: 'allow' };
    await assertEach(notes, 'ran', ['notes/a.txt']);
    await assertEach(notes, 'stopped', [
      'notes/sub/a.txt',
      'notes/sub\\secret\\a.txt',
      'notes/sub%2fa.txt',
      'notes/sub／a',
    ]);
    const web: JsonObject = { tool: 'mcp__notes__write', args: { path: 'https://*.example.com/**' }, action: 'allow' };
    await assertEach(web, 'ran', ['https://a.example.com/x?q=a%20b']);
    await assertEach(web, 'stopped', [
      ...['https://evil?.example.com/x', 'https://evil#.example.com/x', 'https://evil\\.example.com/x'],
      ...[
        'https://evil:x@a.example.com/x',
        'https://a.example.com/../x',
        'HTTPS://a.example.com/x',
        'https://a.example.com//x',
      ],
    ]);
  });

  it('An argument slips under a rule that denies, in any notation', async () => {
    const rule: JsonObject = { tool: '*', args: { path: '*.env' }, action: 'deny' };
    await assertEach(rule, 'ran', ['a.envelope', 'env', 'src/a.ts', 'a.env.example', 'two words']);
    await assertEach(rule, 'stopped', [
      ...[
        'a.env',
        './a.env',
        'x/../a.env',
        'a.ENV',
        'a.env/',
        'a.env/.',
        'a.env\\',
        'a%2Eenv',
        'a%252eenv',
        'file:///a.%65nv',
      ],
      ...[
        'a.env ',
        'a.env.',
        'a.env::$DATA',
        'a.env:x',
        'a.env\u0000',
        'a.env\u0000.png',
        'a.env?x',
        'a.env#',
        'a．env',
      ],
      ...[
        'a.e\u200bnv',
        'a.e\\nv',
        '"a.env"',
        'a.e*',
        '$FILE',
        'x;cat a.env',
        'HEAD:a.env',
        '--file=a.env',
        '{a.env,b}',
      ],
      ...[
        'a.env/..namedfork/rsrc',
        ['b', ['a.env']],
        { in: 'a.env' },
        '%25252525252525252525252525252525252525252525252525',
      ],
    ]);
    const folder: JsonObject = { tool: '*', args: { path: '/etc/**' }, action: 'deny' };
    await assertEach(folder, 'ran', ['/home/etc', 'etcetera']);
    await assertEach(folder, 'stopped', [
      ...[
        '/etc/passwd',
        '//etc//passwd',
        '/etc',
        '/etc/',
        '../../etc/passwd',
        '/x/../etc/passwd',
        'file:///etc/passwd',
      ],
      ...['file://localhost/etc/passwd', '/proc/self/root/etc/passwd', '\\etc\\passwd', '/ETC/passwd', '/e?c/passwd'],
    ]);
    const nested: JsonObject = { tool: '*', args: { path: 'secrets/**' }, action: 'deny' };
    await assertEach(nested, 'ran', ['src/secrets.ts', 'my/secrets/a']);
    await assertEach(nested, 'stopped', [
      'secrets/a',
      'secrets',
      '/home/me/secrets/a',
      '../me/secrets/a',
      '~/secrets/a',
      'C:\\x\\secrets\\a',
    ]);
    const port: JsonObject = { tool: '*', args: { port: '22' }, action: 'deny' };
    await assertEach(port, 'stopped', [22, '22', ' 22', '022', '0x16', '22.0', '2.2e1'], (value) => ({ port: value }));
  });

  it('The same argument under nearly the same name beside it, or deeper inside', async () => {
    const allow: JsonObject = { tool: 'mcp__notes__write', args: { file_path: 'notes/**' }, action: 'allow' };
    await assertEach(allow, 'ran', ['file_path'], (key) => ({ [key]: 'notes/a', mode: '/etc' }));
    await assertEach(
      allow,
      'stopped',
      ['File_Path', 'FILE_PATH', 'filePath', 'file_path ', 'ｆile_path', 'file\u200b_path'],
      (key) => ({
        file_path: 'notes/a',
        [key]: '/etc/passwd',
      }),
    );
    const deny: JsonObject = { tool: '*', args: { path: '*.env' }, action: 'deny' };
    await assertEach(deny, 'stopped', ['path', 'Path', 'PATH', 'ｐath', 'path\u200b'], (key) => ({
      [key]: 'a.env',
    }));
    for (const args of [
      { files: [{ path: 'a.env' }] },
      { options: { Path: 'a.env' } },
      { options: '{"path":"a.env"}' },
    ])
      assert.equal(await under(deny, args), 'stopped', JSON.stringify(args));
    const pointer: JsonObject = { tool: '*', args: { '/files/0/path': '*.env' }, action: 'deny' };
    assert.equal(await under(pointer, { Files: [{ PATH: 'a.env' }] }), 'stopped');
    assert.equal(await under(pointer, { files: [{ name: 'a.env' }] }), 'ran');
  });

  it('A permission for certain arguments is used for others', async () => {
    const rig = new Rig();
    rig.answer = 'alwaysArgs';
    await rig.call('delete_note', { title: 'a' });
    rig.answer = 'deny';
    for (const args of [{ title: 'b' }, { title: 'a', token: 'x' }, {}, { title: 'a\u0000' }, { title: 'A' }])
      await rig.fails('denied', 'delete_note', args);
    assert.match(await rig.call('delete_note', { title: 'a' }), /ran/);
  });
});
