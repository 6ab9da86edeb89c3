import assert from 'node:assert/strict';
import type { Scope } from '../../../../src/config/configTypes.ts';
import type { ServerView } from '../../../../src/host/views/serverView.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';
import { sourceOf } from '../../config/sources.ts';

const { canBeMoved, canBeRemoved, chosenServers, serverNodes } = await withStubbedEditor({}, async () => ({
  ...(await import('../../../../src/ui/servers/canBeRemoved.ts')),
  ...(await import('../../../../src/ui/servers/chosenServers.ts')),
}));

function viewOf(name: string, scope: Scope, file = `/w/${scope}.json`): ServerView {
  const source = sourceOf({ scope, file });
  const range = { sourceId: source.id, line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0, length: 0 };
  const transport = { type: 'stdio', command: name, args: [], env: {} } as const;
  const entry = { name, scope, source, range, transport, disabled: false };
  const definition = { id: name, name, entry, fingerprint: '', status: { kind: 'ready' } } as const;
  return { definition, state: { kind: 'disconnected' }, tools: [] };
}

const views = [
  viewOf('a', 'user'),
  viewOf('b', 'user'),
  viewOf('managed', 'enterprise'),
  viewOf('toml', 'user', '/w/config.toml'),
];
const host = { view: (id: string) => views.find(({ definition }) => definition.id === id) };
const row = (serverId: string): object => ({ kind: 'server', serverId });
const chosen = (named: string, ...selected: object[]): readonly string[] =>
  chosenServers(host, canBeRemoved, named, selected).map(({ definition }) => definition.id);

describe('ui/chosenServers', () => {
  it('leaves out a single server that the action doesn’t apply to', () => {
    assert.deepEqual(chosen('a'), ['a']);
    assert.deepEqual(chosen('managed'), []);
    assert.deepEqual(chosen('managed', row('managed')), []);
  });

  it('takes all that are selected beside the named one, but only those that the action applies to', () => {
    assert.deepEqual(chosen('a', row('a'), row('b')), ['a', 'b']);
    assert.deepEqual(chosen('managed', row('managed'), row('b')), ['b']);
    assert.deepEqual(chosen('a', row('b'), row('managed')), ['a']);
  });

  it('doesn’t take what is below a server for the server', () => {
    const below = ['resource', 'prompt', 'note', 'disabledTool', 'category'].map((kind) => ({ kind, serverId: 'b' }));
    assert.deepEqual(chosen('a', row('a'), ...below), ['a']);
    assert.deepEqual(serverNodes([undefined, ...below, row('a')]), [row('a')]);
  });

  it('moves servers of JSON files of the user’s only', () => {
    assert.deepEqual(
      views.filter(canBeMoved).map(({ definition }) => definition.id),
      ['a', 'b'],
    );
  });
});
