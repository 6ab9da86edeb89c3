import { deepEqual, equal, match } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../../../src/base/errors.ts';
import { callsOf } from './scriptRig.ts';
import { withServers, type TestHost } from '../../../support/testHost.ts';

const module = (name: string): string =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`));
const node = (args: readonly string[], env: object = {}): object => ({ command: process.execPath, args, env });
const SERVERS = {
  filesystem: node([module('server-filesystem'), '${workspaceFolder}']),
  memory: node([module('server-memory')], { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' }),
  everything: node([module('server-everything')]),
  notes: node([fileURLToPath(new URL('../../../../demo/notes-server/main.js', import.meta.url))], {
    NOTES_DIR: '${workspaceFolder}/notes',
  }),
};

async function run({ host }: TestHost, source: string): Promise<string> {
  const { signal } = new AbortController();
  try {
    const { parts } = await host.broker.runScript(source, { surface: 'lm-tool', signal });
    return parts.map((part) => (part.kind === 'text' ? part.text : part.mimeType)).join('\n');
  } catch (error) {
    return messageOf(error);
  }
}

describe('a script over real servers', function () {
  this.timeout(60_000);

  it('reads from four servers, asks once, and writes with three', async () => {
    await withServers(SERVERS, async (rig) => {
      await (await rig.host.calls.scripts()).setOn(true);
      rig.answer = 'once';
      writeFileSync(path.join(rig.folder, 'in.txt'), '3\n4');
      const source = `
        const dir = ${JSON.stringify(rig.folder)};
        const [text, graph, notes] = await Promise.all([
          tools.mcp__filesystem__read_text_file({ path: dir + '/in.txt' }),
          tools.mcp__memory__read_graph(),
          tools.mcp__notes__list_notes(),
        ]);
        const [a, b] = text.split('\\n').map(Number);
        const sum = /is (\\d+)/.exec(await tools['mcp__everything__get-sum']({ a, b }))[1];
        await Promise.all([
          tools.mcp__filesystem__write_file({ path: dir + '/out.txt', content: sum }),
          tools.mcp__memory__create_entities({ entities: [{ name: 'sum', entityType: 'number', observations: [sum] }] }),
          tools.mcp__notes__add_note({ title: 'Sum', text: sum }),
        ]);
        return { sum, entities: graph.entities.length, notes: typeof notes };`;
      equal(await run(rig, source), '{"sum":"7","entities":0,"notes":"string"}\n(7 calls)');
      equal(readFileSync(path.join(rig.folder, 'out.txt'), 'utf8'), '7');
      match(readFileSync(path.join(rig.folder, 'memory.jsonl'), 'utf8'), /"sum"/);
      const [question] = rig.questions;
      equal(rig.questions.length, 1);
      deepEqual(
        question &&
          callsOf(question)
            .map(({ tool }) => tool.name)
            .toSorted(),
        ['mcp__filesystem__write_file', 'mcp__memory__create_entities', 'mcp__notes__add_note'],
      );
    });
  });

  it('writes nothing where the user says no, or doesn’t trust the workspace', async () => {
    const write = (rig: TestHost): string =>
      `await tools.mcp__filesystem__write_file({ path: ${JSON.stringify(path.join(rig.folder, 'out.txt'))}, content: 'x' })`;
    await withServers({ filesystem: SERVERS.filesystem }, async (rig) => {
      const scripts = await rig.host.calls.scripts();
      match(await run(rig, write(rig)), /Scripts are off/);
      await scripts.setOn(true);
      match(await run(rig, write(rig)), /The user denied the script’s calls/);
      equal(rig.questions.length, 1);
      equal(existsSync(path.join(rig.folder, 'out.txt')), false);
    });
    await withServers({}, async ({ host }) => {
      const scripts = await host.calls.scripts();
      await scripts.setOn(true);
      equal(scripts.on, false);
    }, { trusted: false }); // prettier-ignore
  });
});
