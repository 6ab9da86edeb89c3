import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { root } from '../../scripts/lib/paths.mjs';

describe('generated files', () => {
  for (const script of ['schemas', 'docs', 'layers', 'l10n', 'notices']) {
    it(`${script} is up to date`, () => {
      const args = [`scripts/${script}.mjs`, '--check'];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
      // What it says is what to do.
      assert.equal(status, 0, stderr.trim());
    });
  }
});
