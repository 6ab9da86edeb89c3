import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { ActivePreset } from '../../../../src/catalog/presets/activePreset.ts';
import { changeServer } from '../../../../src/config/edit/changeServer.ts';
import { editConfigFile } from '../../../../src/config/edit/editConfigFile.ts';
import { enableEntry, switchTool } from '../../../../src/config/edit/entrySwitches.ts';
import { removeServer } from '../../../../src/config/edit/removeServer.ts';
import { placeForServers } from '../../../../src/config/edit/serverPlace.ts';
import { FieldSchemas } from '../../../../src/config/help/fieldSchema.ts';
import { outlineOf } from '../../../../src/config/help/serverOutline.ts';
import { suggestionsAt } from '../../../../src/config/help/suggestionsAt.ts';
import { readPasted } from '../../../../src/config/paste/readPasted.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { readYaml } from '../../../../src/config/syntax/readYaml.ts';
import { serverOptions } from '../../../../src/config/registry/serverJson.ts';
import { sourceOf } from '../sources.ts';

const VSCODE = { ...sourceOf(), file: '/w/.vscode/mcp.json' } as const;
const MCP = { ...sourceOf(), file: '/w/.mcp.json' } as const;

const textOf = (edited: { readonly text: string } | { readonly refusal: { readonly message: string } }): string =>
  'text' in edited ? edited.text : assert.fail(edited.refusal.message);
const added = (text: string): string =>
  textOf(
    editConfigFile(text, (file) => [
      { path: [...placeForServers(file, 'mcpServers').path, 'new'], value: { command: 'n' } },
    ]),
  );

