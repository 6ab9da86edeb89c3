import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBundleManifest, type BundleManifest } from '../../../../src/config/bundles/bundleManifest.ts';
import { fetchBundle } from '../../../../src/config/bundles/fetchBundle.ts';
import { sweepBundles } from '../../../../src/config/bundles/sweepBundles.ts';
import { openBundle, unpackBundle } from '../../../../src/config/bundles/unpackBundle.ts';
import { safePath, ZIP_LIMITS, ZipRefused, type ZipLimits } from '../../../../src/config/bundles/zipDirectory.ts';
import { McpRegistry } from '../../../support/mcpRegistry.ts';
import { zip, type ZipFile } from '../../../support/zip.ts';

const MANIFEST = {
  manifest_version: '0.3',
  name: 'Weather',
  version: '1.0.0',
  server: { type: 'node', entry_point: 'a.js' },
};
const own = { name: 'manifest.json', data: JSON.stringify(MANIFEST) };

describe('config/bundles', () => {
  let folder: string;
  const { signal } = new AbortController();
  const written = (bytes: Buffer): string => {
    const file = join(folder, 'x.mcpb');
    writeFileSync(file, bytes);
    return file;
  };
  const unpacked = async (bytes: Buffer, limits: ZipLimits = ZIP_LIMITS): Promise<string> => {
    const file = written(bytes);
    const { sha256 } = await openBundle(file, limits);
    await unpackBundle(file, join(folder, 'out'), { signal, sha256, limits });
    return join(folder, 'out');
  };

  // What would leave the folder is looked for beside it.
  let around: string;
  beforeEach(() => {
    around = mkdtempSync(join(tmpdir(), 'bundles-'));
    folder = join(around, 'in');
    mkdirSync(folder);
  });
  afterEach(() => rmSync(around, { recursive: true, force: true }));

  it('unpacks files and folders, packed and stored, with what may be run', async () => {
    const target = await unpacked(
      zip([
        own,
        { name: 'server/' },
        { name: 'server/run', data: '#!/bin/sh', mode: 0o100755 },
        { name: 'server\\win.js', data: 'x'.repeat(100_000) },
        { name: './empty.txt', data: '', isStored: true },
        { name: 'ünï/日本.txt', data: 'y', isStored: true },
      ]),
    );
    assert.equal(readFileSync(join(target, 'server/win.js'), 'utf8').length, 100_000);
    assert.equal(readFileSync(join(target, 'ünï/日本.txt'), 'utf8'), 'y');
    assert.equal(statSync(join(target, 'empty.txt')).size, 0);
    assert.equal(statSync(join(target, 'server/run')).mode & 0o777, 0o700);
    assert.equal(statSync(join(target, 'server/win.js')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder).sort(), ['out', 'x.mcpb']);
  });

  it('what was fetched or unpacked only in part is removed after a day', async () => {
    const id = '0b9c5a3e-1c2d-4e5f-8a9b-0c1d2e3f4a5b';
    const kept = 'weather-0123456789abcdef';
    const [now, day] = [Date.now(), 24 * 60 * 60 * 1000];
    for (const name of [kept, `${kept}.${id}`]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'a.js'), '1');
    }
    writeFileSync(join(folder, `${id}.mcpb`), '1');
    await sweepBundles(folder, now);
    assert.equal(readdirSync(folder).length, 3, 'another window may be at it');
    await sweepBundles(folder, now + day + 60_000);
    assert.deepEqual(readdirSync(folder), [kept]);
    await sweepBundles(join(folder, 'none'), now);
  });

  it('a signature behind the archive does no harm, and what is there already stays', async () => {
    const bytes = zip([own, { name: 'a.js', data: '1' }], Buffer.from('MCPB_SIG_V1....MCPB_SIG_END'));
    const target = await unpacked(bytes);
    writeFileSync(join(target, 'a.js'), '2');
    const { sha256 } = await openBundle(join(folder, 'x.mcpb'));
    assert.equal(await unpackBundle(join(folder, 'x.mcpb'), target, { signal, sha256 }), false);
    assert.equal(readFileSync(join(target, 'a.js'), 'utf8'), '2');
  });

  const HOSTILE: readonly (readonly [string, readonly ZipFile[] | Buffer, RegExp, Partial<ZipLimits>?])[] = [
    ...[
      '../evil',
      'a/../../evil',
      '/etc/evil',
      'C:\\evil',
      '\\\\host\\share',
      '..\\evil',
      'a//b',
      'con',
      'a/NUL.txt',
      'x.',
      'a\u0000b',
      'a\nb',
      'x'.repeat(300),
    ].map(
      (name) =>
        [`the path ${JSON.stringify(name.slice(0, 20))}`, [own, { name, data: 'x' }], /leads elsewhere/] as const,
    ),
    ['a link', [own, { name: 'l', data: '/etc/passwd', mode: 0o120777 }], /has a link/],
    ['a file twice', [own, { name: 'a', data: '1' }, { name: 'A', data: '2' }], /a file twice/],
    ['another manifest by case', [own, { name: 'Manifest.JSON', data: '{}' }], /a file twice/],
    ['a file that is a folder', [own, { name: 'a', data: '1' }, { name: 'a/b', data: '2' }], /file and a folder/],
    ['files that share their bytes', [own, { name: 'a', data: '1', packedSize: 5_000 }], /directory is damaged/],
    ['an encrypted file', [own, { name: 'a', data: '1', flags: 1 }], /encrypted/],
    ['another method', [own, { name: 'a', data: '1', method: 12 }], /isn’t supported/],
    [
      'more bytes than it says',
      [own, { name: 'a', data: 'x'.repeat(10_000_000), size: 10 }],
      /holds more than it says/,
    ],
    ['fewer bytes than it says', [own, { name: 'a', data: 'x', size: 10 }], /damaged/],
    ['another checksum', [own, { name: 'a', data: 'x', crc: 7 }], /damaged/],
    ['too many files', [own, { name: 'a' }, { name: 'b' }], /more than 2 files/, { entries: 2 }],
    ['too much', [own, { name: 'a', data: 'x'.repeat(3 * 2 ** 20) }], /larger than 1 MB/, { totalBytes: 2 ** 20 }],
    [
      'too large a file',
      [
        own,
        {
          name: 'a',
          data: Buffer.from(Array.from({ length: 2 ** 21 }, (_, index) => (index * 7919) % 251)),
          isStored: true,
        },
      ],
      /larger than 1 MB/,
      { fileBytes: 2 ** 20 },
    ],
    ['no manifest', [{ name: 'a', data: 'x' }], /no manifest/],
    ['a manifest that isn’t JSON', [{ name: 'manifest.json', data: '{' }], /isn’t JSON/],
    ['a huge manifest', [{ name: 'manifest.json', data: ' '.repeat(2 * 2 ** 20) }], /too long/],
    ['text', Buffer.from('hello'), /isn’t a ZIP/],
    ['nothing', Buffer.alloc(0), /isn’t a ZIP/],
    ['a directory that isn’t there', zip([own], Buffer.alloc(0), 40_000), /damaged/],
    ['half of it', zip([own, { name: 'a', data: 'x' }]).subarray(60), /damaged/],
  ];
  for (const [title, files, reason, limits] of HOSTILE)
    it(`isn’t unpacked: ${title}`, async () => {
      const bytes = Buffer.isBuffer(files) ? files : zip(files);
      await assert.rejects(unpacked(bytes, { ...ZIP_LIMITS, ...limits }), (error: unknown) => {
        assert.ok(error instanceof ZipRefused, String(error));
        assert.match(error.message, reason);
        return true;
      });
      assert.deepEqual(readdirSync(folder), ['x.mcpb']);
      assert.ok(!existsSync(join(folder, '..', 'evil')));
    });

  it('jacob-bd/gemini-notebook-mcp-cli#78: a bundle that lacks what it runs is known before it is unpacked', async () => {
    const bundle = await openBundle(written(zip([own])));
    const manifest = readBundleManifest(bundle.manifest, 'linux');
    assert.ok(typeof manifest === 'object');
    assert.deepEqual([manifest.entryPoint, bundle.has('a.js'), bundle.has('./manifest.json')], ['a.js', false, true]);
  });

  it('what was cancelled, or has changed since it was shown, leaves nothing', async () => {
    const file = written(zip([own, { name: 'a.js', data: '1' }]));
    const { sha256 } = await openBundle(file);
    await assert.rejects(unpackBundle(file, join(folder, 'out'), { signal: AbortSignal.abort(), sha256 }), {
      name: 'AbortError',
    });
    writeFileSync(file, zip([own, { name: 'a.js', data: '2' }]));
    await assert.rejects(unpackBundle(file, join(folder, 'out'), { signal, sha256 }), /changed meanwhile/);
    assert.deepEqual(readdirSync(folder), ['x.mcpb']);
  });

  it('paths are judged alike on every platform', () => {
    assert.deepEqual(safePath('a\\b/./c'), ['a', 'b', 'c']);
    for (const bad of ['.', './', 'a/..', 'a:b', 'aux.js', 'a /b']) assert.equal(safePath(bad), undefined, bad);
  });

  describe('fetched', () => {
    let registry: McpRegistry;
    const bytes = zip([own]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const fetched = (path: string, more: object = {}): Promise<void> =>
      fetchBundle(registry.origin + path, join(folder, 'y.mcpb'), { fetch, signal, sha256, ...more });

    beforeEach(async () => {
      registry = await McpRegistry.open();
      registry.files.set('/x.mcpb', bytes);
    });
    afterEach(() => registry.close());

    it('only what was published', async () => {
      await fetched('/x.mcpb');
      assert.deepEqual(readFileSync(join(folder, 'y.mcpb')), bytes);
      rmSync(join(folder, 'y.mcpb'));
      registry.files.set('/x.mcpb', zip([own, { name: 'evil.js', data: 'x' }]));
      await assert.rejects(fetched('/x.mcpb'), /SHA-256 is another/);
    });

    it('not more than the limit, nor from where it leads to', async () => {
      await assert.rejects(fetched('/x.mcpb', { maxBytes: 10 }), /larger than/);
      rmSync(join(folder, 'y.mcpb'), { force: true });
      const leading = (location: string) => async (url: string) =>
        url === 'https://h.example/x' ? new Response(null, { status: 302, headers: { location } }) : new Response('x');
      for (const location of [
        'http://h.example/y',
        'file:///etc/passwd',
        `${registry.origin}/x.mcpb`,
        'https://h.example/x',
      ])
        await assert.rejects(
          fetchBundle('https://h.example/x', join(folder, 'y.mcpb'), { fetch: leading(location), signal, sha256 }),
          /without `https`|of this machine|too often/,
          location,
        );
      assert.ok(!existsSync(join(folder, 'y.mcpb')));
    });
  });
});

