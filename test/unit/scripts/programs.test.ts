import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { npmCommand, onPath, run, runNpm } from '../../../scripts/lib/run.mjs';
import { scratchFolder } from './scratch.ts';

/** What a shell would read otherwise, in names of folders as in arguments. */
const READ_BY_SHELLS = ['two words', 'a&b', '$(exit 3)', '%PATH%', 'quote"d', "it's", ';x', '^'];
const PRINTS_ARGUMENTS = 'console.log(JSON.stringify(process.argv.slice(2)));\n';

describe('scripts start programs', () => {
  const folder = scratchFolder();
  after(() => folder.remove());

  it('with each argument as it is', async () => {
    folder.write('print.js', PRINTS_ARGUMENTS);
    const output = await run(process.execPath, [folder.file('print.js'), ...READ_BY_SHELLS]);
    assert.deepEqual(JSON.parse(output), READ_BY_SHELLS);
  });

  it('npm of Windows, a command file, by Node, whatever its folder is called', async () => {
    for (const name of ['Program Files', 'a&b', '$(exit 3)']) {
      folder.write(`${name}/npm.cmd`, 'exit /b 1\n');
      folder.write(`${name}/node_modules/npm/bin/npm-cli.js`, PRINTS_ARGUMENTS);
      const [command, ...first] = npmCommand(folder.file(`${name}/npm.cmd`));
      assert.equal(command, process.execPath);
      assert.deepEqual(JSON.parse(await run(command, [...first, 'ci', ...READ_BY_SHELLS])), ['ci', ...READ_BY_SHELLS]);
    }
  });

  it('npm of Windows by the npm that runs the script, where a version manager’s command file is elsewhere', () => {
    const [shim, running] = [folder.file('shims/npm.cmd'), folder.write('elsewhere/npm-cli.js', '')];
    for (const file of [shim, folder.file('shims/npm.bat')])
      assert.deepEqual(npmCommand(file, running), [process.execPath, running]);
    const others = ['', folder.file('missing/npm-cli.js'), folder.write('elsewhere/yarn.js', '')];
    for (const other of others) assert.throws(() => npmCommand(shim, other), /isn’t beside .*npm run NAME/);
  });

  it('npm of this machine', async () => assert.match(await runNpm(['--version']), /^\d+\.\d+\.\d+\s*$/));

  it('none where npm is missing: that is said', () => {
    assert.throws(() => npmCommand(undefined), /npm is not on PATH/);
  });

  it('none that lies in the current folder, by an empty or relative entry of PATH', () => {
    const before = { path: process.env['PATH'], folder: process.cwd() };
    const name = process.platform === 'win32' ? 'planted.exe' : 'planted';
    folder.write(`bin/${name}`, '', 0o755);
    try {
      process.chdir(folder.file('bin'));
      process.env['PATH'] = ['', '.', before.path].join(delimiter);
      assert.equal(onPath('planted'), undefined);
      process.env['PATH'] = [folder.file('bin'), before.path].join(delimiter);
      assert.equal(onPath('planted'), folder.file(`bin/${name}`));
    } finally {
      process.chdir(before.folder);
      process.env['PATH'] = before.path;
    }
  });

  it('never by a shell', () => {
    const sources = ['scripts', 'bench', 'test/support', 'test/host', 'test/agent', 'test/conformance'].flatMap(
      (name) =>
        readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.(?:[cm]?js|ts)$/.test(file))
          .map((file) => join(name, file)),
    );
    const byShell = (text: string): boolean =>
      /\bshell: (?!\{)|\bexec(?:Sync)?\b[^;]*\} from 'node:child_process'/.test(text);
    assert.ok(sources.length > 100);
    assert.deepEqual(
      sources.filter((file) => byShell(readFileSync(join(root, file), 'utf8'))),
      [],
    );
    for (const text of ["spawn('a', [], { shell: isWindows })", "import { exec } from 'node:child_process'"])
      assert.ok(byShell(text), text);
    for (const text of ["import { execFile } from 'node:child_process'", '/x/.exec(text)']) assert.ok(!byShell(text));
  });
});
