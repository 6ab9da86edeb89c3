// npm run -s bench -- script [--tasks]
//
// Twenty tasks of several steps over the real servers filesystem, memory, everything and notes, done by a scripted model twice:
// call by call, where calls that don't need each other's results are made together, and with one script. Both have to leave the
// same files. Printed: turns (requests to the model, the last of which answers), tokens (all that the requests have in and out,
// definitions of all tools included), and questions to the user. --tasks: each task.
import { deepEqual, equal } from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { definitionText, estimateTokens } from '../src/catalog/exposure/toolDefinition.ts';
import { scriptDescription, SCRIPT_SCHEMA, SCRIPT_TOOL } from '../src/calls/script/scriptTool.ts';
import type { JsonObject } from '../src/base/json/json.ts';
import { withServers, type TestHost } from '../test/support/testHost.ts';
import { report } from './connection/report.ts';
import { filesOf, seed } from './script/seed.ts';
import { tasksIn, type Task, type TaskCall } from './script/tasks.ts';

interface Cost {
  readonly turns: number;
  readonly tokens: number;
  readonly questions: number;
}

const fileOf = (module: string): string => fileURLToPath(import.meta.resolve(module));
const server = (file: string, args: readonly string[] = [], env: object = {}): object => ({
  command: process.execPath,
  args: [file, ...args],
  env,
});
const servers = {
  filesystem: server(fileOf('@modelcontextprotocol/server-filesystem/dist/index.js'), ['${workspaceFolder}']),
  memory: server(fileOf('@modelcontextprotocol/server-memory/dist/index.js'), [], {
    MEMORY_FILE_PATH: '${workspaceFolder}/.data/memory.jsonl',
  }),
  everything: server(fileOf('@modelcontextprotocol/server-everything/dist/index.js')),
  notes: server(fileURLToPath(new URL('../demo/notes-server/main.js', import.meta.url)), [], {
    NOTES_DIR: '${workspaceFolder}/.data/notes',
  }),
};
const signal = new AbortController().signal;
const textOf = (parts: readonly { readonly kind: string; readonly text?: string }[]): string =>
  parts.map(({ text = '' }) => text).join('\n');

/** A conversation: each request has all that was said before. */
class Conversation {
  #talk: number;
  turns = 0;
  tokens = 0;

  constructor(head: number) {
    this.#talk = head;
  }

  /** The model says something, which costs all that it read. */
  says(text: string): void {
    const said = estimateTokens(text);
    this.turns += 1;
    this.tokens += this.#talk + said;
    this.#talk += said;
  }

  hears(text: string): void {
    this.#talk += estimateTokens(text);
  }
}

async function plainly({ host, questions }: TestHost, task: Task, head: number): Promise<Cost> {
  const before = questions.length;
  const talk = new Conversation(head);
  for (const calls of task.plain) {
    talk.says(JSON.stringify(calls));
    const call = ([name, args]: TaskCall): ReturnType<typeof host.broker.call> =>
      host.broker.call({ name, args: args as JsonObject, surface: 'test', signal });
    for (const { parts } of await Promise.all(calls.map(call))) talk.hears(textOf(parts));
  }
  talk.says(task.answer);
  return { turns: talk.turns, tokens: talk.tokens, questions: questions.length - before };
}

async function scripted({ host, questions }: TestHost, task: Task, head: number): Promise<Cost> {
  const before = questions.length;
  const talk = new Conversation(head);
  talk.says(JSON.stringify({ script: task.script }));
  const { parts } = await host.broker.runScript(task.script, { surface: 'test', signal });
  equal(textOf(parts).replace(/\n\(\d+ calls?\)$/, ''), task.answer, task.name);
  talk.hears(textOf(parts));
  talk.says(task.answer);
  return { turns: talk.turns, tokens: talk.tokens, questions: questions.length - before };
}

/** Does all tasks one way, in a folder of their own. */
async function all(
  way: typeof plainly,
  more: string,
): Promise<{ readonly costs: readonly Cost[]; readonly names: readonly string[]; readonly files: object }> {
  let done: Awaited<ReturnType<typeof all>> | undefined;
  const body = async (rig: TestHost): Promise<void> => {
    seed(rig.folder);
    rig.answer = 'once';
    await (await rig.host.calls.scripts()).setOn(true);
    const head = estimateTokens(rig.host.catalog.tools.map(definitionText).join('\n') + more);
    const tasks = tasksIn(rig.folder);
    const costs: Cost[] = [];
    for (const task of tasks) costs.push(await way(rig, task, head));
    done = { costs, names: tasks.map(({ name }) => name), files: filesOf(rig.folder) };
  };
  await withServers(servers, body);
  if (!done) throw new Error('The tasks were not done.');
  return done;
}

const plain = await all(plainly, '');
const own = JSON.stringify({ name: SCRIPT_TOOL, description: scriptDescription(), inputSchema: SCRIPT_SCHEMA });
const script = await all(scripted, own);
deepEqual(script.files, plain.files, 'both ways leave the same');

const sum = (costs: readonly Cost[], of: keyof Cost): number => costs.reduce((total, cost) => total + cost[of], 0);
if (process.argv.includes('--tasks'))
  for (const [at, name] of plain.names.entries()) console.log(name, plain.costs[at], script.costs[at]);
const figures = {
  tasks: plain.names.length,
  plainTurns: sum(plain.costs, 'turns'),
  scriptTurns: sum(script.costs, 'turns'),
  plainTokens: sum(plain.costs, 'tokens'),
  scriptTokens: sum(script.costs, 'tokens'),
  plainQuestions: sum(plain.costs, 'questions'),
  scriptQuestions: sum(script.costs, 'questions'),
};
report(
  'script',
  {
    ...figures,
    tokenRatio: figures.scriptTokens / figures.plainTokens,
    turnRatio: figures.scriptTurns / figures.plainTurns,
  },
  { tokenRatio: '<= 0.6', turnRatio: '<= 0.75' },
);
