import { execFileSync } from 'node:child_process';
import { root } from '../../scripts/lib/paths.mjs';

describe('generated files', () => {
  for (const script of ['schemas', 'docs', 'layers', 'l10n', 'notices']) {
    it(`${script} is up to date`, () => {
      execFileSync(process.execPath, [`scripts/${script}.mjs`, '--check'], { cwd: root, stdio: 'pipe' });
    });
  }
});
