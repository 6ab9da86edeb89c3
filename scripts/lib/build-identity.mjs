import { execFileSync } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * What the sources are that are built.
 * @typedef {{
 *   commit: string, // 40 hex digits, with `-changed` where files differ from it; `unknown` without git
 *   seconds: number, // when it was committed, since 1970; SOURCE_DATE_EPOCH goes before
 * }} BuildIdentity
 */

/**
 * The commit that is built, and its time: everything that a build may know of when and where it is made.
 * @returns {BuildIdentity}
 */
export function buildIdentity() {
  const given = Number.parseInt(process.env.SOURCE_DATE_EPOCH ?? '', 10);
  try {
    const [commit, seconds] = git('log', '-1', '--format=%H %ct').split(' ');
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return {
      commit: isChanged ? `${commit}-changed` : commit,
      seconds: Number.isNaN(given) ? Number(seconds) : given,
    };
  } catch {
    return { commit: 'unknown', seconds: Number.isNaN(given) ? 0 : given };
  }
}

/**
 * What git prints about the sources, without blanks around it.
 * @param {...string} args
 * @throws where git fails, or isn't there
 */
export function git(...args) {
  // A folder without git inside another repository isn't that repository.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: `${root}/..` };
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
