import assert from 'node:assert/strict';
import type { ConfigSource } from '../../../../src/config/configTypes.ts';
import { exportServers } from '../../../../src/config/clients/exportServers.ts';
import { importServers } from '../../../../src/config/clients/importServers.ts';
import { sourcesFor } from '../../../../src/config/configSources.ts';
import { changeServer } from '../../../../src/config/edit/changeServer.ts';
import { enableEntry } from '../../../../src/config/edit/entrySwitches.ts';
import { removeServer } from '../../../../src/config/edit/removeServer.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';

const machine = { platform: 'linux', env: {}, home: '/h', configFiles: [] } as const;
const sources = sourcesFor({
  ...machine,
  workspaceFolders: [{ name: 'w', path: '/w' }],
  discovery: ['copilot'],
});
const sourceAt = (file: string): ConfigSource => {
  const found = sources.find((each) => each.file === file);
  assert.ok(found, file);
  return found;
};
const user = sourceAt('/h/.copilot/mcp-config.json');
const repository = sourceAt('/w/.github/mcp.json');

const KEPT = `{
  // Mine: keep it.
  "mcpServers": {
    "notes": {
      "command": "notes", // by hand
      "oidc": true,
      "disabled": true
    },
    "other": { "command": "other", "filterMapping": "markdown" }
  },
  "future": { "a": 1 }
}
`;

describe('config: GitHub Copilot’s files', () => {
  it('are of the user, and of the repository, whose servers need approval', () => {
    assert.deepEqual([user.scope, repository.scope], ['user', 'workspace']);
    assert.equal(repository.folder?.path, '/w');
    const withoutIt = sourcesFor({ ...machine, workspaceFolders: [{ name: 'w', path: '/w' }], discovery: [] });
    assert.ok(!withoutIt.some(({ client }) => client === 'copilot'));
  });

  it('tools, sign-in, time-outs and what is always shown are as Copilot reads them', () => {
    const { entries } = parseSource(
      user,
      JSON.stringify({
        mcpServers: {
          all: { command: 'x', tools: ['*'], timeout: 5000, deferTools: 'never' },
          some: { type: 'http', url: 'https://e.example', tools: ['a'], oauthClientId: 'id', oauthScopes: ['s'] },
          none: { type: 'local', command: 'x', tools: [] },
        },
      }),
    );
    const [all, some, none] = entries;
    assert.deepEqual([all?.tools, all?.callTimeoutMs, all?.alwaysLoad], [undefined, 5000, true]);
    assert.deepEqual(some?.tools, { enabled: ['a'] });
    assert.ok(some?.transport.type === 'http');
    assert.deepEqual(some.transport.oauth, { clientId: 'id', scopes: ['s'] });
    assert.deepEqual(none?.tools, { disabled: ['*'] });
  });

  it('an empty list of tools of other clients means all, as it does there', () => {
    const [entry] = parseSource(
      { ...user, client: 'cursor' },
      '{"mcpServers":{"a":{"command":"x","tools":[]}}}',
    ).entries;
    assert.equal(entry?.tools, undefined);
  });

  it('adding, enabling and removing keep comments and fields that nobody knows', () => {
    const [added] = parseSource(user, '{"mcpServers":{"added":{"command":"added"}}}').entries;
    assert.ok(added);
    const { edited } = importServers(KEPT, 'mcpServers', [added]);
    assert.ok('text' in edited);
    const enabled = changeServer(edited.text, user, 'notes', enableEntry);
    assert.ok('text' in enabled);
    const notes = parseSource(user, enabled.text).entries.find(({ name }) => name === 'notes');
    assert.equal(notes?.disabled, false);
    const removed = removeServer(enabled.text, user, 'added');
    assert.ok('text' in removed);
    assert.equal(removed.text, KEPT.replace(',\n      "disabled": true', ''));
  });

  it('what is exported says which tools, as its documentation wants it', () => {
    const { entries } = parseSource(user, '{"mcpServers":{"a":{"command":"x","env":{"K":"${env:K:-d}"}}}}');
    const { text, notes } = exportServers(entries, 'copilot');
    assert.deepEqual(JSON.parse(text), {
      mcpServers: { a: { type: 'local', command: 'x', env: { K: '${K:-d}' }, args: [], tools: ['*'] } },
    });
    assert.deepEqual(notes, []);
  });
});
