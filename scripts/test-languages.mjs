// npm run test:languages: the installed package in each language, and in one that nobody speaks. Not part of npm test: each opens a window.
import { spawnSync } from 'node:child_process';
import { cjkFontEnvironment } from './lib/cjk-font.mjs';
import { ensurePackages } from './lib/install.mjs';
import { node24, root } from './lib/paths.mjs';

await ensurePackages();
const args = [
  'node_modules/mocha/bin/mocha.js',
  '--timeout',
  '450000',
  'test/agent/package.test.ts',
  '-g',
  'installed',
];
const env = { ...process.env, ...(await cjkFontEnvironment()), MCP_SWITCHBOARD_LANGUAGES: 'all' };
process.exitCode = spawnSync(node24, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
