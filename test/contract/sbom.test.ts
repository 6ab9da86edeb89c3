import { strict as assert } from 'node:assert';
import { licenceOf, sbom } from '../../scripts/lib/sbom.mjs';
import { cycloneDxFaults } from '../support/cycloneDx.ts';

interface Bill {
  readonly metadata: { readonly timestamp: string };
  readonly components: {
    readonly name: string;
    readonly version?: string;
    readonly hashes?: { alg: string; content: string }[];
    licenses?: { license: { id?: string; name?: string } }[];
  }[];
  readonly dependencies: { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

describe('the bill of materials', () => {
  const build = { commit: 'a'.repeat(40), seconds: 1_700_000_000, checksum: 'b'.repeat(64) };
  const text = sbom(build);
  const read = (): Bill => JSON.parse(text) as Bill;

  it('is what the schema of CycloneDX 1.6 says', () => {
    assert.deepEqual(cycloneDxFaults(text), []);
  });

  it('has what a package brings within its own files', () => {
    assert.ok(read().components.some(({ name }) => name === 'content-type'));
  });

  it('wouldn’t be with a licence, a digest or a time of another form', () => {
    const faultsWith = (change: (bill: Bill) => void): readonly string[] => {
      const bill = read();
      change(bill);
      return cycloneDxFaults(JSON.stringify(bill));
    };
    assert.deepEqual(
      faultsWith(() => undefined),
      [],
    );
    const [first] = read().components;
    assert.ok(first);
    const wrong: ((bill: Bill) => void)[] = [
      ({ components: [each] }) => each && (each.licenses = [{ license: { id: 'No-Such-Licence' } }]),
      ({ components }) =>
        void components.find(({ hashes }) => hashes)?.hashes?.push({ alg: 'SHA-512', content: 'xyz' }),
      ({ components }) => void components.push(first),
      ({ metadata }) => void Object.assign(metadata, { timestamp: 'yesterday' }),
    ];
    for (const change of wrong) assert.ok(faultsWith(change).length > 0, String(change));
  });

  it('has each component with its version, digest and licence, and what the extension depends on', () => {
    const { components, dependencies, metadata } = read();
    assert.equal(metadata.timestamp, '2023-11-14T22:13:20.000Z');
    for (const { name, version, hashes, licenses } of components.filter(({ name: each }) => each !== 'WordNet')) {
      assert.match(version ?? '', /^\d+\.\d+\.\d+/, name);
      assert.ok(
        hashes?.some(({ alg, content }) => alg === 'SHA-512' && /^[\da-f]{128}$/.test(content)),
        name,
      );
      assert.ok(
        licenses?.every(({ license }) => license.id),
        name,
      );
    }
    const ours = dependencies.find(({ ref }) => ref === 'mcp-switchboard');
    assert.equal(ours?.dependsOn?.length, components.length);
  });

  it('names a licence as the schema does, whatever npm says of a package', () => {
    const kinds = {
      MIT: 'SpdxLicense',
      '(MIT OR Apache-2.0)': 'LicenseExpression',
      'MIT AND (ISC OR Apache-2.0 WITH LLVM-exception)': 'LicenseExpression',
      'SEE LICENSE IN LICENSE': 'NamedLicense',
      'MIT AND ours': 'NamedLicense',
    };
    for (const [license, kind] of Object.entries(kinds)) {
      const read = licenceOf(license);
      assert.equal(read.constructor.name, kind, license);
      const bill = JSON.parse(text) as { components: { licenses: unknown }[] };
      const [first] = bill.components;
      assert.ok(first);
      const ids = { SpdxLicense: 'id', NamedLicense: 'name' };
      first.licenses = [
        kind === 'LicenseExpression'
          ? { expression: license }
          : { license: { [ids[kind as keyof typeof ids]]: license } },
      ];
      assert.deepEqual(cycloneDxFaults(JSON.stringify(bill)), [], license);
    }
  });

  it('is the same text from the same build', () => {
    assert.equal(sbom(build), text);
  });
});
