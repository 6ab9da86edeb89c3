import { Enums, Models, Serialize, Spec, SPDX } from '@cyclonedx/cyclonedx-library';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.mjs';
import { root } from './paths.mjs';

/**
 * The bill of materials of a package, in CycloneDX 1.6: what its bundles hold, with versions, licences and the digests of
 * the package registry. The same build gives the same text.
 * @param {{ commit: string, seconds: number, checksum: string }} build `checksum`: of the installed files
 * @returns {string} JSON
 */
export function sbom({ commit, seconds, checksum }) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const extension = new Models.Component(Enums.ComponentType.Application, manifest.name, {
    bomRef: manifest.name,
    version: manifest.version,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(manifest.license)]),
  });
  const components = bundledPackages().map((name) => componentOf(name, locked[`node_modules/${name}`]));
  components.push(wordNet());
  for (const { bomRef } of components) extension.dependencies.add(bomRef);
  const bom = new Models.Bom({
    components: new Models.ComponentRepository(components),
    metadata: new Models.Metadata({
      timestamp: new Date(seconds * 1000),
      component: extension,
      properties: new Models.PropertyRepository([
        new Models.Property('mcp-switchboard:commit', commit),
        new Models.Property('mcp-switchboard:installed-files:sha256', checksum),
      ]),
    }),
  });
  const normalize = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(normalize).serialize(bom, { sortLists: true, space: 2 });
}

function componentOf(name, { version, license, integrity }) {
  const slash = name.indexOf('/');
  const component = new Models.Component(Enums.ComponentType.Library, name.slice(slash + 1), {
    bomRef: `${name}@${version}`,
    version,
    ...(slash > 0 ? { group: name.slice(0, slash) } : {}),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: new Models.HashDictionary(integrity ? [hashOf(integrity)] : []),
  });
  if (license) component.licenses.add(licenceOf(license));
  return component;
}

/**
 * A licence as npm names it: an SPDX identifier, an expression of several, or a text such as `SEE LICENSE IN FILE`.
 * @param {string} license
 */
export function licenceOf(license) {
  if (SPDX.isSupportedSpdxId(license)) return new Models.SpdxLicense(license);
  const ids = license
    .replaceAll(/[()]/g, '')
    .split(/ (?:AND|OR) | WITH \S+/)
    .filter(Boolean);
  if (ids.every((id) => SPDX.isSupportedSpdxId(id))) return new Models.LicenseExpression(license);
  return new Models.NamedLicense(license);
}

/** The table of related words in the search is made from it. */
function wordNet() {
  return new Models.Component(Enums.ComponentType.Data, 'WordNet', {
    bomRef: 'WordNet',
    licenses: new Models.LicenseRepository([new Models.NamedLicense('WordNet License')]),
    externalReferences: new Models.ExternalReferenceRepository([
      new Models.ExternalReference(
        'https://wordnet.princeton.edu/license-and-commercial-use',
        Enums.ExternalReferenceType.License,
      ),
    ]),
  });
}

/** `sha512-` and Base64, as in package-lock.json. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-');
  if (algorithm !== 'sha512') throw new Error(`package-lock.json has a digest of another kind: ${algorithm}`);
  return [Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex')];
}
