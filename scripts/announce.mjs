// npm run announce [-- --dry-run]: makes the release on GitHub, with the files in out/package, as a pre-release where the version is one.
import { parseArgs } from 'node:util';
import { packagedRelease, releaseStep, runGh, taggedRun } from './lib/release.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } });
await releaseStep(() => {
  const { version, isPreRelease, vsix, bill, sums } = packagedRelease();
  const { repository, tag } = taggedRun(version);
  const options = ['--repo', repository, '--verify-tag', '--generate-notes', ...(isPreRelease ? ['--prerelease'] : [])];
  runGh(['release', 'create', tag, ...options, vsix, bill, sums], values['dry-run']);
});
