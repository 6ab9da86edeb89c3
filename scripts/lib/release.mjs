import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from './build-identity.mjs';
import { root } from './paths.mjs';
import { isPreRelease } from './release-channel.mjs';
import { say } from './run.mjs';

const SUMS = 'SHA256SUMS';

/**
 * What `npm run package` made of this version.
 * @returns {{ version: string, isPreRelease: boolean, vsix: string, bill: string, sums: string }} the files by their paths
 * @throws where a file is missing, or isn't the one of SHA256SUMS
 */
export function packagedRelease() {
  const folder = join(root, 'out', 'package');
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [vsix, bill] = [`${name}-${version}.vsix`, `${name}-${version}.cdx.json`];
  const written = readFileSync(join(folder, SUMS), 'utf8').trimEnd().split('\n');
  for (const file of [vsix, bill]) {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    if (!written.includes(`${digest}  ${file}`)) throw new Error(`${file} isn’t the one of ${SUMS}: package it again.`);
  }
  const pathOf = (/** @type {string} */ file) => join(folder, file);
  return { version, isPreRelease: isPreRelease(version), vsix: pathOf(vsix), bill: pathOf(bill), sums: pathOf(SUMS) };
}

/**
 * The run of a workflow that a release is made in, by the environment that GitHub gives it.
 * @param {string} version
 * @returns {{ repository: string, tag: string, ref: string, commit: string }}
 * @throws where it isn't of the version's tag, or the tag is no longer on the commit that the run began with: somebody moved it
 */
export function taggedRun(version) {
  const { GITHUB_REPOSITORY: repository, GITHUB_REF: ref, GITHUB_SHA: commit } = process.env;
  if (!repository || !ref || !commit) throw new Error('This runs in the workflow Release only.');
  const tag = `v${version}`;
  if (ref !== `refs/tags/${tag}`)
    throw new Error(`This run is of ${ref}, and the version of package.json is ${version}.`);
  // A tag with a message is an object of its own, and `^{}` is the commit that it is on: either is this tag and no other.
  const lines = git('ls-remote', 'origin', ref, `${ref}^{}`).split('\n');
  const refs = new Map(lines.map((line) => /** @type {[string, string]} */ (line.split('\t').toReversed())));
  const now = refs.get(`${ref}^{}`) ?? refs.get(ref);
  if (now !== commit && refs.get(ref) !== commit)
    throw new Error(`The tag ${tag} is on ${now ?? 'nothing'} now, and this run is of ${commit}: somebody moved it.`);
  return { repository, tag, ref, commit };
}

/**
 * Runs GitHub's program, or prints what it would run.
 * @param {readonly string[]} args
 * @param {boolean} [isDryRun]
 * @throws where it fails
 */
export function runGh(args, isDryRun) {
  if (isDryRun) return console.log(['gh', ...args].join(' '));
  const { status, error } = spawnSync('gh', args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`\`gh ${args.slice(0, 2).join(' ')}\` failed: ${error?.message ?? status}.`);
}

/**
 * Whether GitHub has a release of the tag, also one that isn't published yet.
 * @param {string} repository
 * @param {string} tag
 */
export function hasRelease(repository, tag) {
  return spawnSync('gh', ['release', 'view', tag, '--repo', repository], { cwd: root, stdio: 'ignore' }).status === 0;
}

/** Runs a step of a release: what it throws is said, and ends the job. @param {() => void | Promise<void>} step */
export async function releaseStep(step) {
  try {
    await step();
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
  }
}
