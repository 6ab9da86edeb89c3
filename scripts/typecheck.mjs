// npm run typecheck: everything, then the core once more without the editor's types, which it must not know, and what runs in pages.
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensurePackages } from './lib/install.mjs';
import { node24, root } from './lib/paths.mjs';

await ensurePackages();
for (const project of [
  'tsconfig.json',
  'tsconfig.core.json',
  'src/ui/pages/front/tsconfig.json',
  'src/bridge/apps/front/tsconfig.json',
]) {
  if (!existsSync(join(root, project))) continue;
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(node24, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
