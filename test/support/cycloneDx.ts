import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { root } from '../../scripts/lib/paths.mjs';

let validator: ValidateFunction | undefined;

/**
 * What the published JSON schema of CycloneDX 1.6 has against a bill of materials, a line each. The schema and those that it refers to are
 * the project's, as its library ships them.
 */
export function cycloneDxFaults(bill: string): readonly string[] {
  validator ??= readSchema();
  if (validator(JSON.parse(bill))) return [];
  return (validator.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function readSchema(): ValidateFunction {
  const library = createRequire(path.join(root, 'package.json')).resolve('@cyclonedx/cyclonedx-library/package.json');
  const folder = path.join(path.dirname(library), 'res', 'schema');
  const schema = (file: string): object => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as object;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // No check of these works for the letters of all languages; the project's own validator accepts all of them, too.
  for (const name of ['idn-email', 'iri-reference']) ajv.addFormat(name, true);
  for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema(schema(file), `http://cyclonedx.org/schema/${file}`);
  return ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));
}
