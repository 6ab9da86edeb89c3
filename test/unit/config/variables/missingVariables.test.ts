import assert from 'node:assert/strict';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { expandSpec } from '../../../../src/config/variables/expandVariables.ts';
import { keptVariableProblems, missingVariableProblems } from '../../../../src/config/variables/variableProblems.ts';
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
        ['${input:t}', "`${input:t}` in `env.T` has no value, so a can't start."],
        ['${workspaceFolder}', "`${workspaceFolder}` in `env.W` has no value, so a can't start."],
        ['${config:x}', "`${config:x}` in `env.C` has no value, so a can't start."],
        ['${KEY}', "`${KEY}` in `args[0]` has no value, so a can't start."],
      ],
    );
  });
  it('can give an environment variable a default, and nothing else', () => {
    const [first, ...others] = problems.toReversed().map(({ edit }) => edit);
    assert.ok(first);
    const fixed = text.slice(0, first.offset) + first.text + text.slice(first.offset);
    assert.match(fixed, /"--k=\$\{KEY:-\}"/);
    assert.deepEqual(others, [undefined, undefined, undefined]);
  });
});

describe('config/keptVariableProblems', () => {
  const source = sourceOf({ file: '/w/.gemini/settings.json', format: 'settings' });
  const text = '{"mcpServers":{"a":{"command":"x","env":{"P":"Z*,$TMP,$ZX","T":"$KEY"},"args":["$SET","${NONE}"]}}}';
  const [entry] = parseSource(source, text).entries;
  assert.ok(entry);
  const context = { env: { SET: 's' }, platform: 'linux', userHome: '/h', workspaceFolders: [] } as const;

  it('Gemini’s unset `$NAME` stays as it stands', () => {
    const expansion = expandSpec(
      { ...entry.transport, args: ['$SET', '${env:SET:-$SET}'] } as typeof entry.transport,
      context,
    );
    assert.ok(expansion.ok && expansion.spec.type === 'stdio');
    assert.deepEqual(expansion.spec.env, { P: 'Z*,$TMP,$ZX', T: '$KEY' });
    assert.deepEqual(expansion.spec.args, ['$SET', 's']);
  });

  it('and is said, with what stands in the file: a hint, or a warning where it is the whole value', () => {
    const said = keptVariableProblems(entry, context).map(
      ({ severity, message, range }) =>
        `${severity} ${/`([^`]+)`/.exec(message)?.[1]} ${text.slice(range.offset, range.offset + range.length)}`,
    );
    assert.deepEqual(said, ['hint $TMP $TMP', 'hint $ZX $ZX', 'warning $KEY $KEY']);
  });

  it('GitHub Copilot’s `$NAME`, and the name of a secret of its cloud agent', () => {
    const [copilot] = parseSource(
      sourceOf({ file: '/w/.github/mcp.json' }),
      '{"mcpServers":{"a":{"command":"x","args":["$SET","COPILOT_MCP_KEY"],"env":{"A":"x$SET/y","B":"$NO","C":"COPILOT_MCP_KEY"}}}}',
    ).entries;
    assert.ok(copilot);
    const expansion = expandSpec(copilot.transport, { ...context, env: { SET: 's', COPILOT_MCP_KEY: 'k' } });
    assert.ok(expansion.ok && expansion.spec.type === 'stdio');
    assert.deepEqual(expansion.spec.env, { A: 'xs/y', B: '$NO', C: 'k' });
    assert.deepEqual(expansion.spec.args, ['s', 'COPILOT_MCP_KEY']);
  });

  it('another spelling that has no value is quoted as it stands', () => {
    const opencode = parseSource(
      sourceOf({ file: '/w/opencode.json', format: 'settings' }),
      '{"mcp":{"a":{"command":["x","{env:NONE}","{file:~/.key}"]}}}',
    ).entries[0];
    assert.ok(opencode);
    const expansion = expandSpec(opencode.transport, context);
    assert.ok(!expansion.ok);
    assert.deepEqual(
      missingVariableProblems(opencode, expansion.missing).map(({ message }) => /`([^`]+)`/.exec(message)?.[1]),
      ['{env:NONE}', '{file:~/.key}'],
    );
  });
});
