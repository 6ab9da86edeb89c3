import { strict as assert } from 'node:assert';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import type { ServerEntry } from '../../../src/config/configTypes.ts';
import { variableProblems, type ResolveContext } from '../../../src/servers/resolveEntry.ts';
import { replaceVariables } from '../../../src/servers/resolveTransport.ts';
import type { ServerDefinition } from '../../../src/servers/serverTypes.ts';
import { knownAnswer, rememberAnswer } from '../../../src/servers/answersWhileAdding.ts';
import { ServerValues, type ValuePorts } from '../../../src/servers/inputAnswers.ts';
import { sourceOf } from '../config/sources.ts';

const FILE = {
  inputs: [
    { id: 'key', type: 'promptString', password: true },
    { id: 'region', type: 'pickString', options: ['eu', 'us'] },
    { id: 'branch', type: 'command', command: 'git.branch', args: { short: true } },
  ],
  servers: {
    a: { command: 'x', args: ['${input:region}'], env: { KEY: '${input:key}', B: '${input:branch}' } },
    b: { url: 'https://h/${command:pick.path}', headers: { A: '${input:key}' } },
    c: { command: 'x', args: ['${MISSING}', '${input:region}'] },
    d: { command: 'x', args: ['${input:nobody}'] },
  },
};

/** A user who gives `answers`, and an editor whose commands give `results`. */
class Rig implements ValuePorts {
  readonly asked: string[] = [];
  readonly ran: unknown[] = [];
  readonly kept = new Map<string, string>();
  readonly answers: Record<string, string | undefined> = { key: 's3cret', region: 'eu' };
  results: Record<string, unknown> = { 'git.branch': 'main', 'pick.path': 'p' };
  readonly secrets = {
    get: async (key: string) => this.kept.get(key),
    set: async (key: string, value: string | undefined) => {
      if (value === undefined) this.kept.delete(key);
      else this.kept.set(key, value);
    },
  };

  async ask({ id }: { id: string }): Promise<string | undefined> {
    this.asked.push(id);
    return this.answers[id];
  }

  async runCommand(id: string, args?: unknown): Promise<unknown> {
    this.ran.push([id, args]);
    return this.results[id];
  }
}

const { entries } = parseSource(sourceOf(), JSON.stringify(FILE));
const entry = (name: string): ServerEntry => entries.find((item) => item.name === name)!;
const definition = (name: string): ServerDefinition => ({
  id: name,
  name,
  entry: entry(name),
  fingerprint: '',
  status: { kind: 'ready' },
});
const context = (values?: ServerValues): ResolveContext => ({
  platform: 'linux',
  environment: {},
  homeDir: '/home/me',
  workspaceFolders: [],
  ...(values ? { values } : {}),
});

describe('servers/values', () => {
  it('asks once per session for each input, whatever the number of servers, and for a password for each', async () => {
    const rig = new Rig();
    const values = new ServerValues(rig);
    const [a, b] = await Promise.all(['a', 'b'].map((name) => replaceVariables(definition(name), context(values))));
    assert.deepEqual(rig.asked.sort(), ['key', 'key', 'region']);
    assert.ok(a?.type === 'stdio');
    assert.deepEqual([a.args, a.env], [['eu'], { KEY: 's3cret', B: 'main' }]);
    assert.ok(b?.type === 'url');
    assert.deepEqual([b.url, b.headers], ['https://h/p', { A: 's3cret' }]);
    assert.deepEqual(
      new Set(rig.ran),
      new Set<unknown>([
        ['git.branch', { short: true }],
        ['pick.path', undefined],
      ]),
    );
  });

  it('keeps passwords, and nothing else, over a session; forgets them when told to', async () => {
    const rig = new Rig();
    await replaceVariables(definition('a'), context(new ServerValues(rig)));
    assert.deepEqual(
      [...rig.kept.values()].map((value) => value.replace(/^[0-9a-f]{64} /, '')),
      ['s3cret'],
    );
    const next = new ServerValues(rig);
    await replaceVariables(definition('a'), context(next));
    assert.deepEqual(rig.asked, ['region', 'key', 'region']);
    await next.forget(entries);
    assert.equal(rig.kept.size, 0);
    await replaceVariables(definition('a'), context(next));
    assert.deepEqual(rig.asked.slice(3), ['region', 'key']);
  });

  it('keeps an answer that was given elsewhere, for that definition alone, and forgets it', async () => {
    const rig = new Rig();
    const values = new ServerValues(rig);
    const [key] = entry('a').inputs!.filter(({ id }) => id === 'key');
    await rememberAnswer(values, entry('a'), key!, 'pasted');
    assert.equal(await knownAnswer(values, entry('a'), key!), 'pasted');
    assert.equal(await new ServerValues(rig).input(entry('a'), key!), 'pasted', 'over a session');
    assert.equal(await knownAnswer(values, entry('b'), key!), undefined);
    assert.deepEqual(rig.asked, []);
    await rememberAnswer(values, entry('a'), key!, undefined);
    assert.equal(rig.kept.size, 0);
    assert.equal(await values.input(entry('a'), key!), 's3cret');
    assert.deepEqual(rig.asked, ['key']);
  });

  it('a question that is closed is a reason, ends the questions, and is asked again', async () => {
    const rig = new Rig();
    rig.answers['region'] = undefined;
    const values = new ServerValues(rig);
    const failing = replaceVariables(definition('a'), context(values));
    await assert.rejects(
      failing,
      /^SwitchboardError: a needs .*\$\{input:region\} \(in args\[0\]\).*which was not given/,
    );
    assert.deepEqual(rig.asked, ['region']);
    rig.answers['region'] = 'us';
    const spec = await replaceVariables(definition('a'), context(values));
    assert.deepEqual(spec.type === 'stdio' && spec.args, ['us']);
  });

  it('a command that gives no text is no value', async () => {
    const rig = new Rig();
    rig.results = {};
    await assert.rejects(replaceVariables(definition('b'), context(new ServerValues(rig))), /command:pick\.path/);
  });

  it('asks for nothing while another variable has no value, or where nobody can be asked', async () => {
    const rig = new Rig();
    await assert.rejects(replaceVariables(definition('c'), context(new ServerValues(rig))), /\$\{MISSING\}/);
    assert.deepEqual(rig.asked, []);
    await assert.rejects(replaceVariables(definition('a'), context()), /input:region/);
  });

  it('a problem is only what certainly has no value', () => {
    const of = (name: string): string[] => variableProblems(entry(name), context()).map(({ message }) => message);
    assert.deepEqual([of('a'), of('b')], [[], []]);
    assert.match(of('c').join(), /`\$\{MISSING\}` in `args\[0\]` has no value/);
    assert.match(of('d').join(), /`\$\{input:nobody\}` in `args\[0\]` has no value/);
  });
});
