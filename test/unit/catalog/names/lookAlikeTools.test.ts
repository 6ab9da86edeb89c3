import { strict as assert } from 'node:assert';
import { LookAlikeCache } from '../../../../src/catalog/names/lookAlikeTools.ts';
import type { Catalog } from '../../../../src/catalog/catalog.ts';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import { tool } from '../../calls/rig.ts';

describe('look-alikes among tools', () => {
  const found = (catalog: Catalog, id: string, servers: readonly string[] = []): unknown[] => {
    const book = new LookAlikeCache({ tools: () => catalog.tools, servers: () => servers });
    return catalog.toolsOf(id).flatMap((entry) => book.of(entry));
  };

  it('are those of other servers, named with their server; a server’s own tools are none', () => {
    const catalog = openCatalog();
    catalog.setServer('a', 'files', [tool('read_file', {}), tool('copy_file', {}), tool('copy_fi1e', {})]);
    catalog.setServer('b', 'tools', [tool('read_flle', {}), tool('write_file', {})]);
    assert.deepEqual(found(catalog, 'a').length, 1);
    assert.deepEqual(found(catalog, 'b'), [
      { of: 'tool', warning: { kind: 'like', other: 'read_file' }, server: 'files' },
    ]);
  });

  it('count servers that have no tools yet', () => {
    const catalog = openCatalog();
    catalog.setServer('a', 'githib', [tool('x', {})]);
    assert.deepEqual(found(catalog, 'a', ['github', 'githib']), [
      { of: 'server', warning: { kind: 'like', other: 'github' } },
    ]);
  });

  it('are looked for anew when the tools change, and compare few of 2,000', () => {
    const catalog = openCatalog();
    for (let server = 0; server < 40; server++) {
      const tools = Array.from({ length: 50 }, (_, index) => tool(`do_something_with_${server}_and_${index * 7}`, {}));
      catalog.setServer(`s${server}`, `server number ${server}`, tools);
    }
    const book = new LookAlikeCache({ tools: () => catalog.tools, servers: () => [] });
    let looks = 0;
    const counted = catalog.tools.map(
      (each) => new Proxy(each, { get: (of, name) => (name === 'serverId' && (looks += 1), Reflect.get(of, name)) }),
    );
    const counting = new LookAlikeCache({ tools: () => counted, servers: () => [] });
    for (const each of catalog.toolsOf('s1')) assert.deepEqual(counting.of(each), book.of(each));
    assert.ok(looks > 0 && looks < 2_000, `50 tools are compared ${looks} times`);
    catalog.setServer('x', 'x', [tool('find_notes', {})]);
    catalog.setServer('y', 'y', [tool('find_nοtes', {})]);
    const [odd] = catalog.toolsOf('y');
    assert.ok(odd);
    assert.equal(book.of(odd).length, 2);
  });
});
