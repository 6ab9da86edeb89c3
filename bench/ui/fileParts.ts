import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { ConfigSource } from '../../src/config/configTypes.ts';
import { FieldSchemas } from '../../src/config/help/fieldSchema.ts';
import { outlineOf } from '../../src/config/help/serverOutline.ts';
import { suggestionsAt, type Known } from '../../src/config/help/suggestionsAt.ts';
import { parseSource } from '../../src/config/read/parseSource.ts';
import { problemsOfTexts } from '../../src/host/textProblems.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { cpuSince } from '../scale/processorTime.ts';
import { median } from '../connection/report.ts';

const SERVERS = 200;
const BATCHES = 15;
/** Of one batch: what one takes is below what the processor's clock tells apart. */
const KEYSTROKES = 20;

/** What help with a file of 200 servers takes per keystroke: milliseconds of processor time. */
export interface FileFigures {
  readonly completionCpuMs: number;
  readonly diagnosticsCpuMs: number;
}

/** Completion and problems after keystrokes all over the file; nothing is kept from one to the next. */
export async function measureFiles(): Promise<FileFigures> {
  const rig = new TestHost();
  try {
    const text = fileOf(SERVERS);
    writeFileSync(path.join(rig.folder, '.mcp.json'), text);
    await rig.host.start();
    const [result] = rig.host.config.snapshot.results;
    if (result?.entries.length !== SERVERS) throw new Error(`${result?.entries.length} servers`);
    const { source } = result;
    return {
      completionCpuMs: perKeystroke((round) => complete(source, text, round)),
      diagnosticsCpuMs: perKeystroke((round) => diagnose(rig, source, text, round)),
    };
  } finally {
    await rig.stop();
  }
}

function perKeystroke(work: (round: number) => void): number {
  const batches = Array.from({ length: BATCHES }, (_, batch) => {
    const before = process.cpuUsage();
    for (let round = 0; round < KEYSTROKES; round += 1) work(batch * KEYSTROKES + round);
    return cpuSince(before) / KEYSTROKES;
  });
  return median(batches);
}

const known: Known = {
  schemas: new FieldSchemas(JSON.parse(readFileSync(path.join(root, 'schemas/mcp.schema.json'), 'utf8')) as JsonObject),
  schemaFields: 'editors',
  environment: Array.from({ length: 150 }, (_, index) => `VARIABLE_${index}`),
  folders: ['app'],
  inputs: [],
  commands: ['npx', ...Array.from({ length: 3_000 }, (_, index) => `program-${index}`)],
  servers: Array.from({ length: SERVERS }, (_, index) => `server-${index}`),
  callable: Array.from({ length: 2_000 }, (_, index) => `mcp__server-${index % SERVERS}__tool-${index}`),
  toolsOf: () => Array.from({ length: 10 }, (_, index) => `tool-${index}`),
};

const PLACES = ['"command": "', '"args": ["-y", "', '"KEY": "${', '"enabledTools": ["', '"timeout": 1, "'];

function complete(source: ConfigSource, text: string, round: number): void {
  const mark = PLACES[round % PLACES.length] ?? '';
  const from = text.indexOf(`"server-${(round * 7) % SERVERS}"`);
  const offset = text.indexOf(mark, from) + mark.length;
  const { root: tree } = outlineOf(source, text);
  const found = suggestionsAt({ text, syntax: 'jsonc', source, root: tree }, offset, known);
  if (found.length === 0) throw new Error(`nothing is suggested behind ${mark}`);
}

function diagnose(rig: TestHost, source: ConfigSource, text: string, round: number): void {
  const at = text.indexOf('"command"', text.indexOf(`"server-${(round * 7) % SERVERS}"`));
  // One letter is gone.
  const typed = `${text.slice(0, at + 5)}${text.slice(at + 6)}`;
  const problems = problemsOfTexts(rig.host, [{ source, parsed: parseSource(source, typed) }]);
  if (!problems.some(({ code }) => code === 'misspelt-field')) throw new Error('the problem was not found');
}

function fileOf(count: number): string {
  const entries = Array.from(
    { length: count },
    (_, index) => `    "server-${index}": {
      "command": "npx",
      "args": ["-y", "@example/server-${index}@1.0.${index}"],
      "env": { "KEY": "\${KEY_${index}:-k}", "FOLDER": "\${workspaceFolder}/${index}" },
      "enabledTools": ["tool-1", "tool-2"],
      "timeout": 1, "disabled": false
    }`,
  );
  return `{\n  "mcpServers": {\n${entries.join(',\n')}\n  }\n}\n`;
}
