import assert from 'node:assert/strict';
import { describeLaunch } from '../../../../src/servers/trust/summary/launchSummary.ts';

describe('servers/launch', () => {
  it('says what runs, and which variable goes where', () => {
    const transport = {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'a b', '--url=${URL:-${BASE}}'],
      env: { TOKEN: '${input:t}', API_KEY: 'abc', LOG: 'debug' },
      cwd: '${workspaceFolder}',
      envFile: '.env',
    } as const;
    const inputs = [{ id: 't', type: 'promptString', password: true }] as const;
    assert.deepEqual(describeLaunch({ transport, inputs }), [
      'Runs: npx -y "a b" --url=${URL:-${BASE}}',
      'In the folder: ${workspaceFolder}',
      'Environment from the file: .env',
      'Environment: API_KEY=abc',
      'Environment: LOG=debug',
      'Environment: TOKEN=${input:t}',
      'npx receives ${URL} (args[2])',
      'npx receives ${BASE} (args[2])',
      'npx receives ${input:t} (env.TOKEN), which you are asked for',
      'npx receives ${workspaceFolder} (cwd)',
      'Input t: asks, and keeps the answer',
    ]);
  });

  it('says of a variable in an argument that the entry’s own env sets it', () => {
    const args = ['--header', 'Authorization:${AUTH}', '${env:AUTH}', '${OTHER}'];
    const transport = { type: 'stdio', command: 'npx', args, env: { AUTH: 'Bearer ${TOKEN}' } } as const;
    assert.deepEqual(
      describeLaunch({ transport }).filter((line) => line.includes('receives')),
      [
        'npx receives ${AUTH} (args[1]), which its env sets',
        'npx receives ${env:AUTH} (args[2]), which its env sets',
        'npx receives ${OTHER} (args[3])',
        'npx receives ${TOKEN} (env.AUTH)',
      ],
    );
  });

  it('says what is reached', () => {
    const transport = {
      type: 'http',
      url: 'https://host:8443/m?api_key=abc&x=1',
      headers: { Authorization: 'Bearer ${command:get.it}', 'X-Team': 'a' },
      headersHelper: 'helper ${HOME}',
    } as const;
    assert.deepEqual(describeLaunch({ transport }), [
      'Connects to: https://host:8443/m?api_key=abc&x=1 (Streamable HTTP)',
      'Header: Authorization="Bearer ${command:get.it}"',
      'Header: X-Team=a',
      'Runs for its headers: helper ${HOME}',
      "host:8443 receives ${command:get.it} (headers.Authorization), from the editor's command get.it",
      'the command for its headers receives ${HOME} (headersHelper)',
    ]);
  });

  it('says which rules for calls come with it', () => {
    const transport = { type: 'stdio', command: 'x', args: [], env: {} } as const;
    const permissionRules = [
      { tool: 'delete_*', action: 'deny', source: 'entry', reason: 'never' },
      { tool: '*', action: 'ask', source: 'entry', args: { path: 'a b' } },
      { tool: 'read', action: 'allow', source: 'entry' },
    ] as const;
    assert.deepEqual(describeLaunch({ transport, permissionRules }).slice(1), [
      'Rule: delete_* is denied (never)',
      'Rule: * with {"path":"a b"} is asked about',
      'Rule: read runs without a question',
    ]);
  });

  it('says what the entry makes of its tools, so that an edit shows', () => {
    const transport = { type: 'stdio', command: 'x', args: [], env: {} } as const;
    const toolOverrides = new Map([
      ['drop_*', { hidden: true }],
      [
        'add',
        { name: 'put', description: 'Adds.', fixedArguments: { folder: 'in box', apiKey: 'abc' }, readOnly: false },
      ],
      ['wipe', { destructive: true }],
    ]);
    const todo = {
      name: 'todo',
      tool: 'add',
      description: 'To do.',
      inputSchema: {},
      arguments: { title: '{{what}}' },
    };
    const lines = describeLaunch({ transport, toolOverrides, customTools: [todo] }).slice(1);
    assert.deepEqual(lines, [
      'Tool drop_*: hidden',
      'Tool add: called put; described as "Adds."; always with folder="in box", apiKey=abc; counts as one that writes',
      'Tool wipe: counts as destructive',
      'Tool of the entry’s own, todo: calls add with title={{what}}; described as "To do."; schema 44136fa3',
    ]);
    const edited = describeLaunch({
      transport,
      toolOverrides,
      customTools: [{ ...todo, inputSchema: { type: 'object' } }],
    });
    assert.deepEqual(edited.slice(1, -1), lines.slice(0, -1));
    assert.notEqual(edited.at(-1), lines.at(-1));
  });
});
