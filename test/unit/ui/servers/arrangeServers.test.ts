import assert from 'node:assert/strict';
import type { Scope } from '../../../../src/config/configTypes.ts';
import type { ServerState } from '../../../../src/connection/connectionState.ts';
import type { ServerView } from '../../../../src/host/views/serverView.ts';
import {
  arrangeServers,
  groupServers,
  readArrangement,
  type SORTS,
} from '../../../../src/ui/servers/tree/arrangeServers.ts';
import { sourceOf } from '../../config/sources.ts';

const failure = { code: 'exited', message: 'It exited with code 3', stderrTail: [] } as const;
const info = { name: 's', version: '1', protocolVersion: '2025-11-25', era: 'legacy', capabilities: {} } as const;

function viewOf(name: string, scope: Scope, state: ServerState): ServerView {
  const source = sourceOf({ scope, file: `/w/${scope}.json` });
  const range = { sourceId: source.id, line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0, length: 0 };
  const transport = { type: 'stdio', command: name, args: [], env: {} } as const;
  const entry = { name, scope, source, range, transport, disabled: false };
  return { definition: { id: name, name, entry, fingerprint: '', status: { kind: 'ready' } }, state, tools: [] };
}

const views = [
  viewOf('s10', 'user', { kind: 'connected', since: 1, info }),
  viewOf('s9', 'project', { kind: 'failed', failure }),
  viewOf('b', 'project', { kind: 'disabled', reason: 'disabled by you' }),
  viewOf('a', 'user', { kind: 'connected', since: 1, info }),
];
const tools = (id: string): readonly string[] => (id === 'a' ? ['read_page', 'Write_Page'] : id === 's10' ? ['x'] : []);
const names = (found: readonly ServerView[]): readonly string[] => found.map(({ definition }) => definition.name);
const sorted = (sort: (typeof SORTS)[number]): readonly string[] =>
  names(arrangeServers(views, { sort, filter: '' }, tools));
const filtered = (filter: string): readonly string[] =>
  names(arrangeServers(views, { sort: 'defined', filter }, tools));

describe('ui/arrangeServers', () => {
  it('sorts by place, name, state and number of tools', () => {
    assert.deepEqual(sorted('defined'), ['s10', 's9', 'b', 'a']);
    assert.deepEqual(sorted('name'), ['a', 'b', 's9', 's10']);
    assert.deepEqual(sorted('state'), ['s9', 'a', 's10', 'b']);
    assert.deepEqual(sorted('tools'), ['a', 's10', 'b', 's9']);
  });

  it('finds servers in which every word is: name, scope, file, state or tool', () => {
    assert.deepEqual(filtered(''), ['s10', 's9', 'b', 'a']);
    assert.deepEqual(filtered('S10'), ['s10']);
    assert.deepEqual(filtered('project failed'), ['s9']);
    assert.deepEqual(filtered('write_page user'), ['a']);
    assert.deepEqual(filtered('code 3'), ['s9']);
    assert.deepEqual(filtered('write_page project'), []);
  });

  it('groups by scope, the highest first', () => {
    assert.deepEqual(
      groupServers(views).map((group) => [group.scope, ...names(group.views)]),
      [
        ['project', 's9', 'b'],
        ['user', 's10', 'a'],
      ],
    );
  });

  it('takes whatever was remembered', () => {
    const standard = { isGrouped: true, sort: 'defined', filter: '' };
    for (const value of [undefined, null, 7, 'x', [], { sort: 'gone', filter: 7, isGrouped: 'no' }])
      assert.deepEqual(readArrangement(value), standard);
    const kept = { isGrouped: false, sort: 'tools', filter: 'x' };
    assert.deepEqual(readArrangement(kept), kept);
  });
});
