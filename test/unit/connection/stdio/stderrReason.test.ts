import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tellingLine } from '../../../../src/connection/stdio/stderrReason.ts';

describe('the line of stderr that tells', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'telling-'));
  after(() => rmSync(folder, { recursive: true }));
  /** What a program really writes, run with the Node of this test. */
  const ran = (name: string, script: string, command: string = process.execPath): string | undefined => {
    const file = path.join(folder, name);
    writeFileSync(file, script);
    return tellingLine(spawnSync(command, [file], { encoding: 'utf8', cwd: folder }).stderr.split('\n'));
  };

  for (const [name, script, told] of [
    ['thrown.cjs', "if (!process.env.NONE) throw new Error('API_KEY is not set');", 'Error: API_KEY is not set'],
    ['rejected.mjs', "Promise.reject(new Error('too late'));", 'Error: too late'],
    ['text.mjs', "throw 'no key';", 'no key'],
    ['syntax.mjs', 'let x = ;', "SyntaxError: Unexpected token ';'"],
    [
      'system.mjs',
      "import fs from 'node:fs'; fs.readFileSync('/no/such');",
      "Error: ENOENT: no such file or directory, open '/no/such'",
    ],
    [
      'import.mjs',
      "import './none.mjs';",
      /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module '.*none\.mjs' imported/,
    ],
    [
      'zod.mjs',
      `console.error('Starting'); console.error('Error: ' + JSON.stringify([{ path: ['KEY'], message: 'Required' }], null, 2)); process.exit(1);`,
      'Error: [ { "path": [ "KEY" ], "message": "Required" } ]',
    ],
    [
      'logs.mjs',
      `for (const line of ['2026-01-01T10:00:00Z INFO loading', '[WARN] old option', 'ERROR Invalid config: no "url"', 'See https://example.com/help', '    at main (x.js:1:2)', 'Node.js v20.20.2']) console.error(line); process.exit(1);`,
      'ERROR Invalid config: no "url"',
    ],
  ] as const)
    it(name, () => {
      const found = ran(name, script);
      if (typeof told === 'string') assert.equal(found, told);
      else assert.match(found ?? '', told);
    });

  it('a missing file of Node', () =>
    assert.equal(
      tellingLine(spawnSync(process.execPath, ['/no/such.js'], { encoding: 'utf8' }).stderr.split('\n')),
      "Error: Cannot find module '/no/such.js'",
    ));

  it('of a shell', () =>
    assert.match(ran('x.sh', 'echo starting >&2; no-such-command-here', 'sh') ?? '', /not found$/));

  it('of npm, which ends with the place of its log', () => {
    const lines = [
      'npm warn exec The following package was not found and will be installed: x@1.0.0',
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.npmjs.org/x - Not found',
      "npm error 404  'x@*' is not in this registry.",
      'npm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-debug-0.log',
    ];
    assert.equal(tellingLine(lines), 'npm error 404 Not Found - GET https://registry.npmjs.org/x - Not found');
    const old = lines.map((line) => line.replace('npm error', 'npm ERR!'));
    assert.match(tellingLine(old) ?? '', /^npm ERR! 404 Not Found/);
  });

  it('of Python, whose traces end with the reason', () => {
    const lines = [
      'Traceback (most recent call last):',
      '  File "/x/server.py", line 3, in <module>',
      "    os.environ['KEY']",
      '    ~~~~~~~~~~^^^^^^^',
      "KeyError: 'KEY'",
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      'Traceback (most recent call last):',
      '  File "/x/server.py", line 5, in <module>',
      'RuntimeError: set KEY first',
    ];
    assert.equal(tellingLine(lines), 'RuntimeError: set KEY first');
    assert.equal(
      tellingLine([
        ...lines.slice(0, 4),
        'pydantic_core.ValidationError: 1 validation error for Settings',
        'api_key',
        '  Field required',
      ]),
      'pydantic_core.ValidationError: 1 validation error for Settings api_key Field required',
    );
  });

  it('of Go and Rust', () => {
    assert.equal(
      tellingLine([
        'panic: no token',
        '',
        'goroutine 1 [running]:',
        'main.main()',
        '\t/x/main.go:5 +0x1d',
        'exit status 2',
      ]),
      'panic: no token',
    );
    assert.equal(
      tellingLine([
        "thread 'main' panicked at src/main.rs:2:5:",
        'no token',
        'note: run with `RUST_BACKTRACE=1` environment variable',
      ]),
      "thread 'main' panicked at src/main.rs:2:5: no token",
    );
  });

  it('never what is written around the reason', () => {
    for (const line of [
      'Node.js v20.20.2',
      '    at Module._compile (node:internal/modules/cjs/loader:1554:14)',
      '}',
      '^',
      '   ',
    ])
      assert.equal(tellingLine([line]), undefined, line);
    assert.equal(
      tellingLine([
        'Server needs a home',
        ...['', 'Node.js v20.20.2', 'npm error A complete log of this run can be found in: /x'],
      ]),
      'Server needs a home',
    );
  });

  it('is one line without colors, cut', () => {
    assert.equal(tellingLine(['\u001b[31mError: red\u001b[39m']), 'Error: red');
    assert.equal(tellingLine([`Error: ${'x'.repeat(1000)}`])?.length, 301);
  });

  it('takes no longer for lines that somebody made to take long', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `${'at '.repeat(600)}${'a.'.repeat(100)}${index}(`);
    assert.equal(typeof (tellingLine(lines) ?? ''), 'string');
  });
});
