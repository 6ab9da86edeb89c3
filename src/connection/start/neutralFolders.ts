import { chmod, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256 } from '../../base/json/json.ts';
import { READ_BY_RUNNERS } from '../../servers/trust/runnerFiles.ts';

/** Characters of a hash that name a folder: no two meet, and Windows' limit on paths is far. */
const NAME_LENGTH = 16;

/**
 * Gives folders to processes that must get nothing of the opened folder: one for each owner, in the extension's storage,
 * for the user alone. What a process wrote there stays, except for files that decide what a package runner runs.
 */
export class NeutralFolders {
  readonly #stateDir: string | undefined;
  #temporary: Promise<string> | undefined;

  /** @param stateDir the extension's storage; without it, a temporary folder, which `dispose` removes */
  constructor(stateDir: string | undefined) {
    this.#stateDir = stateDir;
  }

  /** @param owner e.g. the id of a server */
  async for(owner: string): Promise<string> {
    const root = this.#stateDir ?? (await (this.#temporary ??= mkdtemp(path.join(tmpdir(), 'mcp-switchboard-'))));
    const folder = path.join(root, 'cwd', sha256(owner).slice(0, NAME_LENGTH));
    // A link would lead to another folder.
    if ((await lstat(folder).catch(() => undefined))?.isDirectory() === false) await rm(folder, { force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await Promise.all(READ_BY_RUNNERS.map((name) => rm(path.join(folder, name), { recursive: true, force: true })));
    return folder;
  }

  dispose(): void {
    void this.#temporary
      ?.then((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
      .catch(() => undefined);
  }
}
