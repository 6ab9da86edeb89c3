// npm run state-fixture: what this version keeps, as the fixture that later ones are tested with. That of a released one stays as it is.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { git } from '../../scripts/lib/build-identity.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { FIXTURES, KeptState } from './keptState.ts';
import { KEPT_THINGS } from './keptThings.ts';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly version: string };
const refusal = refusalOf(process.argv.slice(2));
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(process.argv.includes('--help') ? 0 : 1);
}
const kept = new KeptState();
try {
  await kept.rig.host.start();
  // One after the other: some need what others did.
  for (const { keep } of Object.values(KEPT_THINGS)) await keep(kept);
  const seen = await kept.seen();
  await kept.rig.host.stop();
  kept.save(path.join(FIXTURES, version), seen);
} finally {
  await kept.stop();
}
process.stdout.write(`test/fixtures/state/${version}\n`);

/** Why nothing is written, or undefined. */
function refusalOf(args: readonly string[]): string | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean' } } });
    if (values.help) return `npm run state-fixture: writes what ${version} keeps to test/fixtures/state/${version}.`;
  } catch (error) {
    return (error as Error).message;
  }
  const tag = `v${version}`;
  return tagsOf(tag) === tag
    ? `${version} is released (git has the tag ${tag}), and what it keeps is never changed again. Set the next version first: docs/releasing.md`
    : undefined;
}

function tagsOf(pattern: string): string {
  try {
    return git('tag', '--list', pattern);
  } catch {
    // No repository, as in an unpacked archive: nothing is known of releases.
    return '';
  }
}
