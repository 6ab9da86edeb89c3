import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { isRecord, stableStringify } from '../../src/base/json/json.ts';
import { keyOf, type RetrievalQuery } from './metrics.ts';
import type { BenchTool } from './engines.ts';

const SETS = path.join(root, '../shared/retrieval');
const OWN_SET = path.join(root, 'test/fixtures/catalog');

export function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}

function filesOf(kind: 'tools' | 'queries'): { readonly set: string; readonly file: string }[] {
  const folder = existsSync(SETS) ? SETS : OWN_SET;
  const files = globSync([`*/${kind}*.jsonl`, `${kind}.jsonl`], { cwd: folder }).sort();
  return files.map((file) => ({ set: path.dirname(file), file: path.join(folder, file) }));
}

/** The tools of all sets, each once; a server of another set has its set in its name where a tool's name is taken. */
export function toolsOfAllSets(): readonly BenchTool[] {
  const contents = new Set<string>();
  const byKey = new Map<string, BenchTool>();
  for (const { set, file } of filesOf('tools')) {
    for (const tool of readLines<BenchTool>(file)) {
      const { name, description, inputSchema } = tool;
      const content = stableStringify([name, description, inputSchema]);
      if (contents.has(content)) continue;
      contents.add(content);
      const distinct = byKey.has(keyOf(tool)) ? { ...tool, server: `${tool.server} (${set})` } : tool;
      byKey.set(keyOf(distinct), distinct);
    }
  }
  return [...byKey.values()];
}

/**
 * As many distinct tools. Where the given ones are fewer, further ones have the words of one and the parameters, and the name's
 * second half, of another.
 */
export function distinctTools(given: readonly BenchTool[], count: number): readonly BenchTool[] {
  const at = (place: number): BenchTool => {
    const tool = given[place % given.length];
    if (tool === undefined) throw new Error('No tools to measure with.');
    return tool;
  };
  return Array.from({ length: count }, (_unused, place) => {
    const round = Math.floor(place / given.length);
    if (round === 0) return at(place);
    const [words, parameters] = [at(place), at(place + round * 40)];
    const inputSchema = isRecord(parameters.inputSchema) ? parameters.inputSchema : {};
    const server = `${words.server} ${round + 1}`;
    return { ...words, server, name: `${words.name}_${parameters.name}`, inputSchema };
  });
}

/** Texts of the queries of all sets, each once. */
export function queriesOfAllSets(): readonly string[] {
  const lines = filesOf('queries').flatMap(({ file }) => readLines<RetrievalQuery>(file));
  return [...new Set(lines.map(({ query }) => query))];
}
