import assert from 'node:assert/strict';
import { readPasted } from '../../../../src/config/paste/readPasted.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { readYaml } from '../../../../src/config/syntax/readYaml.ts';

const base64 = (value: unknown): string => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));
const cursor = (value: unknown, name = 'x'): string =>
  `https://cursor.com/install-mcp?name=${name}&config=${base64(value)}`;

/** Reports of other hosts' users about links that add servers, and what they must become here. */
const REPORTS: readonly (readonly [title: string, text: string, expected: string])[] = [
  [
    'ahujasid/blender-mcp#173: Cursor’s link with an encoded slash',
    `https://cursor.com/link/mcp%2Finstall?name=blender&config=${base64({ command: 'uvx blender-mcp' })}`,
    'blender: uvx blender-mcp',
  ],
  [
    'buildkite/buildkite-mcp-server#47: a whole command line in `command`, a made-up token in `env`',
    cursor(
      {
        command: 'docker run -i --rm -e BUILDKITE_API_TOKEN ghcr.io/buildkite/buildkite-mcp-server stdio',
        env: { BUILDKITE_API_TOKEN: 'bkua_xxxxxxxx' },
      },
      'buildkite',
    ),
    'buildkite: docker run -i --rm -e BUILDKITE_API_TOKEN ghcr.io/buildkite/buildkite-mcp-server stdio BUILDKITE_API_TOKEN=${input:buildkite-api-token}',
  ],
  [
    'opentofu/opentofu-mcp-server#3: `transport` in place of `type`',
    cursor({ transport: 'sse', url: 'https://mcp.opentofu.org/sse' }, 'opentofu'),
    'opentofu: sse https://mcp.opentofu.org/sse',
  ],
  [
    'cloudflare/mcp-server-cloudflare#29: VS Code’s button does nothing; here the badge can be pasted',
    '[![VS Code](https://img.shields.io/badge/x.svg)](https://insiders.vscode.dev/redirect/mcp/install?name=cloudflare&config=%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%22%40cloudflare%2Fmcp-server-cloudflare%22%5D%7D)',
    'cloudflare: npx -y @cloudflare/mcp-server-cloudflare',
  ],
  [
    'CherryHQ/cherry-studio#17699: what a link says beside what it shows counts for nothing',
    cursor(
      {
        command: 'npx',
        args: ['-y', 'plain'],
        dxtPath: '/tmp/evil',
        manifest: { server: { mcp_config: { command: 'evil' } } },
      },
      'cherry',
    ),
    'cherry: npx -y plain',
  ],
  [
    'cursor/community-plugins#417: the name beside the configuration is the server’s',
    cursor({ command: 'npx', args: ['-y', 'a'] }, 'My%20Server'),
    'My Server: npx -y a',
  ],
  ['microsoft/vscode#244556: a pinned version stays pinned', 'npx -y @scope/pkg@1.2.3', 'pkg: npx -y @scope/pkg@1.2.3'],
];

describe('a link or line of a report', () => {
  for (const [title, text, expected] of REPORTS)
    it(title, () => {
      const pasted = readPasted(text, { platform: 'linux', taken: new Set(), readToml, readYaml });
      assert.ok('servers' in pasted, JSON.stringify(pasted));
      const lines = pasted.servers.map(({ entry: { name, transport } }) => {
        if (transport.type === 'sdk') return name;
        if (transport.type !== 'stdio') return `${name}: ${transport.type} ${transport.url}`;
        const env = Object.entries(transport.env).map(([key, value]) => `${key}=${value}`);
        return `${name}: ${[transport.command, ...transport.args, ...env].join(' ')}`;
      });
      assert.deepEqual(lines, [expected]);
    });
});
