import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { fileEdit, unifiedDiff } from '../../../../src/calls/plan/fileEdit.ts';

describe('what a call would change in a file', () => {
  it('is read from a path with a new text, or with pieces to replace', () => {
    const text = 'one\ntwo\nthree\n';
    const become = (args: object): string | undefined => fileEdit(args as never)?.apply(text);
    assert.equal(become({ path: 'a', content: 'x' }), 'x');
    assert.equal(become({ file_path: 'a', old_string: 'two', new_string: '2' }), 'one\n2\nthree\n');
    const edits = [
      { oldText: 'one', newText: '1' },
      { oldText: 'three', newText: '3' },
    ];
    assert.equal(become({ path: 'a', edits }), '1\ntwo\n3\n');
    assert.equal(become({ path: 'a', old_str: 'four', new_str: '4' }), undefined);
    for (const none of [{ content: 'x' }, { path: 'a' }, { path: 1, content: 'x' }, { path: 'a', edits: [1] }])
      assert.equal(fileEdit(none as never), undefined, JSON.stringify(none));
  });

  it('is shown as a unified diff with three lines of context', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = before.with(10, 'changed').toSpliced(2, 1);
    assert.equal(
      unifiedDiff(before.join('\n'), after.join('\n'), 100),
      [
        '@@ -1 +1 @@',
        ...[' line 0', ' line 1', '-line 2', ' line 3', ' line 4', ' line 5'],
        '@@ -8 +7 @@',
        ...[' line 7', ' line 8', ' line 9', '-line 10', '+changed', ' line 11', ' line 12', ' line 13'],
      ].join('\n'),
    );
    assert.equal(unifiedDiff('a', 'a', 10), '');
    assert.match(unifiedDiff('', 'x\n'.repeat(100), 10), /… \(\d+ more lines\)$/);
  });

  it('loses nothing: the lines kept and added are the new text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const prefix = Array.from({ length: 3 }, () => 'same').join('\n');
        const lines = unifiedDiff(`${prefix}\n${before}`, `${prefix}\n${after}`, 1_000).split('\n');
        const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
        const of = (value: string): number => value.split('\n').length;
        assert.equal(count('+') - count('-'), of(after) - of(before));
      }),
    );
  });
});
