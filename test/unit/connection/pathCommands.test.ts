import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOnPath } from '../../../src/connection/start/pathCommands.ts';

describe('programs on the search path', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-path-'));
    for (const [name, files] of Object.entries({ one: ['npx', 'uvx'], two: ['npx', 'NPM.CMD', 'read.me'] })) {
      mkdirSync(join(folder, name, 'sub'), { recursive: true });
      for (const file of files) writeFileSync(join(folder, name, file), '');
    }
  });

  after(() => rmSync(folder, { recursive: true }));

  it('are each named once, without folders, and folders that aren’t there cost nothing', async () => {
    const path = [join(folder, 'one'), join(folder, 'two'), join(folder, 'none'), '.', ''].join(':');
    assert.deepEqual(await commandsOnPath({ path, platform: 'linux' }), ['NPM.CMD', 'npx', 'read.me', 'uvx']);
  });

  it('are on Windows those with an ending that it runs, without it', async () => {
    // Folders of this machine have a slash in front, which is absolute there, too.
    const path = [join(folder, 'one'), join(folder, 'two')].join(';');
    assert.deepEqual(await commandsOnPath({ path, platform: 'win32' }), ['NPM']);
    assert.deepEqual(await commandsOnPath({ path, platform: 'win32', endings: '.ME' }), ['read']);
  });
});
