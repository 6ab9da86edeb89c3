import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { rolldown } from 'rolldown';
import { forNode, sdkAlias, sdkAliasAlone } from '../../../../scripts/lib/bundle-module.mjs';
import { root } from '../../../../scripts/lib/paths.mjs';

type Validate = (value: unknown) => {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string }[];
};
type SpecTypes = Readonly<Record<string, { readonly '~standard': { readonly validate: Validate } }>>;
interface Sdk {
  readonly specTypeSchemas: SpecTypes;
  readonly preloadSchemas: () => void;
  readonly aSchema: object;
}

const SOURCE = `import { object, string } from 'zod/v4';
export { preloadSchemas, specTypeSchemas } from '@modelcontextprotocol/client';
export const aSchema = object({ a: string() });
export * from '@modelcontextprotocol/ext-apps/app-bridge';
`;
/** Values that some type of the specification takes, and then those that are a little off. */
const VALUES: readonly unknown[] = [
  {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, odd: { kept: 1 } },
    serverInfo: { name: 's', version: '1', icons: [{ src: 'https://example.com/a.png', sizes: ['48x48'] }] },
  },
  { tools: [{ name: 'a', inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } }] },
  { tools: [{ name: 1, inputSchema: {} }], nextCursor: 'c' },
  {
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ],
    isError: false,
  },
  { content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'not base64!' } }] },
  { jsonrpc: '2.0', id: 1, result: { _meta: { progressToken: 1 } } },
  { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'm' } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'a', progress: 0.5 } },
  { method: 'tools/call', params: { name: 'a', arguments: { b: [1, { c: null }] }, _meta: { traceparent: 't' } } },
  {
    mode: 'form',
    message: 'm',
    requestedSchema: { type: 'object', properties: { a: { type: 'string', format: 'email' } } },
  },
  { action: 'accept', content: { a: ['b'] } },
  { issuer: 'https://a.example', authorization_endpoint: 'javascript:alert(1)', response_types_supported: ['code'] },
  { access_token: 'a', token_type: 'Bearer', expires_in: '3600' },
  { taskId: 't', status: 'working', ttl: null, createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: 'x' },
];

describe('Schemas of the SDK that are made when they are used', () => {
  let folder = '';
  before(() => {
    mkdirSync(path.join(root, 'out'), { recursive: true });
    // Where packages are found.
    folder = mkdtempSync(path.join(root, 'out', 'lazy-zod-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has all that the SDK and its apps ask zod for', async () => {
    const { warnings } = await bundled('lazy', sdkAlias);
    assert.deepEqual(warnings, []);
  }).timeout(60_000);

  it('judges and changes values as zod does', async () => {
    const { sdk: lazy } = await bundled('lazy', sdkAlias);
    const { sdk: eager } = await bundled('eager', sdkAliasAlone);
    lazy.preloadSchemas();
    const names = Object.keys(eager.specTypeSchemas);
    assert.ok(names.length > 150);
    assert.deepEqual(Object.keys(lazy.specTypeSchemas), names);
    // As the SDK knows a schema.
    for (const name of names) assert.ok('~standard' in (lazy.specTypeSchemas[name] ?? {}), name);
    assert.ok('~standard' in lazy.aSchema);
    const same = (value: unknown): void => {
      for (const name of names) assert.deepEqual(judged(lazy, name, value), judged(eager, name, value), name);
    };
    VALUES.forEach(same);
    const parts = VALUES.filter((value) => typeof value === 'object');
    // One property of one in another, or anything in its place.
    const mixed = fc
      .tuple(
        fc.constantFrom(...parts),
        fc.constantFrom(...parts),
        fc.jsonValue({ maxDepth: 2 }),
        fc.nat(20),
        fc.boolean(),
      )
      .map(([one, other, odd, place, takesOdd]) => {
        const names = Object.keys(one as object);
        return {
          ...(takesOdd ? {} : (other as object)),
          ...(one as object),
          [names[place % names.length] ?? 'a']: odd,
        };
      });
    fc.assert(fc.property(mixed, same), { numRuns: 60 });
  }).timeout(60_000);

  async function bundled(
    name: string,
    alias: Readonly<Record<string, string>>,
  ): Promise<{ sdk: Sdk; warnings: readonly string[] }> {
    const input = path.join(folder, `${name}.ts`);
    writeFileSync(input, SOURCE);
    const warnings: string[] = [];
    const bundle = await rolldown({
      ...forNode,
      input,
      resolve: { ...forNode.resolve, alias },
      onLog: (_level, { code = '', message }) => code.startsWith('IMPORT') && warnings.push(message),
    });
    const file = path.join(folder, `${name}.mjs`);
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await bundle.close();
    return { sdk: (await import(file)) as Sdk, warnings };
  }
});

function judged({ specTypeSchemas }: Sdk, name: string, value: unknown): object {
  const { value: taken, issues } = specTypeSchemas[name]?.['~standard'].validate(structuredClone(value)) ?? {};
  return { taken, issues: issues?.map(({ message }) => message) };
}
