import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('has another checksum for a file that is changed, added, renamed or gone, and not for a source map', async () => {
    const { checksum } = await readBuild(folder);
    assert.match(checksum, /^[0-9a-f]{64}$/);
    writeFileSync(join(folder, 'dist', 'extension.js.map'), '{}');
    assert.equal((await readBuild(folder)).checksum, checksum);
    const seen = new Set([checksum]);
    const look = async (): Promise<void> => void seen.add((await readBuild(folder)).checksum);
    writeFileSync(join(folder, 'dist', 'more.js'), 'twO');
    await look();
    writeFileSync(join(folder, 'dist', 'third.js'), 'three');
    await look();
    rmSync(join(folder, 'dist', 'third.js'));
    rmSync(join(folder, 'dist', 'more.js'));
    await look();
    writeFileSync(join(folder, 'dist', 'most.js'), 'two');
    await look();
    assert.equal(seen.size, 5);
  });
});
