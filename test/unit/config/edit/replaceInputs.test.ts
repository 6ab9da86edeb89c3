import assert from 'node:assert/strict';
import { withOwnHeader } from '../../../../src/config/edit/ownHeader.ts';
import { inputChange, replaceWithInputs } from '../../../../src/config/edit/replaceInputs.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import type { ConfigSource, InputDefinition } from '../../../../src/config/configTypes.ts';
import { sourceOf } from '../sources.ts';

const secret = (letter: string): string => `ghp_${letter.repeat(20)}0123456789abcdef`;

interface Written {
  readonly inputs?: readonly InputDefinition[];
  readonly mcpServers: Readonly<Record<string, { inputs?: readonly InputDefinition[]; headers?: object }>>;
}

/** Sets a header of the server `remote`, as *Set Header* does. */
function set(text: string, name: string, value: string, source: ConfigSource = sourceOf()): string {
  const { entries } = parseSource(source, text);
  const entry = entries.find((each) => each.name === 'remote');
  assert.ok(entry);
  const others = entries.filter((each) => each !== entry);
  const next = withOwnHeader(entry, name, value, others);
  assert.ok(next);
  const change = inputChange(entry.inputs, next.server.entry.inputs);
  const edited = replaceWithInputs(text, source, 'remote', next.change, change);
  assert.ok('text' in edited);
  assert.deepEqual(parseSource(source, edited.text).problems, []);
  return edited.text;
}

const idsOf = (inputs: readonly InputDefinition[] | undefined): string[] | undefined => inputs?.map(({ id }) => id);

describe('the inputs of a definition that is replaced', () => {
  const file = JSON.stringify({ mcpServers: { remote: { url: 'https://example.com/mcp' } } });

  it('are those that it uses, however often a secret is set', () => {
    let text = file;
    for (const letter of ['a', 'b', 'c']) {
      text = set(text, 'Authorization', `Bearer ${secret(letter)}`);
      assert.deepEqual(idsOf((JSON.parse(text) as Written).mcpServers['remote']?.inputs), ['remote-authorization']);
    }
    text = set(text, 'X-Api-Key', secret('d'));
    text = set(text, 'Authorization', 'none');
    const { remote } = (JSON.parse(text) as Written).mcpServers;
    assert.deepEqual(idsOf(remote?.inputs), ['remote-x-api-key']);
    text = set(text, 'X-Api-Key', 'none');
    assert.ok(!text.includes('inputs'));
  });

  it('take the place of one with the same id that was left behind', () => {
    const left = { id: 'remote-authorization', type: 'promptString', description: 'old', password: true };
    const text = set(
      JSON.stringify({
        mcpServers: { remote: { url: 'https://example.com/mcp', inputs: [left, { ...left, id: 'mine' }] } },
      }),
      'Authorization',
      `Bearer ${secret('a')}`,
    );
    const { remote } = (JSON.parse(text) as Written).mcpServers;
    assert.deepEqual(idsOf(remote?.inputs), ['mine', 'remote-authorization']);
  });

  it('stand in the list of the file where it has one, whose other items and comments stay', () => {
    for (const within of [undefined, ['projects', '/w']]) {
      const own = `{
  "inputs": [
    // mine
    { "id": "a", "type": "promptString" }
  ],
  "mcpServers": {
    "remote": { "url": "https://example.com/mcp" },
    "other": { "url": "https://example.com/mcp", "headers": { "X": "\${input:a}" } }
  }
}`;
      const source = { ...sourceOf(), ...(within ? { within } : {}) };
      const text = within ? `\uFEFF{ "projects": { "/w": ${own} } }` : own;
      const read = (now: string): Written => {
        const all = JSON.parse(now.replace('// mine', '').replace(/^\uFEFF/, '')) as Written & {
          projects?: Record<string, Written>;
        };
        return all.projects?.['/w'] ?? all;
      };
      let now = set(text, 'Authorization', `Bearer ${secret('a')}`, source);
      now = set(now, 'Authorization', `Bearer ${secret('b')}`, source);
      assert.deepEqual(idsOf(read(now).inputs), ['a', 'remote-authorization']);
      assert.equal(read(now).mcpServers['remote']?.inputs, undefined);
      assert.ok(now.includes('// mine'));
      assert.ok(!now.includes('ghp_'));
      // An input that another server names stays; one that nobody names goes.
      now = set(now, 'X', '${input:a}', source);
      now = set(now, 'X', 'b', source);
      now = set(now, 'Authorization', 'b', source);
      assert.deepEqual(idsOf(read(now).inputs), ['a']);
    }
  });
});
