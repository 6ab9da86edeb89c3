import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string; readonly when?: string }[] };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** The language model tools that the manifest declares and models always have, by name, sorted. */
export const OUR_TOOLS: readonly string[] = manifest.contributes.languageModelTools
  .filter(({ when }) => when === undefined)
  .map(({ name }) => name)
  .sort();

/** The same where the servers of the demo are connected: one of them can make tasks of calls. */
export const TOOLS_WITH_DEMO: readonly string[] = [...OUR_TOOLS, 'mcp_task'].sort();
