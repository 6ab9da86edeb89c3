import assert from 'node:assert/strict';
import { parseSource } from '../../../../../src/config/read/parseSource.ts';

const codesOf = (command: string | readonly string[], args?: readonly string[]): readonly string[] => {
  const source = { id: 's', scope: 'user', format: 'mcp', label: 'f', file: '/h/.mcp.json' } as const;
  const { entries, problems } = parseSource(source, JSON.stringify({ mcpServers: { a: { command, args } } }));
  assert.equal(entries.length, 1);
  return problems.map(({ code, severity }) => `${severity} ${code}`);
};
const run = (line: string): readonly string[] => codesOf('docker', ['run', ...line.split(' ')]);

describe('config/read: docker run', () => {
  it('with a terminal is a warning', () => {
    for (const line of ['-it --rm x', '-ti x', '-t -i x', '--rm --interactive --tty x', '-e A -it x', '-v /a:/b -it x'])
      assert.deepEqual(run(line), ['warning docker-terminal'], line);
  });

  it('without stdin is a warning', () => {
    for (const line of ['--rm x', 'x', '-e I=1 x', '--name i x', '--rm x -i'])
      assert.deepEqual(run(line), ['warning docker-stdin'], line);
  });

  it('with stdin and no terminal is fine; what stands behind the image is the image’s own', () => {
    for (const line of ['-i x', '-i --rm x -t -it', '--interactive x --tty', '-ie T=1 x', '-e t -i x', '-d -p 1:1 x'])
      assert.deepEqual(run(line), [], line);
    assert.deepEqual(codesOf(['/usr/bin/docker', 'run', '-i', 'x']), []);
    assert.deepEqual(codesOf('docker.exe', ['container', 'run', '-it', 'x']), ['warning docker-terminal']);
  });

  it('other commands aren’t looked at', () => {
    assert.deepEqual(codesOf('docker', ['mcp', 'gateway', 'run']), []);
    assert.deepEqual(codesOf('docker', ['compose', 'run', 'x']), []);
    assert.deepEqual(codesOf('docker', ['exec', '-it', 'x']), []);
    assert.deepEqual(codesOf('npx', ['run', '-it']), []);
  });
});