/** Reports of users of other products about panels, files, registries and presets; each is tried here. */
describe('reports about changing files, registries and presets', () => {
  const commented = `{
  "servers": {
    // "off": { "command": "x" },

    // This is the migrate-me server
    "migrate-me": {
      "command": "npx"
    },

    // This is the leave-me server
    "leave-me": {
      "command": "npx" /* inside */
    },
  }
}
`;

  it('microsoft/vscode#281583, #253554: adding a server keeps every comment', () => {
    const text = added(commented);
    for (const comment of ['// "off": { "command": "x" },', '// This is the leave-me server', '/* inside */'])
      assert.ok(text.includes(comment), text);
    assert.deepEqual(
      parseSource(VSCODE, text).entries.map(({ name }) => name),
      ['migrate-me', 'leave-me', 'new'],
    );
  });

  it('microsoft/vscode#335813: removing one keeps the comment of its neighbour', () => {
    const text = textOf(removeServer(commented, VSCODE, 'migrate-me', readToml));
    assert.ok(text.includes('// This is the leave-me server\n    "leave-me": {'), text);
    assert.ok(text.includes('// "off"'), text);
  });

  it('RooCodeInc/Roo-Code#9862, Kilo-Org/kilocode#4532: switching a tool or server keeps the layout', () => {
    const text =
      '{\n    "mcpServers": {\n        "a": {\n            "command": "uvx",\n            "disabled": true\n        }\n    }\n}\n';
    const off = textOf(changeServer(text, MCP, 'a', switchTool('tool_one', false)));
    assert.equal(off.replace(/,\n {12}"disabledTools": \[\n {16}"tool_one"\n {12}\]/, ''), text);
    assert.equal(textOf(changeServer(off, MCP, 'a', switchTool('tool_one', true))), text);
    assert.equal(
      textOf(changeServer(text, MCP, 'a', enableEntry)),
      text.replace(',\n            "disabled": true', ''),
    );
  });

  it('anthropics/claude-code#27905: adding beside an entry that is invalid keeps that entry', () => {
    const text = '{ "mcpServers": { "secret": { "command": "s", "env": ["SECRET", "${SECRET}"] } } }';
    assert.deepEqual(Object.keys((JSON.parse(added(text)) as { mcpServers: object }).mcpServers), ['secret', 'new']);
    assert.ok(added(text).includes('"env": ["SECRET", "${SECRET}"]'));
  });

  it('asheshgoplani/agent-deck#1956, tylergraydev/claude-code-tool-manager#191: a malformed file is refused, not replaced', () => {
    for (const text of ['{ "mcpServers": { "a": ', '[]', '"x"', '{ "mcpServers": 1 }', '{ "projects": {} '])
      assert.ok(
        'refusal' in
          editConfigFile(text, (file) => [{ path: [...placeForServers(file, 'mcpServers').path, 'n'], value: {} }]),
        text,
      );
  });

  it('anthropics/claude-code#36999: what we don’t know stays when a file is written', () => {
    const text = '{"mcpServers":{"a":{"command":"x","env":{"A":"${A}"},"x-theirs":{"deep":[1]}}},"other":true}';
    const next = JSON.parse(textOf(changeServer(text, MCP, 'a', switchTool('t', false)))) as {
      mcpServers: { a: object };
    };
    assert.deepEqual(next, {
      mcpServers: { a: { command: 'x', env: { A: '${A}' }, 'x-theirs': { deep: [1] }, disabledTools: ['t'] } },
      other: true,
    });
  });

  it('microsoft/vscode#266421: a blank before an address is pointed out in every file', () => {
    const text = '{ "servers": { "github": { "url": " https://api.githubcopilot.com/mcp/", "type": "http" } } }';
    for (const file of [
      VSCODE,
      MCP,
      { ...sourceOf(), scope: 'user', file: '/home/me/.config/Code/User/mcp.json' } as const,
    ]) {
      const { entries, problems } = parseSource(file, text);
      const [entry] = entries;
      const url = entry?.transport.type === 'http' ? entry.transport.url : undefined;
      assert.ok(problems.length > 0 || url === 'https://api.githubcopilot.com/mcp/', JSON.stringify({ file, entries }));
    }
  });

  it('microsoft/vscode#268904: `headers` is suggested beside a field that nobody knows', () => {
    const text = '{ "servers": { "github": { "url": "https://h/mcp", "type": "http", "version": "0.0.1", "" } } }';
    const offset = text.lastIndexOf('""') + 1;
    const known = {
      schemas: new FieldSchemas(JSON.parse(readFileSync(join(root, 'schemas/mcp.schema.json'), 'utf8')) as JsonObject),
      schemaFields: 'editors' as const,
      ...{ environment: [], folders: [], inputs: [], commands: [], servers: [], callable: [], toolsOf: () => [] },
    };
    const found = suggestionsAt(
      { text, syntax: 'jsonc', source: VSCODE, root: outlineOf(VSCODE, text).root },
      offset,
      known,
    );
    assert.ok(
      found.some(({ label }) => label === 'headers'),
      found.map(({ label }) => label).join(),
    );
  });

  const argsOf = (more: object): unknown => {
    const [option] = serverOptions(
      { name: 'com.acme/x', version: '1.0.0', packages: [{ version: '1.0.0', transport: { type: 'stdio' }, ...more }] },
      'x',
    );
    const { value } = option?.build(new Map()) ?? assert.fail();
    return [value['command'], ...(value['args'] as string[])].join(' ');
  };

  it('microsoft/vscode#282860: what a registry says of the runner is there once', () => {
    const runtimeArguments = [
      { type: 'named', name: '--source', value: 'https://pkgs.example/index.json' },
      { type: 'named', name: '--yes' },
    ];
    assert.equal(
      argsOf({ registryType: 'nuget', identifier: 'MyOrg.McpServer', runtimeArguments }),
      'dnx --source https://pkgs.example/index.json MyOrg.McpServer@1.0.0 --yes',
    );
    assert.equal(
      argsOf({ registryType: 'npm', identifier: 'p', runtimeArguments: [{ type: 'named', name: '-y' }] }),
      'npx -y p@1.0.0',
    );
  });

  it('microsoft/vscode#282860: the package itself among the runner’s arguments isn’t named twice', () => {
    const own = (values: readonly string[]): object[] => values.map((value) => ({ type: 'positional', value }));
    assert.equal(
      argsOf({
        registryType: 'nuget',
        identifier: 'MyOrg.McpServer',
        runtimeArguments: own(['MyOrg.McpServer', '--source', 'https://pkgs.example/index.json', '--yes']),
      }),
      'dnx --source https://pkgs.example/index.json MyOrg.McpServer@1.0.0 --yes',
    );
    assert.equal(
      argsOf({ registryType: 'npm', identifier: '@azure/mcp', runtimeArguments: own(['-y', '@azure/mcp@1.0.0']) }),
      'npx -y @azure/mcp@1.0.0',
    );
    // modelcontextprotocol/registry#650: the whole command line is there.
    assert.equal(
      argsOf({
        registryType: 'npm',
        identifier: '@azure/mcp',
        runtimeArguments: own(['-y', '@azure/mcp@latest', 'server', 'start']),
      }),
      'npx -y @azure/mcp@1.0.0 server start',
    );
  });

  it('Krv-Labs/topos#276: the usual index isn’t given to uvx, and another isn’t given twice', () => {
    const pypi = { registryType: 'pypi', identifier: 'topos-mcp' };
    const index = [{ type: 'named', name: '--index-url', value: 'https://pypi.org/simple' }];
    assert.equal(
      argsOf({ ...pypi, registryBaseUrl: 'https://pypi.org', runtimeArguments: index }),
      'uvx --index-url https://pypi.org/simple topos-mcp==1.0.0',
    );
    assert.equal(
      argsOf({
        ...pypi,
        registryBaseUrl: 'https://pypi.acme.example/simple',
        runtimeArguments: [{ type: 'named', name: '--default-index', value: 'https://pypi.acme.example/simple' }],
      }),
      'uvx --default-index https://pypi.acme.example/simple topos-mcp==1.0.0',
    );
  });

  it('janhq/jan#6478: one server’s JSON without a name is taken, and gets a name', () => {
    const pasted = readPasted('{ "command": "npx", "args": ["-y", "@acme/weather"] }', {
      platform: 'linux',
      taken: new Set(),
      readToml,
      readYaml,
    });
    assert.ok('servers' in pasted, JSON.stringify(pasted));
    assert.deepEqual(
      pasted.servers.map(({ entry }) => entry.name),
      ['weather'],
    );
  });

  it('obot-platform/obot#7866, #7976: a preset has a whole server by its name, and a new server is in none that exists', () => {
    const preset = new ActivePreset({ name: 'p', entries: ['outlook'], last: ['outlook'] }, []);
    const of = (name: string): unknown => preset.toolsOf({ configuredName: name, name, part: name });
    assert.deepEqual(of('onedrive'), []);
    assert.notDeepEqual(of('outlook'), []);
  });
});
