import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { root } from '../../scripts/lib/paths.mjs';
import { parseSource } from '../../src/config/read/parseSource.ts';
import { readToml } from '../../src/config/syntax/readToml.ts';
import type { JsonObject } from '../../src/base/json/json.ts';

interface Schema extends JsonObject {
  readonly definitions: { readonly server: { readonly properties: Readonly<Record<string, JsonObject>> } };
}

const file = (path: string): string => readFileSync(join(root, path), 'utf8');
const schema = JSON.parse(file('schemas/mcp.schema.json')) as Schema;
const fields = schema.definitions.server.properties;
const ajv = new Ajv({ strict: false, schemas: { 'mcp.schema.json': schema } });

/** Something that a schema allows. */
function sampleOf({ type, enum: values, minimum, anyOf }: JsonObject): unknown {
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return {};
  const samples = { string: 'x', array: [], object: {}, boolean: true, integer: minimum ?? 1, number: 1000 };
  return samples[(Array.isArray(type) ? type[0] : (type ?? 'array')) as keyof typeof samples];
}

describe('schemas of configuration files', () => {
  for (const [field, about] of Object.entries(fields))
    it(`${field} is described, and read`, () => {
      assert.ok('$ref' in about || typeof about['markdownDescription'] === 'string');
      const launch = ['command', 'args', 'env', 'envFile', 'cwd'].includes(field)
        ? { command: 'x' }
        : { url: 'https://x.y' };
      const text = JSON.stringify({
        mcpServers: { a: { ...launch, [field]: field in launch ? 'https://x.y' : sampleOf(about) } },
      });
      const source = { id: 'p', scope: 'user', format: 'mcp', label: '.mcp.json', file: '/w/.mcp.json' } as const;
      const unread = parseSource(source, text, readToml).problems.filter(({ code }) => /^un(?:known|read)/.test(code));
      assert.deepEqual(unread, []);
    });

  it('have every field of docs/configuration.md', () => {
    const tables = file('docs/configuration.md')
      .split(/\n\n(?=\| Field)/)
      .slice(1);
    const documented = tables.flatMap((table) => {
      const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
      return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
    });
    assert.ok(documented.length > 20);
    assert.deepEqual(
      // For the editor's own sandbox, and one of Cline's.
      documented.filter((name) => !(name in fields) && !['sandboxEnabled', 'initializeTimeoutMs'].includes(name)),
      [],
    );
  });

  it('allow what is in the demo, and no command that is a number', () => {
    const isValid = ajv.getSchema('mcp.schema.json');
    assert.ok(isValid);
    assert.ok(isValid(JSON.parse(file('demo/.mcp.json'))), JSON.stringify(isValid.errors));
    assert.ok(!isValid({ mcpServers: { a: { command: 1 } } }));
  });

  for (const entry of [
    { url: 'https://x.y', oauth: { grant: 'jwt_bearer', assertion: '${env:JWT}' } },
    { url: 'https://x.y', oauth: true },
    { command: 'x', env: null, args: null },
    { command: 'x', env: [] },
    { type: 'STDIO', command: 'x' },
    { type: 'streamable-http', url: 'https://x.y' },
  ])
    it(`flag nothing that is read without a problem: ${JSON.stringify(entry)}`, () => {
      const config = { mcpServers: { _comment: 'ours', a: entry } };
      const isValid = ajv.getSchema('mcp.schema.json');
      assert.ok(isValid);
      assert.ok(isValid(config), JSON.stringify(isValid.errors));
      const source = { id: 'p', scope: 'user', format: 'mcp', label: '.mcp.json', file: '/w/.mcp.json' } as const;
      assert.deepEqual(parseSource(source, JSON.stringify(config), readToml).problems, []);
    });

  it('an organization’s file has its lists besides', () => {
    const isValid = ajv.compile({ ...(JSON.parse(file('schemas/managed.schema.json')) as JsonObject), $id: 'managed' });
    const lists = { allowedServers: ['a*', { url: 'https://x/*' }], deniedServers: [{ command: ['npx', '**'] }] };
    assert.ok(isValid({ mcpServers: { a: { url: 'https://x.y' } }, ...lists }), JSON.stringify(isValid.errors));
    for (const rule of [1, '', { name: 'a', url: 'https://b/*' }, { nmae: 'x' }])
      assert.ok(!isValid({ ...lists, deniedServers: [rule] }), JSON.stringify(rule));
  });
});
