import { spawnSync } from 'node:child_process';
import { aptInstall } from './install.mjs';
import { onPath } from './run.mjs';

/**
 * Whether a program with windows needs a display that isn't there, as on a machine of CI.
 * @param {string} platform as `process.platform`
 * @param {NodeJS.ProcessEnv} env
 */
export function lacksDisplay(platform, env) {
  return platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
}

/**
 * Runs a script with a display that nobody sees (Xvfb), and gives its exit code.
 * @param {string} file
 * @param {readonly string[]} [args]
 * @throws where there is no Xvfb, and none can be installed
 */
export async function runOnVirtualDisplay(file, args = []) {
  const program = onPath('xvfb-run') ?? ((await aptInstall(['xvfb', 'xauth'])) ? onPath('xvfb-run') : undefined);
  if (program === undefined)
    throw new Error('There is no display, and no Xvfb for one. Debian: apt install xvfb xauth');
  return spawnSync(program, ['--auto-servernum', process.execPath, file, ...args], { stdio: 'inherit' }).status ?? 1;
}
