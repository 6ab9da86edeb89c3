// Installs what is missing, for npm scripts whose own script imports packages or is for Node 24: `node scripts/ensure-packages.mjs && node …`.
import { ensurePackages } from './lib/install.mjs';
import { say } from './lib/run.mjs';

try {
  await ensurePackages();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
