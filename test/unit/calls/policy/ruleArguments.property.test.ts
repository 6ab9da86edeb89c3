import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { array, assert as check, constantFrom, nat, property, tuple } from 'fast-check';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { ArgumentReader, ruleArgument } from '../../../../src/calls/policy/rules/ruleArguments.ts';

const PROTECTED = 'secrets/a.env';
const DENIES = [
  '*.env',
  'secrets/*',
  'secrets/**',
  PROTECTED,
  '**/*.env',
  '**/secrets/**',
  './secrets/a.env',
  'SECRETS\\A.ENV',
];

type Change = (text: string, at: number) => string;
const insert =
  (what: string): Change =>
  (text, at) =>
    text.slice(0, at) + what + text.slice(at);
const around =
  (before: string, after = ''): Change =>
  (text) =>
    before + text + after;
const each =
  (made: (character: string) => string): Change =>
  (text, at) =>
    text.slice(0, at) + made(text.charAt(at)) + text.slice(at + 1);
const hex = (character: string): string => `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
const wide = (character: string): string =>
  /[!-~]/.test(character) ? String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0) : character;

/** What leads to the same file for one reader or another. */
const CHANGES: readonly Change[] = [
  ...[
    './',
    '/',
    '/./',
    '/x/../',
    'secrets/../',
    '../repo/',
    '\\',
    '"',
    "'",
    '*',
    '?',
    '\u200b',
    '\0',
    ' ',
    '$X',
    '``',
    '{,x}',
  ].map(insert),
  ...[
    hex,
    (c: string) => hex(c).replace('%', '%25'),
    wide,
    (c: string) => c.toUpperCase(),
    (c: string) => `[${c}]`,
  ].map(each),
  ...['/', '/.', ' ', '.', '\0.png', '?x=1', '#f', '\n', ';', ' #', '::$DATA', '/..namedfork/rsrc'].map((end) =>
    around('', end),
  ),
  ...[
    ' ',
    './',
    '$PWD/',
    '--file=',
    ':/',
    ':(icase)',
    ':(top)',
    'HEAD:',
    'file:',
    '<',
    'x;cat<',
    '~+/',
    '/proc/self/cwd/',
  ].map((start) => around(start)),
];

const disguised = array(tuple(constantFrom(...CHANGES), nat({ max: 40 })), { maxLength: 5 }).map((changes) =>
  changes.reduce((text, [change, at]) => change(text, Math.min(at, text.length)), PROTECTED),
);

/** A repository with one protected file. */
class Repository {
  readonly dir = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'readings-'))), 'repo');
  readonly #file = path.join(this.dir, PROTECTED);

  constructor() {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, 'A=1\n');
    writeFileSync(path.join(this.dir, 'open.txt'), 'open\n');
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a'],
    ])
      this.git(args);
  }

  git(args: readonly string[]): string {
    return spawnSync('git', args, { cwd: this.dir, encoding: 'utf8' }).stdout;
  }

  sh(command: string): string {
    return spawnSync('sh', ['-c', command], { cwd: this.dir, encoding: 'utf8', timeout: 2_000 }).stdout;
  }

  /** Whether a path leads to the protected file here. */
  isProtected(file: string): boolean {
    try {
      return realpathSync.native(path.resolve(this.dir, file)) === this.#file;
    } catch {
      return false;
    }
  }

  dispose(): void {
    rmSync(path.dirname(this.dir), { recursive: true, force: true });
  }
}

/** Whether git takes it for the folder of the protected file, or one above. */
function namesFolder(pathspec: string): boolean {
  const plain = path.posix
    .normalize(pathspec.replace(/^:(?:\([a-z]+\)|\/)?/, ''))
    .replace(/^\/proc\/self\/cwd\b/, '.')
    .replace(/\/+$/, '');
  return ['.', '', 'secrets'].includes(path.posix.normalize(plain));
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function assertDenied(args: JsonObject): void {
  const reader = new ArgumentReader(args);
  const missed = DENIES.filter((glob) => !reader.fits(ruleArgument('path', glob), 'deny'));
  assert.deepEqual(missed, [], JSON.stringify(args));
}

describe('rules about arguments against what really reads them', () => {
  let repository: Repository;
  before(() => {
    repository = new Repository();
  });
  after(() => repository.dispose());

  it('a path that the file system, an address or a decoding server resolves to the protected file is denied', () => {
    const { dir } = repository;
    const readers: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => text.trim(),
      (text) => decodeURIComponent(text),
      (text) => decodeURIComponent(decodeURIComponent(text)),
      (text) => text.normalize('NFKC'),
      (text) => text.replaceAll('\\', '/'),
      (text) => text.split('\0')[0] ?? '',
      (text) => text.toLowerCase(),
      (text) => text.replaceAll('\u200b', ''),
      (text) => path.win32.normalize(text).replaceAll('\\', '/'),
      (text) => fileURLToPath(new URL(text, `${pathToFileURL(dir).href}/`)),
    ];
    let touched = 0;
    check(
      property(disguised, constantFrom(...readers), constantFrom(...readers), (text, one, other) => {
        for (const sent of [text, `${dir}/${text}`, `${dir}/x/../${text}`]) {
          if (!repository.isProtected(attempt(() => other(one(sent))))) continue;
          touched += 1;
          assertDenied({ path: sent });
          assertDenied({ options: [{ Path: sent }] });
        }
      }),
      { numRuns: 1_000 },
    );
    assert.ok(touched > 50, `${touched} of them lead there`);
  });

  it('a word that a shell or git resolves to the protected file is denied', () => {
    let touched = 0;
    check(
      property(disguised, (text) => {
        if (text.includes('\0') || /\s/.test(text)) return;
        const found = [
          repository.sh(`ls -d ${text}`),
          repository.sh(`cat ${text}`),
          repository.git(['show', text]),
          // Its folder is another path, and no rule for the file is about that.
          ...(namesFolder(text) ? [] : [repository.git(['ls-files', '--', text])]),
        ];
        if (!found.some((out) => out.split('\n').some((line) => line === 'A=1' || repository.isProtected(line))))
          return;
        touched += 1;
        assertDenied({ path: text });
      }),
      { numRuns: 150 },
    );
    assert.ok(touched > 5, `${touched} of them lead there`);
  }).timeout(120_000);

  it('an allow opens only what stays below its folder, whoever reads it', () => {
    let opened = 0;
    check(
      property(disguised, (text) => {
        const below = `open/${text}`;
        if (!new ArgumentReader({ path: below }).fits(ruleArgument('path', 'open/**'), 'allow')) return;
        opened += 1;
        assert.equal(path.win32.normalize(below).replaceAll('\\', '/'), below);
        assert.equal(decodeURIComponent(below).normalize('NFKC').trim(), below);
        assert.ok(path.posix.normalize(below).startsWith('open/'));
      }),
      { numRuns: 2_000 },
    );
    assert.ok(opened > 20, `${opened} were opened`);
  }).timeout(120_000);
});
