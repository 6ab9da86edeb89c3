import { strict as assert } from 'node:assert';
import { standInsFor } from '../../../../../src/bridge/gateway/editor/standIns.ts';
import type { ServerDefinition, ServerStatus } from '../../../../../src/servers/serverTypes.ts';

const definition = (name: string, status: ServerStatus): ServerDefinition =>
  ({ id: `id-${name}`, name, status }) as ServerDefinition;
const disabled = (by: 'entry' | 'user' | 'editor' | 'preset'): ServerStatus => ({ kind: 'disabled', by, reason: '' });
const blocked = (by: 'rejected' | 'sandboxed' | 'policy' | 'untrusted-workspace'): ServerStatus => ({
  kind: 'blocked',
  by,
  reason: '',
});
const labels = (
  definitions: readonly ServerDefinition[],
  published: readonly string[] = [],
  isKnown: (id: string) => boolean = () => true,
): readonly string[] =>
  standInsFor(definitions, published, (id) => (isKnown(id) ? [`editor.${id}`] : [])).map(({ label }) => label);

describe('bridge/gateway/standIns', () => {
  it('are for servers that are off here by a decision that the editor doesn’t know', () => {
    const all: readonly (readonly [string, ServerStatus, boolean])[] = [
      ['in its file', disabled('entry'), true],
      ['by the user', disabled('user'), true],
      ['outside the preset', disabled('preset'), true],
      ['rejected', blocked('rejected'), true],
      ['denied by a policy', blocked('policy'), true],
      ['not approved yet', { kind: 'needs-approval', change: 'new' }, true],
      ['another name of one that runs', { kind: 'shadowed', by: { scope: 'user', label: '', name: 'a' } }, true],
      ['the same name in another file', { kind: 'shadowed', by: { scope: 'user', label: '' } }, false],
      ['left to the editor', disabled('editor'), false],
      ['the editor has the sandbox', blocked('sandboxed'), false],
      ['the editor starts none of these', blocked('untrusted-workspace'), false],
      ['runs', { kind: 'ready' }, false],
    ];
    assert.deepEqual(
      labels(all.map(([name, status]) => definition(name, status))),
      all.flatMap(([name, , isOff]) => (isOff ? [name] : [])),
    );
  });

  it('none for what the editor hasn’t, or what is published under that name; one for names that differ in case', () => {
    const off = ['a', 'B', 'b', 'c'].map((name) => definition(name, disabled('entry')));
    assert.deepEqual(
      labels(off, ['A'], (id) => id !== 'id-c'),
      ['B'],
    );
  });
});
