import assert from 'node:assert/strict';
import { loadAll } from 'js-yaml';
import { withAgentTools } from '../../../../src/config/edit/agentTools.ts';

const REFERENCE = 'preset-review/*';

/** The tools that the file names, as YAML has them. */
function toolsIn(text: string): unknown {
  const [, head = ''] = /^---\r?\n([\s\S]*?)^---/m.exec(text) ?? [];
  return (loadAll(head, null)[0] as { readonly tools?: unknown }).tools;
}

const edited = (text: string): string => {
  const edit = withAgentTools(text, REFERENCE, 'reviewer');
  assert.ok(edit && 'text' in edit, JSON.stringify(edit));
  return edit.text;
};

describe('config/edit: tools of a custom agent', () => {
  it('a new one has those that read, and the preset', () => {
    const text = edited('');
    assert.deepEqual(toolsIn(text), ['read', 'search', REFERENCE]);
    assert.match(text, /^---\ndescription: "reviewer"\n/);
  });

  const given: readonly (readonly [string, string, readonly string[]])[] = [
    ['a list in a line', '---\ntools: [\'read\', "github/*"]\n---\nText\n', ['read', 'github/*', REFERENCE]],
    ['an empty list', '---\ndescription: x\ntools: []\nmodel: m\n---\nText\n', [REFERENCE]],
    ['a comma at its end', '---\ntools: [read,]\n---\n', ['read', REFERENCE]],
    ['an item a line', '---\ntools:\n  - read\n  - search\nmodel: m\n---\nText\n', ['read', 'search', REFERENCE]],
    ['items without indent, CRLF', '---\r\ntools:\r\n- read\r\n---\r\nText\r\n', ['read', REFERENCE]],
    ['no tools', '---\ndescription: x\n---\nText\n', ['read', 'search', REFERENCE]],
    ['tools of nothing', '---\ntools:\nmodel: m\n---\n', ['read', 'search', REFERENCE]],
    ['no head', 'You review.\n\n---\n\ntools: [x]\n', ['read', 'search', REFERENCE]],
  ];
  for (const [name, text, tools] of given)
    it(`keeps all else: ${name}`, () => {
      const after = edited(text);
      assert.deepEqual(toolsIn(after), tools);
      for (const line of text.split('\n').filter((each) => !/^(?:tools|-|---|\s*$)/.test(each)))
        assert.ok(after.includes(line), line);
      assert.equal(withAgentTools(after, REFERENCE, 'reviewer'), undefined, 'once');
    });

  it('a name with a quote is one text', () => {
    const edit = withAgentTools('', "preset-it's/*", 'x');
    assert.ok(edit && 'text' in edit);
    assert.deepEqual(toolsIn(edit.text), ['read', 'search', "preset-it's/*"]);
  });

  it('what it can’t change it leaves', () => {
    for (const text of [
      '---\ntools: [\n  read\n]\n---\n',
      '---\ntools: read\n---\n',
      '---\ntools: []\ntools: []\n---\n',
    ]) {
      const edit = withAgentTools(text, REFERENCE, 'x');
      assert.ok(edit && 'refusal' in edit, text);
    }
  });
});
