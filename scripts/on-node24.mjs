// node scripts/on-node24.mjs SCRIPT [ARGUMENT …]: runs a script that imports packages or TypeScript, with what it imports installed first.
// `&&` wouldn't do: a shell remembers where it found `node` before Node 24 was installed.
import { spawnSync } from 'node:child_process';
import { ensurePackages } from './lib/install.mjs';
import { node24 } from './lib/paths.mjs';
import { say, withNode } from './lib/run.mjs';

try {
  await ensurePackages();
  const { status } = spawnSync(node24, process.argv.slice(2), { stdio: 'inherit', env: withNode(node24) });
  process.exitCode = status ?? 1;
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
