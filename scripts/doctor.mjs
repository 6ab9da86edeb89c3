// npm run -s doctor -- --workspace DIR [--home DIR] [--json] [--connect]: what is configured where, and what is wrong with
// it, without an editor. Exits with 1 where there is an error or a warning. stdout is the report's alone.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { delimiter, join } from 'node:path';
import { ensurePackages } from './lib/install.mjs';
import { node24, root } from './lib/paths.mjs';

const begin = `
  import { runDoctor } from ${JSON.stringify(pathToFileURL(join(root, 'src', 'doctor', 'runDoctor.ts')).href)};
  const code = await runDoctor(process.argv.slice(1), (text) => process.stdout.write(text.trimEnd() + '\\n'));
  process.exitCode = code;
`;

await ensurePackages();
const args = ['--input-type=module', '--eval', begin, '--', ...process.argv.slice(2)];
const { status } = spawnSync(node24, args, { stdio: 'inherit', env: { ...process.env, PATH: pathWithoutNpm() } });
process.exitCode = status ?? 1;

/** Without what npm puts in front of it for its scripts: a server isn't searched there. */
function pathWithoutNpm() {
  const entries = (process.env.PATH ?? '').split(delimiter);
  return entries.filter((entry) => !/node_modules[\\/]\.bin$|node-gyp-bin$/.test(entry)).join(delimiter);
}
