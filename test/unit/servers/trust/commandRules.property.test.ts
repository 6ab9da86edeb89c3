import assert from 'node:assert/strict';
import { array, assert as check, constantFrom, oneof, property, stringMatching } from 'fast-check';
import { commandLinesIn } from '../../../../src/servers/trust/commandLinesIn.ts';
import { allowsWords, DeniedCommand } from '../../../../src/servers/trust/commandRules.ts';

const PLATFORMS = ['linux', 'darwin', 'win32'] as const;
const isDenied = (words: readonly string[], platform: NodeJS.Platform, rule = ['docker', '**']): boolean =>
  new DeniedCommand(words, platform).isMetBy(rule);

/** How a program has another one run: by its words, or by a line. */
const byWords = constantFrom(
  ...[['env'], ['env', '-i', 'A=b'], ['sudo', '-n'], ['nice', '-n', '5'], ['timeout', '5'], ['xargs', '-0']],
  ...[['npm', 'exec', '--'], ['setpriv'], ['C:\\Windows\\System32\\cmd.exe', '/d', '/c'], ['wsl', '--']],
);
const byLine = constantFrom<((line: string) => readonly string[])[]>(
  (line) => ['sh', '-c', line],
  (line) => ['bash', '-lc', `cd /tmp && ${line}`],
  (line) => ['env', '-S', line],
  (line) => ['env', 'cmd', `/c${line}`],
  (line) => ['cross-env', 'A=1', 'cmd', '/d/s/c', line],
  (line) => ['cmd', `/e:on/v:off/c${line}`],
  (line) => ['ssh', '-o', `ProxyCommand ${line}`, 'host'],
  (line) => ['ssh', `-oProxyCommand=${line}`, 'host'],
  (line) => ['git', '-c', `core.sshCommand=${line}`, 'fetch'],
  (line) => ['tar', '--to-command', line, '-xf', 'x'],
  (line) => ['npx', `--call=${line}`],
  (line) => ['script', `-qc${line}`, '/dev/null'],
);
const programs = constantFrom('docker', '/usr/bin/docker', './docker', '"docker"', 'do\\cker');
const plainWord = stringMatching(/^[a-c./-]{0,6}$/);
const pieces = array(
  oneof(
    constantFrom('=', ';', '&', '|', '"', "'", '\\', '`', '$', '+', '@', '!', '{', '(', ' ', '\t', '\n', '/'),
    constantFrom('-o', '-c', '/c', 'sh ', 'env ', 'cmd ', 'a=b ', '${x}', '$()', '--a=', '../', 'on', 'é', '\u200d'),
  ),
  { minLength: 1, maxLength: 4 },
);

/** A program that rules deny can't be hidden, and nothing that is made to be hard to read gets through or takes long. */
describe('servers/commandRules: properties', () => {
  it('a denied command is found behind whatever starts it, two deep', () =>
    check(
      property(byWords, byLine, programs, array(plainWord), (starter, starting, program, args) => {
        const words = starting([...starter, program, ...args].join(' '));
        assert.ok(isDenied(words, 'linux'), words.join(' '));
        assert.ok(isDenied([...starter, ...words], 'linux'), [...starter, ...words].join(' '));
      }),
    ));

  it('a command that has the name nowhere is denied nowhere', () =>
    check(
      property(constantFrom('node', 'npx', 'env', '/opt/x'), array(plainWord), (program, args) => {
        for (const platform of PLATFORMS) assert.ok(!isDenied([program, ...args], platform));
      }),
    ));

  it('however a command is made, a bounded number of characters is looked at, and more is denied and never allowed', () =>
    check(
      property(
        pieces,
        constantFrom(3_000, 30_000, 1_000_000),
        constantFrom(1, 100, 900),
        constantFrom(['sh', '-c'], ['env'], ['x'], ['ssh', '-o'], ['env', 'cmd']),
        (parts, length, count, before) => {
          const unit = parts.join('');
          const text = unit.repeat(Math.ceil(length / count / unit.length));
          const words = [...before, ...Array.from({ length: count }, () => text)];
          const seen = commandLinesIn(words.join('').length > 40_000 ? ['x'] : words);
          const characters = seen?.reduce((sum, line) => sum + line.reduce((all, word) => all + word.length, 0), 0);
          // Words that are the end of others are the same texts.
          assert.ok((characters ?? 0) < 30_000 * 100 && (seen?.length ?? 0) <= 1_000);
          if (length < 1_000_000) return;
          for (const platform of PLATFORMS) assert.ok(isDenied(words, platform));
          assert.ok(!allowsWords([before[0] ?? '', '**'], words, 'linux'));
        },
      ),
      { numRuns: 60 },
    ));

  it('a rule that takes long to compare denies, and doesn’t allow', () => {
    const [rule, words] = [
      ['x', `${'*a'.repeat(2_000)}b`],
      ['x', 'a'.repeat(20_000)],
    ];
    assert.ok(isDenied(words, 'linux', rule));
    assert.ok(!allowsWords(['x', '*'.concat('a*'.repeat(2_000))], words, 'linux'));
    assert.ok(allowsWords(['x', '*a*a'], words, 'linux'));
  });
});
