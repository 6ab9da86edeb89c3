// npm run same-package -- DIR: whether the folders in DIR, what `npm run package` made on a system each, have the same SHA256SUMS.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './lib/run.mjs';

const [folder, ...others] = process.argv.slice(2);
if (!folder || others.length > 0) {
  say('Name the folder that holds a folder of each system.');
  process.exit(2);
}
const systems = readdirSync(folder).sort();
if (systems.length < 2) {
  say(`${folder} holds what ${systems.length} systems made; it takes two to compare.`);
  process.exit(1);
}
const made = systems.map((system) => ({ system, sums: readFileSync(join(folder, system, 'SHA256SUMS'), 'utf8') }));
for (const { system, sums } of made) console.log(`${system}\n${sums}`);
if (made.some(({ sums }) => sums.trim() === '' || sums !== made[0].sums)) {
  say('The same commit gave other bytes on another system.');
  process.exitCode = 1;
}
