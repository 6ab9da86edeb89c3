import assert from 'node:assert/strict';
import { withOwnHeader } from '../../../../src/config/edit/ownHeader.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import type { ServerEntry } from '../../../../src/config/configTypes.ts';
import { sourceOf } from '../sources.ts';

const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

function entryOf(server: object): ServerEntry {
  const [entry] = parseSource(sourceOf(), JSON.stringify({ mcpServers: { remote: server } })).entries;
  assert.ok(entry);
  return entry;
}

describe('a header that is set', () => {
  it('is written, in the place of one of that name in any case', () => {
    const value = { url: 'https://example.com/mcp', headers: { 'x-team': 'old', Accept: 'a' } };
    const next = withOwnHeader(entryOf(value), 'X-Team', 'core');
    assert.deepEqual(next?.change(value), { ...value, headers: { Accept: 'a', 'X-Team': 'core' } });
    assert.deepEqual(next?.change({ url: value.url }), { url: value.url, headers: { 'X-Team': 'core' } });
    assert.equal(next?.server.answers.size, 0);
  });

  it('keeps a secret out of the file: it is the answer to an input', () => {
    const value = { url: 'https://example.com/mcp' };
    const next = withOwnHeader(entryOf(value), 'Authorization', `Bearer ${SECRET}`);
    const [input] = next?.server.entry.inputs ?? [];
    assert.ok(input);
    assert.deepEqual(next?.change(value), { ...value, headers: { Authorization: `Bearer \${input:${input.id}}` } });
    assert.equal(next?.server.answers.get(input.id), SECRET);
    assert.ok(!JSON.stringify([next?.change(value), next?.server.entry]).includes(SECRET));
    // A second one doesn't take its id.
    const again = withOwnHeader(next?.server.entry ?? entryOf(value), 'X-Api-Key', SECRET);
    assert.equal(new Set(again?.server.entry.inputs?.map(({ id }) => id)).size, 2);
    // Nor that of an input that only another server of the file uses.
    const beside = withOwnHeader(entryOf(value), 'Authorization', `Bearer ${SECRET}`, [
      next?.server.entry ?? entryOf(value),
    ]);
    assert.notEqual(beside?.server.entry.inputs?.[0]?.id, input.id);
  });

  it('stands in the object of headers that has the name, and in no other', () => {
    const url = 'https://example.com/mcp';
    const changed = (value: object, name: string = 'Authorization'): object | undefined =>
      withOwnHeader(entryOf({ url, ...value }), name, 'x y')?.change({ ...value });
    const old = { authorization: 'Bearer old', Accept: 'a' };
    const now = { Accept: 'a', Authorization: 'x y' };
    assert.deepEqual(changed({ http_headers: old }), { http_headers: now });
    assert.deepEqual(changed({ http_headers: { A: 'b' } }), { http_headers: { A: 'b', Authorization: 'x y' } });
    assert.deepEqual(changed({ requestInit: { headers: old } }), { requestInit: { headers: now } });
    assert.deepEqual(changed({ headers: { A: 'b' }, request_options: { headers: old } }), {
      headers: { A: 'b' },
      request_options: { headers: now },
    });
    assert.deepEqual(changed({ headers: { AUTHORIZATION: 'old' }, http_headers: old, requestInit: { headers: old } }), {
      headers: { Authorization: 'x y' },
      http_headers: { Accept: 'a' },
      requestInit: { headers: { Accept: 'a' } },
    });
    // Only the first options are read.
    assert.deepEqual(changed({ requestInit: { headers: { A: 'b' } }, requestOptions: { headers: old } }), {
      requestInit: { headers: { A: 'b' } },
      requestOptions: { headers: { Accept: 'a' } },
      headers: { Authorization: 'x y' },
    });
    for (const value of [
      { bearerTokenEnvVar: 'TOKEN' },
      { bearerTokenEnv: 'TOKEN' },
      { bearer_token_env_var: 'TOKEN' },
      { env_http_headers: { authorization: 'TOKEN' } },
    ])
      assert.throws(() => changed(value), /“Authorization” comes from the environment variable that “\w+” names/);
    assert.deepEqual(changed({ bearerTokenEnvVar: 'TOKEN' }, 'X-Team'), {
      bearerTokenEnvVar: 'TOKEN',
      headers: { 'X-Team': 'x y' },
    });
  });

  it('is nothing to a server that is sent none', () => {
    assert.equal(withOwnHeader(entryOf({ command: 'node' }), 'X-Team', 'core'), undefined);
  });
});
