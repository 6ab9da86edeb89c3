import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newestOf, userFolders } from '../../../../src/connection/start/userFolders.ts';

describe('folders of installers and version managers', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'folders-'));
  after(() => rmSync(home, { recursive: true }));
  const make = (...parts: string[]): string => {
    const folder = path.join(home, ...parts);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const inHome = async (environment: Readonly<Record<string, string>> = {}): Promise<readonly string[]> =>
    (await userFolders({ platform: 'linux', environment, home })).filter((folder) => folder.startsWith(home));

  it('only those that exist', async () => {
    assert.deepEqual(await inHome(), []);
    const made = [
      ...[make('.local/bin'), make('.volta/bin'), make('.asdf/shims'), make('.local/share/mise/shims')],
      ...[make('.local/share/fnm/aliases/default/bin'), make('.pyenv/shims'), make('.cargo/bin')],
    ];
    assert.deepEqual(new Set(await inHome()), new Set(made));
  });

  it('where variables say, they are elsewhere', async () => {
    const volta = make('elsewhere/volta');
    make('elsewhere/volta/bin');
    assert.ok((await inHome({ VOLTA_HOME: volta })).includes(path.join(volta, 'bin')));
  });

  it('nvm’s default version, through its aliases', async () => {
    for (const version of ['v18.20.1', 'v20.9.0', 'v20.11.1', 'v22.3.0']) make('.nvm/versions/node', version, 'bin');
    make('.nvm/alias/lts');
    const chosen = async (): Promise<string | undefined> =>
      (await inHome())
        .find((folder) => folder.includes('.nvm'))
        ?.split('/')
        .at(-2);
    assert.equal(await chosen(), 'v22.3.0');
    writeFileSync(path.join(home, '.nvm/alias/default'), 'lts/iron\n');
    writeFileSync(path.join(home, '.nvm/alias/lts/iron'), 'v20.9.0\n');
    assert.equal(await chosen(), 'v20.9.0');
    for (const [alias, version] of [
      ['20', 'v20.11.1'],
      ['v18.20.1', 'v18.20.1'],
      ['node', 'v22.3.0'],
      ['../../../../etc/passwd', 'v22.3.0'],
      ['default', 'v22.3.0'],
    ] as const) {
      writeFileSync(path.join(home, '.nvm/alias/default'), alias);
      assert.equal(await chosen(), version, alias);
    }
  });

  it('modelcontextprotocol/servers#436: nvm of the fish shell, whose versions are elsewhere', async () => {
    for (const version of ['v20.1.0', 'v22.12.0']) make('.local/share/nvm', version, 'bin');
    const ofFish = path.join(home, '.local/share/nvm');
    assert.ok((await inHome()).includes(path.join(ofFish, 'v22.12.0/bin')));
    assert.ok((await inHome({ nvm_default_version: 'v20' })).includes(path.join(ofFish, 'v20.1.0/bin')));
  });

  it('each place that fnm has had, and proto', async () => {
    const made = [
      ...[make('.fnm/aliases/default/bin'), make('Library/Application Support/fnm/aliases/default/bin')],
      ...[make('.proto/shims'), make('.proto/bin')],
    ];
    const found = await inHome();
    for (const folder of made) assert.ok(found.includes(folder), folder);
    assert.ok(!(await inHome({ FNM_DIR: path.join(home, 'none') })).some((folder) => folder.includes('fnm')));
  });

  it('the newest of versions by their numbers', () => {
    assert.equal(newestOf(['v9.0.0', 'v10.1.0', 'v10.0.9', 'x'], ''), 'v10.1.0');
    assert.equal(newestOf(['v2.0.0', 'v20.0.0'], '2'), 'v2.0.0');
    assert.equal(newestOf([], '2'), undefined);
  });
});
