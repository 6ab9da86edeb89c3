import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { runDoctor } from '../../../src/doctor/runDoctor.ts';
import type { DoctorReport } from '../../../src/doctor/doctorReport.ts';

const NOTES = path.join(root, 'demo/notes-server/main.js');

describe('doctor', function () {
  this.timeout(60_000);
  let folder: string;
  const write = (file: string, value: unknown): void => {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
  };
  const run = async (...args: string[]): Promise<{ code: number; text: string }> => {
    let text = '';
    const all = ['--workspace', path.join(folder, 'w'), '--home', path.join(folder, 'home'), ...args];
    const code = await runDoctor(all, (part) => (text += part));
    return { code, text };
  };
  const report = async (...args: string[]): Promise<DoctorReport & { code: number }> => {
    const { code, text } = await run('--json', ...args);
    return { code, ...(JSON.parse(text) as DoctorReport) };
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-doctor-')));
    write('w/.keep', '');
    write('home/.keep', '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('names every place that it looked at, and is content where there is nothing', async () => {
    const { code, sources, servers, problems } = await report();
    assert.deepEqual([code, servers, problems], [0, [], []]);
    const files = sources.map(({ scope, file, status }) => `${scope} ${file.replace(folder, '')} ${status}`);
    for (const expected of [
      'project /w/.mcp.json absent',
      'workspace /w/.vscode/mcp.json absent',
      'user /home/.claude/settings.json absent',
      'user /home/.config/Code/User/mcp.json absent',
    ])
      assert.ok(files.includes(expected), expected);
    assert.match(files[0] ?? '', /^enterprise /);
  });

  it('names servers that look like others', async () => {
    // The second has a Cyrillic letter.
    write('w/.mcp.json', {
      mcpServers: { notes: { command: 'true' }, 'n\u043etes': { command: 'true' }, other: { command: 'true' } },
    });
    const { problems } = await report();
    const names = problems.filter(({ code }) => code === 'misleading-name');
    assert.deepEqual(
      names.map(({ message }) => message),
      [
        'n\u043etes: its name looks like the name of another server, notes',
        'n\u043etes: its name mixes letters of different scripts (Latin, Cyrillic)',
      ],
    );
  });

  it('says what is so of a command with a folder, and of a working directory', async () => {
    const file = path.join(folder, 'w/script');
    write('w/script', '#!/bin/sh\n');
    write('w/.mcp.json', {
      mcpServers: {
        missing: { command: '/no/such/folder/server' },
        mode: { command: file },
        folder: { command: folder },
        relative: { command: './none', cwd: folder },
        name: { command: 'uvx-of-nowhere' },
        cwd: { command: process.execPath, cwd: '${workspaceFolder}/none' },
        isFile: { command: process.execPath, cwd: file },
        off: { command: process.execPath, cwd: '/none', disabled: true },
      },
    });
    const { problems } = await report();
    const said = problems.map(({ code, message, fix = '' }) => [
      code,
      message.replaceAll(folder, ''),
      /PATH|full path/.test(message + fix),
    ]);
    assert.deepEqual(said, [
      ['cwd-not-found', 'The working directory of cwd, /w/none, does not exist.', false],
      ['cwd-not-found', 'The working directory of isFile, /w/script, is not a folder.', false],
      ['command-not-found', 'The command `/no/such/folder/server` of missing does not exist.', false],
      ['command-not-found', 'The command `/w/script` of mode is not executable.', false],
      ['command-not-found', 'The command `` of folder is a folder.', false],
      ['command-not-found', 'The command `./none` of relative does not exist (/none).', false],
      ['command-not-found', 'The command `uvx-of-nowhere` of name is not on the PATH that it is searched in.', true],
    ]);
  });

  it('reads a file in UTF-16', async () => {
    const text = JSON.stringify({ mcpServers: { wide: { command: process.execPath } } });
    writeFileSync(path.join(folder, 'w/.mcp.json'), Buffer.from(`\uFEFF${text}`, 'utf16le'));
    const { servers, problems } = await report();
    assert.deepEqual([servers.map(({ name }) => name), problems], [['wide'], []]);
  });

  it('tells the state of every server, with its line', async () => {
    write('w/.mcp.json', {
      mcpServers: {
        asks: { command: process.execPath },
        off: { command: process.execPath, disabled: true },
        nothing: {},
        variable: { command: process.execPath, args: ['${DOCTOR_TEST_MISSING}'] },
        lost: { command: 'no-such-command-anywhere' },
      },
    });
    write('home/.config/Code/User/mcp.json', {
      servers: {
        mine: { command: process.execPath, args: ['a'] },
        denied: { url: 'https://evil.example.com/mcp' },
        again: { type: 'http', url: 'https://one.example.com/mcp' },
        off: { command: process.execPath, args: ['b'] },
      },
    });
    write('home/.config/Code/User/settings.json', {
      'mcpSwitchboard.deniedServers': [{ url: '*://evil.example.com/*' }],
      'mcpSwitchboard.servers': { settings: { url: 'https://one.example.com/mcp' } },
      'mcpSwitchboard.scopeOrder': ['user', 'project'],
    });
    const { code, servers, problems } = await report();
    assert.equal(code, 1);
    const states = servers.map(({ name, scope, line, transport, state, reason = '' }) =>
      [name, scope, line, transport, state, reason.slice(0, 34)].join(' '),
    );
    assert.deepEqual(states, [
      'settings user 1 url ready ',
      'mine user 3 stdio ready ',
      'denied user 9 url blocked denied by url *://evil.example.com',
      'again user 12 http ready ',
      'off user 16 stdio ready ',
      'asks project 3 stdio needs-approval ',
      'off project 6 stdio shadowed the user scope (~/.config/Code/Use',
      'nothing project 10 unknown problem This server has neither `command` ',
      'variable project 11 stdio problem `${DOCTOR_TEST_MISSING}` in `args[',
      'lost project 17 stdio needs-approval ',
    ]);
    assert.deepEqual(
      problems.map(({ severity, code: kind, line, column }) => `${severity} ${kind} ${line}:${column}`),
      ['error nothing-to-run 10:16', 'error unknown-variable 14:10', 'warning command-not-found 17:5'],
    );
    const lost = servers.find(({ name }) => name === 'lost');
    assert.equal(lost?.command?.found, false);
    assert.ok((lost?.command?.path ?? '').includes('/'));
    assert.equal(servers.find(({ name }) => name === 'mine')?.command?.found, true);
    assert.ok(problems.every(({ fix }) => fix));
  });

  it('a file that nobody reads is off, and a hint alone is no failure', async () => {
    write('home/.cursor/mcp.json', { mcpServers: { a: { url: 'https://h' } } });
    write('w/.roo/mcp.json', { mcpServers: {} });
    const { code, sources, problems } = await report();
    assert.equal(code, 0);
    const off = sources.filter(({ status }) => status === 'off').map(({ file }) => file.replace(folder, ''));
    assert.deepEqual(off, ['/home/.cursor/mcp.json', '/w/.roo/mcp.json']);
    assert.deepEqual(
      problems.map(({ severity, code: kind, file }) => [severity, kind, file.replace(folder, '')]),
      [['hint', 'file-not-read', '/home/.cursor/mcp.json']],
    );
  });

  it('a broken file is broken, with the place', async () => {
    write('w/.mcp.json', '{ "mcpServers": { "a": { "command": "x" } ');
    const { code, sources, problems } = await report();
    assert.equal(code, 1);
    assert.equal(sources.find(({ scope }) => scope === 'project')?.status, 'broken');
    assert.equal(problems[0]?.severity, 'error');
    assert.equal(problems[0]?.line, 1);
  });

  it('connects what may run, for this run only, and stops it again', async () => {
    write('w/.mcp.json', {
      mcpServers: {
        notes: { command: process.execPath, args: [NOTES], env: { NOTES_DIR: path.join(folder, 'notes') } },
        dies: { command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(3)'] },
        off: { command: process.execPath, disabled: true },
      },
    });
    const { code, servers, problems } = await report('--connect');
    assert.equal(code, 1);
    const [notes, dies, off] = servers;
    assert.equal(notes?.connect?.state, 'connected');
    assert.equal(notes.connect.tools, 4);
    assert.match(notes.connect.protocol ?? '', /^\d{4}-\d\d-\d\d$/);
    assert.ok((notes.connect.ms ?? 0) > 0);
    assert.equal(dies?.connect?.state, 'failed');
    assert.match(dies.connect.error ?? '', /no key/);
    assert.equal(off?.connect, undefined);
    assert.deepEqual(
      problems.map(({ code: kind, severity, line }) => [kind, severity, line]),
      [['connect-failed', 'error', 12]],
    );
  });

  it('is a document, too, and says what is wrong with its arguments', async () => {
    write('w/.mcp.json', { mcpServers: { a: { command: 'x|y' } } });
    const { text } = await run();
    assert.match(text, /^# MCP Switchboard: Doctor\n/);
    assert.match(text, /\| \*\*a\*\* \| [^|]+ \| project \|/);
    assert.match(text, /- project: \S+\.mcp\.json \(found; Agent Host sessions run these with VS Code\)/);
    let said = '';
    assert.equal(await runDoctor([], (part) => (said += part)), 2);
    assert.match(said, /--workspace DIR is missing/);
    assert.equal(await runDoctor(['--what'], (part) => (said += part)), 2);
  });

  it('runs from the command line', () => {
    const script = path.join(root, 'scripts/doctor.mjs');
    const args = [script, '--workspace', path.join(folder, 'w'), '--home', path.join(folder, 'home'), '--json'];
    assert.deepEqual(
      (JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as DoctorReport).servers,
      [],
    );
    write('w/.mcp.json', { mcpServers: { a: {} } });
    assert.equal(spawnSync(process.execPath, args).status, 1);
  });
});
