// npm run verify-release [-- --dry-run]: whether the files in out/package are those that the workflow Release made and attested of the
// commit that this run is of, and the tag is still on it. docs/releasing.md says when it runs.
import { parseArgs } from 'node:util';
import { packagedRelease, releaseStep, runGh, taggedRun } from './lib/release.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } });
await releaseStep(() => {
  const { version, vsix, bill } = packagedRelease();
  const { repository, ref, commit } = taggedRun(version);
  const madeBy = ['--repo', repository, '--signer-workflow', `${repository}/.github/workflows/release.yml`];
  const madeOf = ['--source-ref', ref, '--source-digest', commit, '--deny-self-hosted-runners'];
  for (const file of [vsix, bill]) runGh(['attestation', 'verify', file, ...madeBy, ...madeOf], values['dry-run']);
});
