import { strict as assert } from 'node:assert';
import { assert as check, property, string } from 'fast-check';
import { documentUri, resourceOf } from '../../../../src/bridge/resources/documentUri.ts';

const HOSTILE = [
  ['plain', 'file:///etc/passwd'],
  ['GitHub Enterprise', 'repo://a/../../b/./c//d/'],
  ['a:b/c?d#e@f', 'mcp://a/b?c=d#e'],
  ['', 'x'],
  ['..', '../../..'],
  ['ü€𝄞', 'x:ü€𝄞%2F%252F%'],
  ['_0041', 'a b\u0000\n\u202E'],
  ['lone \ud800', 'lone:\udfff'],
  ['__proto__', 'constructor'],
] as const;

describe('resources as documents: their addresses', () => {
  for (const [server, uri] of HOSTILE)
    it(`${JSON.stringify(server)} ${JSON.stringify(uri)} comes back as it was`, () => {
      assert.deepEqual(resourceOf(documentUri({ server, uri }, 'text/plain')), { server, uri });
    });

  it('holds for any server and any resource, in lower case and decoded once more', () => {
    check(
      property(string({ unit: 'binary' }), string({ unit: 'binary', minLength: 1 }), (server, uri) => {
        const { scheme, authority, path, query } = documentUri({ server, uri });
        const again = { scheme, authority: authority.toLowerCase(), query: decodeURIComponent(query) };
        assert.deepEqual(resourceOf(again), { server, uri });
        assert.match(path, /^\/[^/\\?#%]+$/);
        assert.ok(!['/.', '/..'].includes(path));
      }),
    );
  });

  it('different resources have different addresses', () => {
    const text = (server: string, uri: string): string => JSON.stringify(documentUri({ server, uri }));
    const all = HOSTILE.map(([server, uri]) => text(server, uri));
    assert.equal(new Set(all).size, all.length);
    assert.notEqual(text('A', 'x:y'), text('a', 'x:y'));
  });

  for (const [uri, mimeType, name] of [
    ['file:///notes/Read%20me.md', 'text/markdown', 'Read me.md'],
    ['demo://resource/static/document/features.md', 'text/plain', 'features.md'],
    ['demo://resource/1', 'application/json', '1.json'],
    ['img://logo', 'image/png', 'logo.png'],
    ['img://logo.jpeg?size=2#x', 'image/jpeg; q=1', 'logo.jpeg'],
    ['data://lies.exe', 'image/png', 'lies.exe.png'],
    ['code://main.rs', undefined, 'main.rs'],
    ['x://a/', 'application/vnd.api+json', 'a.json'],
    ['x://', 'text/unheard-of', 'resource.txt'],
    ['', undefined, 'resource'],
  ] as const)
    it(`${uri} of ${mimeType ?? 'no type'} is called ${name}`, () => {
      assert.equal(documentUri({ server: 's', uri }, mimeType).path, `/${name}`);
    });

  it('an address that is none of ours has no resource', () => {
    for (const [authority, query] of [
      ['A', 'eA'],
      ['a_', 'eA'],
      ['a', 'eA=='],
      ['a', '%65'],
      ['a', 'eB'],
    ])
      assert.equal(resourceOf({ scheme: 'mcp', authority: authority ?? '', query: query ?? '' }), undefined);
    assert.equal(resourceOf({ scheme: 'file', authority: 'a', query: 'eA' }), undefined);
  });
});
