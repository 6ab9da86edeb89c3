import assert from 'node:assert/strict';
import type { TransportSpec } from '../../../../src/config/configTypes.ts';
import { expandSpec, type VariableContext } from '../../../../src/config/variables/expandVariables.ts';

const app = { name: 'app', path: '/w/app' };
const context: VariableContext = {
  env: { TOKEN: 't', EMPTY: '', LOOP: '${TOKEN}', TILDE: '~' },
  platform: 'linux',
  userHome: '/home/me',
  workspaceFolder: app,
  workspaceFolders: [app, { name: 'lib', path: '/w/lib' }],
};

const expandArg = (text: string, more: Partial<VariableContext> = {}): string => {
  const spec: TransportSpec = { type: 'stdio', command: 'x', args: [text], env: {} };
  const expansion = expandSpec(spec, { ...context, ...more });
  if (!expansion.ok)
    return `missing ${expansion.missing.map(({ variable, field }) => `${variable} in ${field}`).join()}`;
  return (expansion.spec.type === 'stdio' && expansion.spec.args[0]) || '';
};

describe('config/variables', () => {
  for (const [text, expected] of [
    ['plain $ {x} $HOME', 'plain $ {x} $HOME'],
    ['a${TOKEN}b${TOKEN}', 'atbt'],
    ['${env:TOKEN}', 't'],
    ['$env:TOKEN', '$env:TOKEN'],
    ['${NONE:-d}', 'd'],
    ['${NONE:-}', ''],
    ['${EMPTY:-d}', 'd'],
    ['${EMPTY}', ''],
    ['${env:NONE:-d}', 'd'],
    ['${NONE:-a${TOKEN}b}', 'atb'],
    ['${TOKEN:-${NONE}}', 't'],
    ['${LOOP}', '${TOKEN}'],
    ['${workspaceFolder}/x', '/w/app/x'],
    ['${workspaceFolder:lib}', '/w/lib'],
    ['${workspaceFolderBasename}', 'app'],
    ['${userHome}${/}a${pathSeparator}', '/home/me/a/'],
    ['~/x', '~/x'],
    ['${unclosed', '${unclosed'],
    ['%TOKEN%', '%TOKEN%'],
    ['${NONE}', 'missing NONE in args[0]'],
    ['${NONE}${NONE}${env:ALSO}', 'missing NONE in args[0],env:ALSO in args[0]'],
    ['${}', 'missing  in args[0]'],
    ['${input:key}', 'missing input:key in args[0]'],
    ['${command:do.it}', 'missing command:do.it in args[0]'],
    ['${workspaceFolder:none}', 'missing workspaceFolder:none in args[0]'],
    ['${config:x}', 'missing config:x in args[0]'],
    ['${toString}', 'missing toString in args[0]'],
  ] as const)
    it(text, () => assert.equal(expandArg(text), expected));

  it('asks the context for inputs and commands', () => {
    const answers = { input: (id: string) => `i-${id}`, command: (id: string) => `c-${id}` };
    assert.equal(expandArg('${input:a}${command:b.c}', answers), 'i-ac-b.c');
  });

  it('a missing workspace folder is missing', () => {
    const { workspaceFolder: _, ...noFolder } = context;
    const spec: TransportSpec = { type: 'http', url: 'http://h/${workspaceFolder}', headers: {} };
    assert.deepEqual(expandSpec(spec, noFolder), {
      ok: false,
      missing: [{ variable: 'workspaceFolder', field: 'url' }],
    });
  });

  it('Windows: %VAR%, names without case, separators', () => {
    const windows = { platform: 'win32', env: { Path: 'p' } } as const;
    assert.equal(expandArg('%PATH%;${path}${/}%d%100%', windows), 'p;p\\%d%100%');
  });

  it('every string of an entry, and the home folder where a path begins', () => {
    const spec: TransportSpec = {
      type: 'stdio',
      command: '~/bin/${TOKEN}',
      args: [],
      env: { A: '${TOKEN}', B: '${NONE:-b}' },
      cwd: 'sub',
      envFile: '${userHome}/.env',
    };
    assert.deepEqual(expandSpec(spec, { ...context, baseFolder: '/w/app' }), {
      ok: true,
      spec: {
        type: 'stdio',
        command: '/home/me/bin/t',
        args: [],
        env: { A: 't', B: 'b' },
        cwd: '/w/app/sub',
        envFile: '/home/me/.env',
      },
    });
    const remote: TransportSpec = {
      type: 'http',
      url: 'https://${TOKEN}/%41%42',
      headers: { Authorization: 'Bearer ${TOKEN}' },
    };
    assert.deepEqual(expandSpec(remote, { ...context, platform: 'win32' }), {
      ok: true,
      spec: { type: 'http', url: 'https://t/%41%42', headers: { Authorization: 'Bearer t' } },
    });
  });

  it('a `~` out of a variable is only a letter', () => {
    const spec: TransportSpec = { type: 'stdio', command: '${TILDE}/x', args: [], env: {} };
    const expansion = expandSpec(spec, context);
    assert.equal(expansion.ok && expansion.spec.type === 'stdio' && expansion.spec.command, '~/x');
  });

  it('names the header that lacks its variable', () => {
    const spec: TransportSpec = { type: 'http', url: 'https://h', headers: { Authorization: 'Bearer ${GONE}' } };
    assert.deepEqual(expandSpec(spec, context), {
      ok: false,
      missing: [{ variable: 'GONE', field: 'headers.Authorization' }],
    });
  });

  it('ends quickly on absurd nesting', () => {
    assert.match(expandArg('${a:-'.repeat(100_000)), /^missing/);
  });
});
