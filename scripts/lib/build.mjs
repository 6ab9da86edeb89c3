import { node24, root } from './paths.mjs';
import { run, say } from './run.mjs';

/** Bundles the extension into dist/. Its output is shown only when it fails. */
export async function build() {
  say('waiting for the build …');
  await run(node24, ['scripts/bundle.mjs'], { cwd: root });
}
