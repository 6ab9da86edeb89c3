// npm run release-ready: whether this tree can be tagged as the version of package.json.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { releaseFaults } from './lib/release-faults.mjs';
import { say } from './lib/run.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));
const faults = releaseFaults({
  version,
  lock: JSON.parse(read('package-lock.json')),
  changelog: read('CHANGELOG.md'),
  fixtures: readdirSync(join(root, 'test', 'fixtures', 'state')),
});
for (const fault of faults) say(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`v${version} can be tagged.`);