describe('config/bundleManifest', () => {
  const manifestOf = (value: object, platform: NodeJS.Platform = 'linux'): BundleManifest => {
    const manifest = readBundleManifest({ ...MANIFEST, ...value }, platform);
    return typeof manifest === 'string' ? assert.fail(manifest) : manifest;
  };
  const built = (manifest: BundleManifest, answers: Readonly<Record<string, readonly string[]>> = {}): object =>
    manifest.build('/b', new Map(Object.entries(answers))).value;

  it('asks for its `user_config`: secrets as inputs, folders as arguments of their own, what is empty left out', () => {
    const manifest = manifestOf({
      server: {
        type: 'node',
        entry_point: 'a.js',
        mcp_config: {
          command: 'node',
          args: [
            '${__dirname}/a.js',
            '--db',
            '${user_config.db}',
            '${user_config.folders}',
            '--max=${user_config.max}',
          ],
          env: { KEY: '${user_config.key}', HOME_DIR: '${HOME}/x', UNSET: '${user_config.db}' },
        },
      },
      user_config: {
        folders: {
          type: 'directory',
          title: 'Folders',
          multiple: true,
          required: true,
          default: ['${HOME}/Desktop', '${DOCUMENTS}'],
        },
        key: { type: 'string', title: 'Key', sensitive: true, required: true },
        db: { type: 'file' },
        max: { type: 'number', default: 10, min: 1, max: 100 },
      },
    });
    assert.deepEqual(
      manifest.questions.map(({ id, kind, isRequired, isSecret, isRepeated, defaults }) =>
        [id, kind, isRequired, isSecret, isRepeated, ...defaults].join(' '),
      ),
      [
        'weather-folders folder true false true ${userHome}/Desktop ${userHome}/Documents',
        'weather-key text true true false',
        'weather-db file false false false',
        'weather-max number false false false 10',
      ],
    );
    const answers = {
      'weather-folders': ['/a', '/b c'],
      'weather-key': ['s3cret'],
      'weather-db': [''],
      'weather-max': ['5'],
    };
    assert.deepEqual(built(manifest, answers), {
      command: 'node',
      args: ['/b/a.js', '/a', '/b c', '--max=5'],
      env: { KEY: '${input:weather-key}', HOME_DIR: '${userHome}/x' },
      cwd: '/b',
    });
    const { inputs, secrets } = manifest.build('/b', new Map(Object.entries(answers)));
    assert.deepEqual([inputs.map(({ id }) => id), [...secrets]], [['weather-key'], [['weather-key', 's3cret']]]);
  });

  it('keys that read alike are two questions, and the folder is taken as it is', () => {
    const manifest = manifestOf({
      server: {
        type: 'node',
        entry_point: 'a.js',
        mcp_config: {
          command: 'node',
          args: ['${__dirname}/a.js'],
          env: { A: '${user_config.api_key}', B: '${user_config.api-key}' },
        },
      },
      user_config: { api_key: { type: 'string', sensitive: true }, 'api-key': { type: 'string' } },
    });
    const [first, second] = manifest.questions.map(({ id }) => id);
    assert.deepEqual([first, second], ['weather-api-key', 'weather-api-key-2']);
    const { value } = manifest.build("/b$'$&", new Map([['weather-api-key', ['s3cret']]]));
    assert.deepEqual(value['args'], ["/b$'$&/a.js"]);
    assert.deepEqual(value['env'], { A: '${input:weather-api-key}' });
  });

  it('takes what a platform has of its own, and a program of the bundle by its whole path', () => {
    const server = {
      type: 'binary',
      entry_point: 'server/run',
      mcp_config: {
        command: 'server/run',
        args: ['--config', 'c.json'],
        env: { A: '1' },
        platform_overrides: { win32: { args: ['--win'] }, darwin: { env: { B: '2' } } },
      },
    };
    assert.deepEqual(built(manifestOf({ server })), {
      command: '/b/server/run',
      args: ['--config', 'c.json'],
      env: { A: '1' },
      cwd: '/b',
    });
    assert.deepEqual(built(manifestOf({ server }, 'darwin')), {
      command: '/b/server/run',
      args: ['--config', 'c.json'],
      env: { A: '1', B: '2' },
      cwd: '/b',
    });
    assert.deepEqual(built(manifestOf({ server }, 'win32')), {
      command: '\\b\\server\\run.exe',
      args: ['--win'],
      env: { A: '1' },
      cwd: '/b',
    });
  });

  // Reports of other hosts' users.
  it('modelcontextprotocol/mcpb#201: a server of type uv without `mcp_config`', () => {
    const server = { type: 'uv', entry_point: 'src/server.py' };
    assert.deepEqual(built(manifestOf({ server })), {
      command: 'uv',
      args: ['run', '--directory', '/b', 'src/server.py'],
      env: {},
      cwd: '/b',
    });
  });
  it('modelcontextprotocol/mcpb#101: `dxt_version` in place of `manifest_version`', () => {
    const { manifest_version: _version, ...rest } = MANIFEST;
    assert.equal(typeof readBundleManifest({ dxt_version: '0.1', ...rest }, 'linux'), 'object');
  });
  it('modelcontextprotocol/mcpb#96: a `python` that nobody needs isn’t looked for; on Linux it is python3', () => {
    const server = { type: 'python', entry_point: 'm.py' };
    assert.equal((built(manifestOf({ server })) as { command: string }).command, 'python3');
    const uv = { type: 'python', entry_point: 'm.py', mcp_config: { command: 'uv', args: ['run'] } };
    assert.equal((built(manifestOf({ server: uv })) as { command: string }).command, 'uv');
  });

  it('says why it can’t be used', () => {
    for (const value of [
      null,
      [],
      {},
      { name: 'x' },
      { ...MANIFEST, server: { type: 'node' } },
      { ...MANIFEST, server: {} },
      { ...MANIFEST, server: { type: '__proto__', entry_point: 'x' } },
    ])
      assert.equal(typeof readBundleManifest(value, 'linux'), 'string', JSON.stringify(value));
    assert.match(manifestOf({ compatibility: { platforms: ['win32'] } }).refusal ?? '', /for win32/);
    assert.equal(manifestOf({ compatibility: { platforms: ['linux'] } }).refusal, undefined);
    assert.doesNotThrow(() => manifestOf({ user_config: { a: 7, b: { type: 'constructor' }, c: { default: {} } } }));
  });
});
