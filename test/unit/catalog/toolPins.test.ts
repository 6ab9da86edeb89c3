import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { comparePins, pinAll, pinTool } from '../../../src/catalog/pinChanges.ts';
import { pinVerdict } from '../../../src/catalog/toolPins.ts';
import { mcpTool } from './tools.ts';

describe('pins', () => {
  it('depend on name, title, description and schema, and on nothing else', () => {
    const tool = mcpTool('t', 'd', { a: 'x' });
    const { hash } = pinTool(tool);
    equal(pinTool({ ...tool, annotations: { readOnlyHint: true }, outputSchema: {} }).hash, hash);
    equal(
      pinTool({ ...tool, inputSchema: { properties: tool.inputSchema['properties'] ?? {}, type: 'object' } }).hash,
      hash,
    );
    for (const other of [{ name: 'u' }, { title: 'T' }, { description: 'e' }, { inputSchema: {} }]) {
      notEqual(pinTool({ ...tool, ...other }).hash, hash);
    }
  });

  it('tell what was added, removed, changed and renamed', () => {
    const before = pinAll([
      mcpTool('same', 's'),
      mcpTool('gone', 'g'),
      mcpTool('old_name', 'r'),
      mcpTool('edited', 'one'),
    ]);
    const after = pinAll([
      mcpTool('same', 's'),
      mcpTool('fresh', 'f'),
      mcpTool('new_name', 'r'),
      mcpTool('edited', 'two'),
    ]);
    deepEqual(
      comparePins(before, after).map((change) => [change.kind, change.name, 'before' in change ? change.before : '']),
      [
        ['changed', 'edited', ''],
        ['added', 'fresh', ''],
        ['removed', 'gone', ''],
        ['renamed', 'new_name', 'old_name'],
      ],
    );
  });

  it("don't guess a rename where two tools have one body", () => {
    const kinds = comparePins(pinAll([mcpTool('a', 'x'), mcpTool('b', 'x')]), pinAll([mcpTool('c', 'x')])).map(
      ({ kind }) => kind,
    );
    deepEqual(kinds, ['removed', 'removed', 'changed'], 'a change of one of them, and no addition');
  });

  it('are judged by the setting', () => {
    const [changed] = comparePins(pinAll([mcpTool('a', 'x')]), pinAll([mcpTool('a', 'y')]));
    const verdicts = (['off', 'warn', 'block'] as const).map((mode) => pinVerdict(mode, changed));
    deepEqual(verdicts, ['ok', 'warn', 'block']);
    equal(pinVerdict('block', undefined), 'ok');
    equal(pinVerdict('block', { kind: 'added', name: 'a', current: pinTool(mcpTool('a', 'x')) }), 'warn');
  });
});
