import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { basename, delimiter, dirname, extname, isAbsolute, join } from 'node:path';

const isWindows = process.platform === 'win32';

/** One line of progress. It goes to stderr, so that a script's stdout stays its result. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * The full path of a program on PATH, or undefined. What is said relative to the current folder isn't looked at: it would be another in each.
 * @param {string} name
 */
export function onPath(name) {
  const names = isWindows ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter((each) => isAbsolute(each))) {
    for (const candidate of names) {
      const file = join(folder, candidate);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here: the next folder.
      }
    }
  }
  return undefined;
}

/**
 * Runs a program to its end and gives its output; throws with the last lines of it when the program fails. The output
 * is kept back, since an installer's chatter says nothing when all went well. There is no shell, which would read blanks and `&` in paths.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-1_000_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const tail = output.trim().split('\n').slice(-20).join('\n');
      reject(new Error(`\`${command} ${args.join(' ')}\` ended with ${signal ?? code}:\n${tail}`));
    });
  });
}

/**
 * Runs npm as `run` does.
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function runNpm(args, options) {
  const [command, ...first] = npmCommand(onPath('npm'));
  return run(command, [...first, ...args], options);
}

/**
 * What starts npm: on Windows it is a command file, which only a shell runs, so that Node runs the program beside it, or, where a version
 * manager put the file elsewhere, the npm that runs this script.
 * @param {string | undefined} found npm on PATH
 * @param {string} [running] npm's program, which it tells its scripts
 * @returns {[string, ...string[]]} the program, and its first arguments
 * @throws where there is none
 */
export function npmCommand(found, running = process.env.npm_execpath) {
  if (found === undefined) throw new Error('npm is not on PATH: it comes with Node.');
  if (!['.cmd', '.bat'].includes(extname(found).toLowerCase())) return [found];
  const beside = join(dirname(found), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  if (existsSync(beside)) return [process.execPath, beside];
  // Other package managers name theirs there, too.
  if (running !== undefined && basename(running) === 'npm-cli.js' && existsSync(running))
    return [process.execPath, running];
  throw new Error(`npm’s program isn’t beside ${found}. Start this script by npm: npm run NAME`);
}

/**
 * The environment with a Node of our choice first on PATH, for npm and what it starts.
 * @param {string} node the program
 * @returns {NodeJS.ProcessEnv}
 */
export function withNode(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}
