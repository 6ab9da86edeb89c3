// npm run publish-to -- visual-studio|open-vsx [--dry-run]: publishes what `npm run package` made, by the identity of the
// workflow that runs this. No token is stored; docs/releasing.md says what has to be set up once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages } from './lib/install.mjs';
import { node24, root } from './lib/paths.mjs';
import { isPreRelease } from './lib/release-channel.mjs';
import { say } from './lib/run.mjs';

const PUBLISHERS = new Map([
  ['visual-studio', ['node_modules/@vscode/vsce/vsce', 'publish', '--oidc', '--skip-duplicate']],
  ['open-vsx', ['node_modules/ovsx/bin/ovsx', 'publish', '--trusted-publishing', '--skip-duplicate']],
]);

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
const publisher = PUBLISHERS.get(positionals[0]);
if (!publisher) {
  say(`Name one of these marketplaces: ${[...PUBLISHERS.keys()].join(', ')}.`);
  process.exit(2);
}
const folder = join(root, 'out', 'package');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = `${name}-${version}.vsix`;
const digest = createHash('sha256')
  .update(readFileSync(join(folder, vsix)))
  .digest('hex');
if (!readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n').includes(`${digest}  ${vsix}`)) {
  say(`${vsix} isn't the one of SHA256SUMS: package it again.`);
  process.exit(1);
}
const [program, ...rest] = publisher;
const args = [...rest, '--packagePath', join(folder, vsix), ...(isPreRelease(version) ? ['--pre-release'] : [])];
if (values['dry-run']) {
  console.log([program, ...args].join(' '));
} else {
  await ensurePackages();
  process.exitCode = spawnSync(node24, [join(root, program), ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;
}
