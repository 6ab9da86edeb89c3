import { strict as assert } from 'node:assert';
import { LINE_LENGTH, wrapped } from '../../../../src/bridge/dialogs/dialogLines.ts';

describe('lines of a dialog', () => {
  for (const path of [
    `/home/somebody/${'a-long-folder/'.repeat(5)}.mcp.json`,
    `C:\\Users\\somebody\\${'a-long-folder\\'.repeat(5)}.mcp.json`,
    `https://example.com/${'MWMWMWMW/'.repeat(9)}.mcp.json?x=1`,
  ])
    it(`part a path behind its separators, so that names stay whole: ${path.slice(0, 8)}…`, () => {
      const lines = wrapped(path, LINE_LENGTH).map((line) => line.trimStart());
      assert.ok(lines.length > 1);
      for (const line of lines.slice(0, -1)) assert.match(line, /[/\\]$/);
      assert.equal(lines.join(''), path);
    });

  it('part a name inside only where it is longer than a line', () => {
    const name = 'x'.repeat(2 * LINE_LENGTH);
    const lines = wrapped(`/a/${name}/b`, LINE_LENGTH).map((line) => line.trimStart());
    assert.equal(lines[0], `/a/${'x'.repeat(LINE_LENGTH - 3)}`);
    assert.equal(lines.join(''), `/a/${name}/b`);
  });
});
