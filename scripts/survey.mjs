// npm run -s survey [-- [--replay] NAME…]: starts real servers of others through their package runners, uses them, loses them, stops
// them, and writes what came of it into docs/servers.md. Needs the package registries; isn't part of `npm test`. What was
// found is kept in .cache/survey, so a few servers can be surveyed at a time. With --replay, each is recorded while it is used, its recording is
// asked the same, and what is different goes into docs/recording.md.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensurePackages } from './lib/install.mjs';
import { node24, root } from './lib/paths.mjs';

await ensurePackages();
const file = join(root, 'scripts', 'survey', 'run-survey.mjs');
const { status } = spawnSync(node24, [file, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
