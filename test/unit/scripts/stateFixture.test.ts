import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryCopy } from '../../support/repositoryCopy.ts';

describe('npm run state-fixture', function () {
  this.timeout(60_000);
  let copy: ReturnType<typeof repositoryCopy>;
  before(() => (copy = repositoryCopy()));
  after(() => copy.remove());

  const git = (...args: readonly string[]): Buffer =>
    execFileSync('git', ['-C', copy.path, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);
  const run = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, ['test/support/writeStateFixture.ts', ...args], { cwd: copy.path, encoding: 'utf8' });

  it('writes nothing for a version that is released, with an unknown argument, or where it is asked for help', () => {
    const { version } = JSON.parse(readFileSync(join(copy.path, 'package.json'), 'utf8')) as { version: string };
    git('init', '--quiet');
    git('add', 'package.json', 'test/fixtures/state');
    git('commit', '--quiet', '-m', 'First');
    git('tag', `v${version}`);
    for (const [args, status, expected] of [
      [[], 1, /is released/],
      [['--oops'], 1, /Unknown option '--oops'/],
      [['0.0.9'], 1, /Unexpected argument '0\.0\.9'/],
      [['--help'], 0, /writes what/],
    ] as const) {
      const { stderr, ...ended } = run(...args);
      assert.match(String(stderr), expected);
      assert.equal(ended.status, status);
    }
    assert.equal(git('status', '--porcelain', 'test/fixtures/state').toString(), '');
  });
});
