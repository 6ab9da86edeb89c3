import assert from 'node:assert/strict';
import { entryWithInputs } from '../../../../src/config/clients/importServers.ts';
import { shareableServer } from '../../../../src/config/clients/shareableEntry.ts';
import { readPasted } from '../../../../src/config/paste/readPasted.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { readYaml } from '../../../../src/config/syntax/readYaml.ts';

const SECRET = `ghp_${'aB3dE5fG7h'.repeat(4)}`;

describe('config/shareableEntry', () => {
  it('a server that was added has no secret where others see it, and its answers go along', () => {
    const servers = {
      inputs: [{ id: 'pw', type: 'promptString', description: 'x', password: true, default: SECRET }],
      mcpServers: {
        local: { command: 'x', args: ['${input:pw}'], env: { API_KEY: `\${API_KEY:-${SECRET}}`, B_TOKEN: SECRET } },
        far: {
          type: 'http',
          url: 'https://mcp.example.com/mcp',
          headers: { Authorization: `Bearer \${TOKEN:-${SECRET}}` },
          headersHelper: `helper --token ${SECRET}`,
          oauth: { clientId: 'me', clientSecret: SECRET },
        },
      },
    };
    const pasted = readPasted(JSON.stringify(servers), {
      platform: 'linux',
      taken: new Set(),
      readToml,
      readYaml,
    });
    assert.ok(!('message' in pasted));
    assert.equal(pasted.servers.length, 2);
    for (const given of pasted.servers) {
      const { server, notes } = shareableServer(given);
      const text = JSON.stringify(entryWithInputs(server.entry));
      assert.ok(JSON.stringify(entryWithInputs(given.entry)).includes(SECRET));
      assert.ok(!text.includes(SECRET), text);
      assert.ok(notes.length > 0 && !notes.join(' ').includes(SECRET));
      for (const id of given.answers.keys()) assert.equal(server.answers.get(id), SECRET);
      if (given.entry.name === 'local') assert.equal(server.answers.get('pw'), SECRET);
      for (const id of server.answers.keys()) assert.ok(text.includes(`\${input:${id}}`));
    }
  });
});
