import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findImportable } from '../../../../src/config/clients/importServers.ts';
import { readSourceFile } from '../../../../src/config/sources/readSourceFile.ts';
import { sourceOf } from '../sources.ts';

describe('config: files on disk', () => {
  let folder: string;
  const write = (file: string, text: string): string => {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };

  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'switchboard-files-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('a file that is not there is absent; one that is no file is an error', async () => {
    assert.equal(await readSourceFile(sourceOf({ file: path.join(folder, 'no/mcp.json') }), 'linux'), undefined);
    await assert.rejects(readSourceFile(sourceOf({ file: folder }), 'linux'), /it is a folder/);
    assert.equal(await readSourceFile(sourceOf({ file: write('a.json', '{}') }), 'linux'), '{}');
  });

  it('a managed file that others than an administrator can write is not followed', async () => {
    const file = write('managed.json', '{}');
    await assert.rejects(
      readSourceFile(sourceOf({ scope: 'enterprise', file }), 'linux'),
      /is writable by others than an administrator/,
    );
    assert.equal(await readSourceFile(sourceOf({ scope: 'enterprise', file }), 'win32'), '{}');
    assert.equal(await readSourceFile(sourceOf({ scope: 'enterprise', file: `${file}x` }), 'linux'), undefined);
  });

  it('files of other clients are found for an import, whether they are opted in or not', async () => {
    write('home/.cursor/mcp.json', '{"mcpServers":{"a":{"url":"https://h"}}}');
    write('home/.codex/config.toml', '[mcp_servers.b]\ncommand = "x"\n');
    write('home/.gemini/settings.json', '{"theme":"dark"}');
    write('w/.roo/mcp.json', '{"mcpServers":{"c":{"command":"x"}}}');
    write('w/.mcp.json', '{"mcpServers":{"own":{"command":"x"}}}');
    const files = await findImportable(
      {
        platform: 'linux',
        env: {},
        home: path.join(folder, 'home'),
        workspaceFolders: [{ name: 'w', path: path.join(folder, 'w') }],
        discovery: ['cursor'],
        configFiles: [],
      },
      (source) => readSourceFile(source, 'linux'),
    );
    assert.deepEqual(
      files.map(({ source, entries }) => [source.client, entries.map(({ name }) => name).join()]),
      [
        ['cursor', 'a'],
        ['codex', 'b'],
        ['roo', 'c'],
      ],
    );
  });
});
