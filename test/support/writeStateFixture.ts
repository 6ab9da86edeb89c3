// npm run state-fixture: what this version keeps, as the fixture that later ones are tested with.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { FIXTURES, KeptState } from './keptState.ts';
import { KEPT_THINGS } from './keptThings.ts';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly version: string };
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
