import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** For a mocha suite: gives each test a fresh folder `root`, and in it `repo`, the one that is opened. */
export function useRepository(use: (folders: { readonly root: string; readonly repo: string }) => void): void {
  let root: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-attack-')));
    const repo = path.join(root, 'repo');
    mkdirSync(repo);
    use({ root, repo });
  });

  afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
}
