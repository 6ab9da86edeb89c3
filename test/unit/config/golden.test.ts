import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { clientOf } from '../../../src/config/clients/clientConventions.ts';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { readToml } from '../../../src/config/syntax/readToml.ts';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { sourceOf } from './sources.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const fixtures = path.join(root, 'test/fixtures/config');

/** A file as its client would have it: the name says whose it is, `__` stands for a folder. */
function sourceFor(name: string): ConfigSource {
  const place = name.replace(/^\d+__/, '').replaceAll('__', '/');
  const hidden = place.replace(
    /^(vscode|cursor|roo|kilocode|gemini|codex|claude|amazonq|devcontainer|kiro|junie|copilot|github)\//,
    '.$1/',
  );
  const file = `/w/${hidden}`;
  const isSettings = /(?:^|__)settings\.json$|opencode|devcontainer|gemini-extension|codex/.test(name);
  const source = sourceOf({ file, format: isSettings ? 'settings' : 'mcp' });
  return name.includes('devcontainer') ? { ...source, within: ['customizations', 'vscode'] } : source;
}

/** `name: N servers`, then what is wrong, e.g. `!broken`, `code@line`. */
function lineFor(name: string, text: string): string {
  const { parsed, entries, broken, problems } = parseSource(sourceFor(name), text, readToml);
  const parts = [
    `${parsed ? '' : 'unparsed, '}${entries.length} of ${clientOf(sourceFor(name)) ?? 'nobody'}`,
    ...broken.map((item) => `!${item.name}`),
    ...problems.map(({ code, severity, range }) => `${severity} ${code}@${range.line}`),
  ];
  return `${name}: ${parts.join(', ')}`;
}

// Ours end in `.txt`, since some are broken on purpose and formatters would fix them.
const linesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.(?:jsonc?|toml)(?:\.txt)?$/.test(name))
    .sort()
    .map((name) => lineFor(name.replace(/\.txt$/, ''), readFileSync(path.join(folder, name), 'utf8')));

describe('config/golden: the shapes that files have', () => {
  it('our own files', () => {
    const golden = readFileSync(path.join(fixtures, 'golden.txt'), 'utf8').trimEnd().split('\n');
    assert.deepEqual(linesOf(fixtures), golden);
  });

  const wild = path.join(root, '../shared/configs');
  if (existsSync(wild)) {
    it('files from the wild, where they are at hand', () => {
      const golden = readFileSync(path.join(fixtures, 'golden-wild.txt'), 'utf8').trimEnd().split('\n');
      assert.deepEqual(linesOf(wild), golden);
    });
  }
});
