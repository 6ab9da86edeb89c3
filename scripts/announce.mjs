// npm run announce [-- --dry-run]: makes the release on GitHub, with the files in out/package, as a pre-release where the version is one.
// One that a job left unfinished gets its files, and is published.
import { parseArgs } from 'node:util';
import { hasRelease, packagedRelease, releaseStep, runGh, taggedRun } from './lib/release.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } });
await releaseStep(() => {
  const { version, isPreRelease, vsix, bill, sums } = packagedRelease();
  const { repository, tag } = taggedRun(version);
  const options = ['--repo', repository, '--verify-tag', '--generate-notes', ...(isPreRelease ? ['--prerelease'] : [])];
  const files = [vsix, bill, sums];
  const isDryRun = values['dry-run'];
  if (isDryRun || !hasRelease(repository, tag))
    return runGh(['release', 'create', tag, ...options, ...files], isDryRun);
  runGh(['release', 'upload', tag, '--repo', repository, '--clobber', ...files]);
  runGh(['release', 'edit', tag, '--repo', repository, '--verify-tag', '--draft=false']);
});
