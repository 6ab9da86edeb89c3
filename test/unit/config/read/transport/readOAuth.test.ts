import assert from 'node:assert/strict';
import type { ConfigProblem, ConfigSource, ServerEntry } from '../../../../../src/config/configTypes.ts';
import { parseAnySource, parseSource } from '../../../../../src/config/read/parseSource.ts';
import { expandSpec } from '../../../../../src/config/variables/expandVariables.ts';
import { writtenSecrets } from '../../../../../src/config/variables/namedValues.ts';

const source = (client: ConfigSource['client'], file: string): ConfigSource => ({
  id: 'x',
  scope: 'user',
  format: 'mcp',
  label: file,
  file: `/x/${file}`,
  ...(client ? { client } : {}),
});

function entryOf(
  text: string,
  client?: ConfigSource['client'],
  file = 'mcp.json',
): ServerEntry & { problems: ConfigProblem[] } {
  const { entries, problems } = parseSource(source(client, file), text);
  const [entry] = entries;
  assert.ok(entry, JSON.stringify(problems));
  return { ...entry, problems: [...problems] };
}

function oauthOf(members: string, client?: ConfigSource['client']): unknown {
  const { transport } = entryOf(
    `{ "mcpServers": { "s": { "url": "https://mcp.example.com/mcp", ${members} } } }`,
    client,
  );
  return 'oauth' in transport ? transport.oauth : undefined;
}

describe('what entries say of signing in', () => {
  const forms: readonly (readonly [name: string, members: string, expected: unknown])[] = [
    [
      'Claude Code',
      '"oauth": { "clientId": "a", "callbackPort": 8080, "scopes": "x y", "authServerMetadataUrl": "https://a.example/m" }',
      { clientId: 'a', callbackPort: 8080, scopes: ['x', 'y'], metadataUrl: 'https://a.example/m' },
    ],
    ['VS Code', '"oauth": { "clientId": "a" }', { clientId: 'a' }],
    [
      'Cursor',
      '"auth": { "CLIENT_ID": "a", "CLIENT_SECRET": "${env:S}", "scopes": ["x", "y"] }',
      { clientId: 'a', clientSecret: '${env:S}', scopes: ['x', 'y'] },
    ],
    [
      'Gemini CLI',
      '"oauth": { "enabled": true, "clientId": "a", "redirectUri": "http://localhost:7777/cb", "scopes": ["x"] }',
      { clientId: 'a', redirectUri: 'http://localhost:7777/cb', scopes: ['x'] },
    ],
    ['Gemini CLI, off', '"oauth": { "enabled": false }', false],
    ['opencode', '"oauth": { "clientId": "a", "scope": "x" }', { clientId: 'a', scopes: ['x'] }],
    ['off', '"oauth": false', false],
    ['bound tokens', '"oauth": { "dpop": true }', { dpop: true }],
    [
      'cross-app access',
      '"oauth": { "grant": "cross-app-access", "clientId": "a", "idpClientId": "b", "idpIssuer": "https://idp.example", "idToken": "${command:x}" }',
      {
        grant: 'cross_app_access',
        clientId: 'a',
        idpClientId: 'b',
        idpIssuer: 'https://idp.example',
        idToken: '${command:x}',
      },
    ],
    ...['jwt_bearer', 'urn:ietf:params:oauth:grant-type:jwt-bearer'].map((grant): [string, string, object] => [
      `an assertion: ${grant}`,
      `"oauth": { "grant": "${grant}", "clientId": "a", "assertion": "\${env:X}" }`,
      { grant: 'jwt_bearer', clientId: 'a', assertion: '${env:X}' },
    ]),
    ['empty', '"oauth": {}', undefined],
    ['Kiro', '"oauthScopes": ["x"]', { scopes: ['x'] }],
    [
      'client credentials',
      '"oauth": { "grant": "client_credentials", "clientId": "a", "clientSecret": "b" }',
      { grant: 'client_credentials', clientId: 'a', clientSecret: 'b' },
    ],
    ['another meaning of auth', '"auth": "oauth"', undefined],
  ];
  for (const [name, members, expected] of forms)
    it(`reads the form of ${name}`, () => assert.deepEqual(oauthOf(members), expected));

  it('reads the form of Codex', async () => {
    const text =
      '[mcp_servers.s]\nurl = "https://mcp.example.com/mcp"\nscopes = ["x"]\noauth_resource = "https://r.example"\n[mcp_servers.s.oauth]\nclient_id = "a"\ncallback_port = 5555\n';
    const [entry] = (await parseAnySource(source('codex', 'config.toml'), text)).entries;
    const transport = entry?.transport ?? {};
    const expected = { clientId: 'a', callbackPort: 5555, scopes: ['x'], resource: 'https://r.example' };
    assert.deepEqual('oauth' in transport ? transport.oauth : undefined, expected);
  });

  it('what is wrong in it is a warning, and the server stays', () => {
    const wrong = [
      '"oauth": "yes"',
      '"oauth": { "callbackPort": 70000 }',
      '"oauth": { "clientId": 5 }',
      '"oauth": { "issuer": "http://a.example" }',
      '"oauth": { "grant": "password" }',
    ];
    for (const members of wrong) {
      const { problems } = entryOf(`{ "mcpServers": { "s": { "url": "https://mcp.example.com/mcp", ${members} } } }`);
      assert.deepEqual(
        problems.map(({ code, severity }) => [code, severity]),
        [['invalid-oauth', 'warning']],
        members,
      );
    }
  });

  it('variables in it are expanded, and secrets masked', () => {
    const { transport, variables } = entryOf(
      '{ "mcpServers": { "s": { "url": "https://mcp.example.com/mcp", "oauth": { "clientId": "a", "clientSecret": "${SECRET}" } } } }',
    );
    assert.deepEqual(
      variables?.map(({ variable, field }) => [variable, field]),
      [['SECRET', 'oauth.clientSecret']],
    );
    const context = {
      env: { SECRET: 'its-value-123' },
      platform: 'linux',
      userHome: '/home/x',
      workspaceFolders: [],
    } as const;
    const expansion = expandSpec(transport, context);
    assert.ok(expansion.ok && 'oauth' in expansion.spec && expansion.spec.oauth);
    assert.equal(expansion.spec.oauth.clientSecret, 'its-value-123');
    assert.equal(writtenSecrets(expansion.spec).mask('x its-value-123 y'), 'x ••• y');
    assert.equal(expandSpec(transport, { ...context, env: {} }).ok, false);
  });
});
