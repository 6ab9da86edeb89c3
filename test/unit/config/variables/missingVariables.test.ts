import assert from 'node:assert/strict';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { missingVariableProblems, expandSpec } from '../../../../src/config/variables/expandVariables.ts';
import { sourceOf } from '../sources.ts';

describe('config/variableProblems', () => {
  const text =
    '{"a":{"command":"x","args":["--k=${KEY}"],"env":{"T":"${input:t}","W":"${workspaceFolder}","C":"${config:x}"}}}';
  const [entry] = parseSource(sourceOf(), text).entries;
  assert.ok(entry);
  const expansion = expandSpec(entry.transport, { env: {}, platform: 'linux', userHome: '/h', workspaceFolders: [] });
  assert.ok(!expansion.ok);
  const problems = missingVariableProblems(entry, expansion.missing);

  it('name variable and field, at the variable', () => {
    assert.deepEqual(
      problems.map(({ range, message }) => [text.slice(range.offset, range.offset + range.length), message]),
      [
        ['${KEY}', "`${KEY}` in `args[0]` has no value, so a can't start."],
        ['${input:t}', "`${input:t}` in `env.T` has no value, so a can't start."],
        ['${workspaceFolder}', "`${workspaceFolder}` in `env.W` has no value, so a can't start."],
        ['${config:x}', "`${config:x}` in `env.C` has no value, so a can't start."],
      ],
    );
  });
  it('can give an environment variable a default, and nothing else', () => {
    const [first, ...others] = problems.map(({ edit }) => edit);
    assert.ok(first);
    const fixed = text.slice(0, first.offset) + first.text + text.slice(first.offset);
    assert.match(fixed, /"--k=\$\{KEY:-\}"/);
    assert.deepEqual(others, [undefined, undefined, undefined]);
  });
});
