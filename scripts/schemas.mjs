// node scripts/schemas.mjs [--check]: gives the setting `servers` the schema of a server in schemas/mcp.schema.json.
// With --check nothing is written, and a manifest that is out of date is an error.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { format } from 'prettier';
import { root } from './lib/paths.mjs';

const { definitions } = JSON.parse(readFileSync(join(root, 'schemas', 'mcp.schema.json'), 'utf8'));
const file = join(root, 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const setting = manifest.contributes.configuration
  .map(({ properties }) => properties['mcpSwitchboard.servers'])
  .find(Boolean);
// A setting can't refer to a file.
const server = { ...definitions.server, properties: { ...definitions.server.properties, inputs: definitions.inputs } };
const { defaultSnippets } = definitions.servers;
if (!isDeepStrictEqual([setting.additionalProperties, setting.defaultSnippets], [server, defaultSnippets])) {
  if (process.argv.includes('--check')) {
    console.error('The schema of the setting `servers` is out of date: run `npm run docs`.');
    process.exitCode = 1;
  } else {
    Object.assign(setting, { additionalProperties: server, defaultSnippets });
    writeFileSync(file, await format(JSON.stringify(manifest), { parser: 'json-stringify', printWidth: 120 }));
  }
}
