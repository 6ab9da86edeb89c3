// npm run publish-to -- visual-studio|open-vsx [--dry-run]: publishes what `npm run package` made, by the identity of the
// workflow that runs this. No token is stored; docs/releasing.md says what has to be set up once.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from './lib/install.mjs';
import { root } from './lib/paths.mjs';
import { packagedRelease, releaseStep } from './lib/release.mjs';
import { say } from './lib/run.mjs';

const PUBLISHERS = new Map([
  // Says that a pre-release is one; Open VSX reads it in the package.
  [
    'visual-studio',
    { program: 'node_modules/@vscode/vsce/vsce', args: ['publish', '--oidc'], preRelease: '--pre-release' },
  ],
  ['open-vsx', { program: 'node_modules/ovsx/bin/ovsx', args: ['publish', '--trusted-publishing'] }],
]);

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
const publisher = PUBLISHERS.get(positionals[0]);
if (!publisher || positionals.length > 1) {
  say(`Name one of these marketplaces: ${[...PUBLISHERS.keys()].join(', ')}.`);
  process.exit(2);
}
await releaseStep(async () => {
  const { vsix, isPreRelease } = packagedRelease();
  const { program, preRelease } = publisher;
  const args = [...publisher.args, '--skip-duplicate', '--packagePath', vsix];
  if (isPreRelease && preRelease) args.push(preRelease);
  if (values['dry-run']) return console.log([program, ...args].join(' '));
  await installPackages();
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
