import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asNobody } from '../../support/asNobody.ts';
import { readBuild } from '../../../src/doctor/installedBuild.ts';

describe('the installed build', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-build-'));
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
    writeFileSync(join(folder, 'dist', 'extension.js'), 'one');
    writeFileSync(join(folder, 'dist', 'more.js'), 'two');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('says version and commit', async () => {
    writeFileSync(join(folder, 'dist', 'build.json'), '{ "commit": "0123" }');
    const { version, commit } = await readBuild(folder);
    assert.deepEqual([version, commit], ['1.2.3', '0123']);
  });

  it('says that a commit isn’t recorded', async () => {
    assert.equal((await readBuild(folder)).commit, 'unknown');
    writeFileSync(join(folder, 'dist', 'build.json'), '[]');
    assert.equal((await readBuild(folder)).commit, 'unknown');
  });

  it('has another checksum for any file that is changed, added, renamed or gone', async () => {
    const at = (...names: readonly string[]): string => join(folder, ...names);
    const seen = new Set([(await readBuild(folder)).checksum]);
    for (const checksum of seen) assert.match(checksum, /^[0-9a-f]{64}$/);
    const changes: readonly (() => void)[] = [
      () => writeFileSync(at('dist', 'more.js'), 'twO'),
      () => writeFileSync(at('dist', 'third.js'), 'three'),
      () => rmSync(at('dist', 'third.js')),
      () => rmSync(at('dist', 'more.js')),
      () => writeFileSync(at('dist', 'most.js'), 'two'),
      () => writeFileSync(at('dist', 'extension.js.map'), '{}'),
      () => writeFileSync(at('package.json'), '{ "version": "1.2.3", "main": "./other.js" }'),
      () => writeFileSync(at('package.nls.de.json'), '{}'),
      () => writeFileSync(at('readme.md'), 'Run this'),
      () => mkdirSync(at('media', 'walkthrough'), { recursive: true }),
      () => writeFileSync(at('media', 'walkthrough', 'a.svg'), '<svg/>'),
      () => writeFileSync(at('media', 'walkthrough', '.hidden'), ''),
      () => mkdirSync(at('node_modules', 'ws'), { recursive: true }),
      () => writeFileSync(at('node_modules', 'ws', 'index.js'), ''),
    ];
    let files = 1;
    for (const change of changes) {
      change();
      const before = seen.size;
      seen.add((await readBuild(folder)).checksum);
      files += seen.size - before;
    }
    // Two changes only made folders, and one took back another.
    assert.equal(files, changes.length + 1 - 3);
  });

  it('counts neither what editors write when they install, nor how they write package.json', async () => {
    const { checksum } = await readBuild(folder);
    writeFileSync(join(folder, '.vsixmanifest'), '<PackageManifest/>');
    const manifest = { __metadata: { installedTimestamp: 1 }, version: '1.2.3' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, '\t'));
    assert.equal((await readBuild(folder)).checksum, checksum);
  });

  it('neither follows a link nor waits for a FIFO, and counts them', async function () {
    if (process.platform === 'win32') return;
    const seen = new Set([(await readBuild(folder)).checksum]);
    symlinkSync('/', join(folder, 'dist', 'all'));
    seen.add((await readBuild(folder)).checksum);
    rmSync(join(folder, 'dist', 'all'));
    symlinkSync('/tmp', join(folder, 'dist', 'all'));
    seen.add((await readBuild(folder)).checksum);
    execFileSync('mkfifo', [join(folder, 'dist', 'pipe')]);
    seen.add((await readBuild(folder)).checksum);
    assert.equal(seen.size, 4);
  });

  it('tells one file with a line break in its name from two', async function () {
    if (process.platform === 'win32') return;
    const { checksum } = await readBuild(folder);
    const digest = createHash('sha256').update('two').digest('hex');
    rmSync(join(folder, 'dist', 'extension.js'));
    rmSync(join(folder, 'dist', 'more.js'));
    mkdirSync(join(folder, 'dist', `extension.js\n${digest}  dist`));
    writeFileSync(join(folder, 'dist', `extension.js\n${digest}  dist`, 'more.js'), 'one');
    assert.notEqual((await readBuild(folder)).checksum, checksum);
  });

  it('has no commit where that file is damaged', async () => {
    writeFileSync(join(folder, 'dist', 'build.json'), '{ "com');
    assert.equal((await readBuild(folder)).commit, 'unknown');
  });

  it('has none of its sources', async () => {
    for (const name of ['.git', 'tsconfig.json']) {
      writeFileSync(join(folder, name), '{}');
      assert.equal((await readBuild(folder)).checksum, 'unknown');
      rmSync(join(folder, name));
    }
  });

  it('is the same however the folder is written, and with a byte order mark', async () => {
    const build = await readBuild(folder);
    writeFileSync(join(folder, 'package.json'), '\uFEFF{ "version": "1.2.3" }');
    for (const name of [`${folder}/`, `${folder}/./dist/..`]) assert.deepEqual(await readBuild(name), build);
  });

  it('counts a manifest that is damaged, whose version nobody knows', async () => {
    const { checksum } = await readBuild(folder);
    writeFileSync(join(folder, 'package.json'), '{ "ver');
    const damaged = await readBuild(folder);
    assert.equal(damaged.version, 'unknown');
    assert.match(damaged.checksum, /^[0-9a-f]{64}$/);
    assert.notEqual(damaged.checksum, checksum);
  });

  it('says why it can’t be read', async function () {
    if (process.platform === 'win32') return;
    writeFileSync(join(folder, 'dist', 'secret.js'), '', { mode: 0 });
    await asNobody([folder], async () => {
      const build = await readBuild(folder);
      assert.deepEqual(build, { version: '1.2.3', commit: 'unknown', checksum: 'could not be read (EACCES)' });
    });
    const none = { version: 'unknown', commit: 'unknown', checksum: 'could not be read (ENOENT)' };
    assert.deepEqual(await readBuild(join(folder, 'none')), none);
  });
});
