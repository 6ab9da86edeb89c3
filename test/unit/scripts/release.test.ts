import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { npmCommand, onPath } from '../../../scripts/lib/run.mjs';
import { scratchFolder } from './scratch.ts';

const REPOSITORY = 'mcp-switchboard/mcp-switchboard';

describe('the scripts of a release', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  after(() => scratch.remove());
  let count = 0;

  /** A repository of one commit with the scripts, a package of this version, and an `origin` that has its tag. */
  function release(version: string, ...annotation: readonly string[]): Release {
    count += 1;
    const [folder, origin] = [scratch.file(`release-${count}`), scratch.file(`origin-${count}`)];
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'mcp-switchboard', version, type: 'module' }));
    mkdirSync(join(folder, 'out', 'package'), { recursive: true });
    const sums = ['vsix', 'cdx.json'].map((ending) => {
      const name = `mcp-switchboard-${version}.${ending}`;
      writeFileSync(join(folder, 'out', 'package', name), ending);
      return `${createHash('sha256').update(ending).digest('hex')}  ${name}\n`;
    });
    writeFileSync(join(folder, 'out', 'package', 'SHA256SUMS'), sums.join(''));
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    execFileSync('git', ['init', '--quiet', '--bare', origin]);
    git('init', '--quiet');
    git('add', 'package.json');
    git('commit', '--quiet', '-m', 'First');
    git('tag', ...annotation, `v${version}`);
    git('remote', 'add', 'origin', origin);
    git('push', '--quiet', 'origin', `v${version}`);
    const environment = {
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_REF: `refs/tags/v${version}`,
      GITHUB_SHA: git('rev-parse', 'HEAD'),
    };
    const run: Release['run'] = (script, args = ['--dry-run'], env = {}) =>
      spawnSync(process.execPath, [join(folder, 'scripts', script), ...args], {
        encoding: 'utf8',
        env: { ...process.env, ...environment, ...env },
      });
    return { folder, commit: environment.GITHUB_SHA, git, run };
  }

  describe('announce', () => {
    it('makes a pre-release of an odd minor version, and a release of an even one', () => {
      for (const [version, expected] of [
        ['0.1.4', true],
        ['0.2.0', false],
        ['1.0.0', false],
        ['1.11.0', true],
      ] as const) {
        // prettier-ignore
        const { stdout, stderr, status } = release(version).run('announce.mjs');
        assert.equal(status, 0, stderr);
        assert.match(stdout, new RegExp(`^gh release create v${version} --repo ${REPOSITORY} --verify-tag `));
        assert.equal(stdout.split(' ').includes('--prerelease'), expected, version);
        for (const file of ['.vsix', '.cdx.json', 'SHA256SUMS']) assert.ok(stdout.includes(file), file);
      }
    });

    it('takes a tag with a message by its commit, or as the object that it is', () => {
      const { run, git } = release('0.2.0', '-a', '-m', 'Release');
      const tag = git('rev-parse', 'v0.2.0');
      for (const env of [{}, { GITHUB_SHA: tag }]) assert.equal(run('announce.mjs', ['--dry-run'], env).status, 0);
      assert.equal(run('announce.mjs', ['--dry-run'], { GITHUB_SHA: git('rev-parse', 'HEAD^{tree}') }).status, 1);
    });

    it('ends where the tag was moved, taken away, or is of another version; a branch of its name is no tag', () => {
      const { run, git, commit } = release('0.2.0');
      const fails = (expected: RegExp, env?: NodeJS.ProcessEnv): void => {
        for (const script of ['announce.mjs', 'verify-release.mjs']) {
          const { stdout, stderr, status } = run(script, ['--dry-run'], env);
          assert.deepEqual([status, stdout], [1, ''], script);
          assert.match(stderr, expected);
        }
      };
      fails(/This run is of refs\/tags\/v0\.3\.0/, { GITHUB_REF: 'refs/tags/v0.3.0' });
      fails(/This run is of refs\/heads\/main/, { GITHUB_REF: 'refs/heads/main' });
      fails(/in the workflow Release only/, { GITHUB_SHA: '' });
      git('commit', '--quiet', '--allow-empty', '-m', 'Second');
      git('tag', '--force', 'v0.2.0');
      git('push', '--quiet', '--force', 'origin', 'v0.2.0');
      fails(/is on [0-9a-f]{40} now, and this run is of [0-9a-f]{40}: somebody moved it/);
      git('push', '--quiet', 'origin', ':refs/tags/v0.2.0');
      git('push', '--quiet', 'origin', `${commit}:refs/heads/refs/tags/v0.2.0`);
      fails(/is on nothing now/);
    });

    it('runs GitHub’s program, and fails where that fails or is missing', function () {
      if (process.platform === 'win32') return; // The release runs on Linux.
      const path = scratch.file('bin');
      mkdirSync(path);
      symlinkSync(onPath('git') ?? '', join(path, 'git'));
      const { run } = release('0.2.0');
      const announce = (): ReturnType<typeof run> => run('announce.mjs', [], { PATH: path });
      assert.match(announce().stderr, /`gh release create` failed: .*ENOENT/);
      assert.equal(announce().status, 1);
      const lacksIt = '[ "$2" = view ] && exit 1';
      scratch.write('bin/gh', `#!/bin/sh\n${lacksIt}\necho "$2 $3"\n`, 0o755);
      assert.deepEqual([announce().status, announce().stdout], [0, 'create v0.2.0\n']);
      // A job that is run again after it was ended in the middle.
      scratch.write('bin/gh', '#!/bin/sh\necho "$2 $3 $6"\n', 0o755);
      assert.deepEqual(
        [announce().status, announce().stdout],
        [0, 'upload v0.2.0 --clobber\nedit v0.2.0 --verify-tag\n'],
      );
      scratch.write('bin/gh', '#!/bin/sh\n[ "$2" = view ] || exit 4\n', 0o755);
      assert.match(announce().stderr, /`gh release upload` failed: 4/);
      scratch.write('bin/gh', '#!/bin/sh\nexit 4\n', 0o755);
      assert.match(announce().stderr, /`gh release create` failed: 4/);
      assert.equal(announce().status, 1);
    });
  });

  it('verify-release asks for an attestation of this workflow, this tag and this commit, for each file', () => {
    const { run, commit } = release('0.1.0');
    const lines = run('verify-release.mjs').stdout.trimEnd().split('\n');
    assert.equal(lines.length, 2);
    for (const [index, ending] of ['vsix', 'cdx.json'].entries())
      assert.match(
        lines[index] ?? '',
        new RegExp(
          `^gh attestation verify \\S+-0\\.1\\.0\\.${ending} --repo ${REPOSITORY} ` +
            `--signer-workflow ${REPOSITORY}/\\.github/workflows/release\\.yml ` +
            `--source-ref refs/tags/v0\\.1\\.0 --source-digest ${commit} --deny-self-hosted-runners$`,
        ),
      );
  });

  it('none takes a file that isn’t the one of SHA256SUMS', () => {
    for (const ending of ['vsix', 'cdx.json']) {
      const { folder, run } = release('0.1.0');
      writeFileSync(join(folder, 'out', 'package', `mcp-switchboard-0.1.0.${ending}`), 'other');
      for (const [script, ...args] of [
        ['announce.mjs'],
        ['verify-release.mjs'],
        ['publish.mjs', 'open-vsx'],
      ] as const) {
        const { stdout, stderr, status } = run(script, [...args, '--dry-run']);
        assert.deepEqual([status, stdout], [1, ''], script);
        assert.match(stderr, /isn’t the one of SHA256SUMS/);
      }
    }
  });

  describe('publish-to', () => {
    it('knows its marketplaces only', () => {
      const { run } = release('0.1.0');
      for (const name of ['constructor', '__proto__', 'toString', 'elsewhere', '']) {
        const { stderr, status } = run('publish.mjs', [name, '--dry-run']);
        assert.equal(status, 2, name);
        assert.equal(stderr, 'Name one of these marketplaces: visual-studio, open-vsx.\n');
      }
    });

    it('says of a pre-release that it is one', () => {
      const said = (version: string, marketplace: string): string =>
        release(version).run('publish.mjs', [marketplace, '--dry-run']).stdout;
      assert.match(
        said('0.1.0', 'visual-studio'),
        /vsce publish --oidc --skip-duplicate --packagePath .* --pre-release$/m,
      );
      assert.match(said('0.2.0', 'visual-studio'), /0\.2\.0\.vsix$/m);
      assert.match(
        said('0.1.0', 'open-vsx'),
        /ovsx publish --trusted-publishing --skip-duplicate --packagePath .*vsix$/m,
      );
    });

    it('installs packages without running a script of theirs', () => {
      const { folder, run } = release('0.1.0');
      const npm = (cwd: string, ...args: readonly string[]): void => {
        const [command, ...first] = npmCommand(onPath('npm'));
        execFileSync(command, [...first, ...args, '--offline', '--no-audit', '--no-fund'], { cwd, stdio: 'pipe' });
      };
      const mark = scratch.file('ran');
      const script = `node -e "require('fs').writeFileSync(process.env.MARK, '')"`;
      const publisher = scratch.file('publisher');
      scratch.write('publisher/bin/ovsx', `console.log('published', process.argv.slice(2).join(' '));`);
      const manifest = { name: 'ovsx', version: '1.0.0', scripts: { postinstall: script } };
      scratch.write('publisher/package.json', JSON.stringify(manifest));
      npm(publisher, 'pack', '--pack-destination', folder);
      const file = join(folder, 'package.json');
      const dependencies = { ovsx: 'file:ovsx-1.0.0.tgz' };
      writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), dependencies }));
      npm(folder, 'install', '--package-lock-only');
      const { stdout, stderr, status } = run('publish.mjs', ['open-vsx'], { MARK: mark, npm_config_offline: 'true' });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^published publish --trusted-publishing /);
      assert.ok(!existsSync(mark));
    });
  });

  it('same-package compares what systems made', () => {
    const { run } = release('0.1.0');
    const compared = (name: string, sums: Readonly<Record<string, string>>): number | null => {
      mkdirSync(scratch.file(name), { recursive: true });
      for (const [system, text] of Object.entries(sums)) scratch.write(`${name}/package-${system}/SHA256SUMS`, text);
      return run('same-package.mjs', [scratch.file(name)]).status;
    };
    const line = `${'a'.repeat(64)}  mcp-switchboard-0.1.0.vsix\n`;
    assert.equal(compared('same', { ubuntu: line, macos: line, windows: line }), 0);
    assert.equal(compared('other', { ubuntu: line, macos: line, windows: line.replace('a', 'b') }), 1);
    assert.equal(compared('first other', { ubuntu: line.replace('a', 'b'), macos: line, windows: line }), 1);
    assert.equal(compared('more', { ubuntu: line, macos: line + line, windows: line }), 1);
    assert.equal(compared('nothing in them', { ubuntu: '', macos: '' }), 1);
    assert.equal(compared('one', { ubuntu: line }), 1);
    assert.equal(compared('none', {}), 1);
    scratch.write('missing/package-macos/mcp-switchboard-0.1.0.vsix', '');
    assert.equal(compared('missing', { ubuntu: line }), 1);
    assert.equal(run('same-package.mjs', []).status, 2);
  });

  it('are given the name of a tag as it is, by the workflow’s shell and npm’s', function () {
    if (process.platform === 'win32') return; // The release runs on Linux.
    const folder = scratch.file('named');
    scratch.write('named/print.cjs', 'console.log(JSON.stringify(process.argv.slice(2)));');
    scratch.write('named/package.json', JSON.stringify({ scripts: { package: 'node print.cjs' } }));
    for (const tag of ['v1;id', 'v$(id)', 'v`id`', "v'1", 'v"1', 'v1&id', 'v1|id', 'v1>f', 'v$HOME', 'v!1', 'v{1,2}']) {
      const line = 'npm run --silent package -- --tag "$GITHUB_REF_NAME"';
      const env = { ...process.env, GITHUB_REF_NAME: tag };
      const output = execFileSync('bash', ['-e', '-c', line], { cwd: folder, env, encoding: 'utf8' });
      assert.deepEqual(JSON.parse(output), ['--tag', tag]);
    }
  });
});

interface Release {
  readonly folder: string;
  readonly commit: string;
  readonly git: (...args: readonly string[]) => string;
  readonly run: (
    script: string,
    args?: readonly string[],
    env?: NodeJS.ProcessEnv,
  ) => { readonly status: number | null; readonly stdout: string; readonly stderr: string };
}
