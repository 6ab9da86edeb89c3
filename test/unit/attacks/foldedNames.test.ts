import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root as repository } from '../../../scripts/lib/paths.mjs';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../src/calls/callSettings.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { configuredNameOf } from '../../../src/catalog/catalogTool.ts';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { TestHost } from '../../support/testHost.ts';
import { useRepository } from './useRepository.ts';

const SERVER = path.join(repository, 'test/fixtures/catalog/list-server.mjs');
const TOOLS = ['get_it', 'delete_it'];

/** What is in the user's file and in that of the opened folder, by server name: its tools. */
interface Servers {
  readonly own?: Readonly<Record<string, readonly string[]>>;
  readonly theirs?: Readonly<Record<string, readonly string[]>>;
}

/** A session in a workspace that lasts: whoever isn't approved yet is approved, unless `isWaiting`. */
class Sessions {
  readonly #store = new MemoryStore();
  readonly #root: string;
  readonly #repo: string;
  rules: readonly JsonObject[] = [];
  isWaiting = false;

  constructor(folders: { readonly root: string; readonly repo: string }) {
    this.#root = folders.root;
    this.#repo = folders.repo;
  }

  async with({ own = {}, theirs = {} }: Servers, body: (rig: TestHost) => Promise<void> | void): Promise<void> {
    const settings = { ...DEFAULT_CALL_SETTINGS, rules: readPermissionRules(this.rules, 'user').rules };
    const sources = [this.#write('user', this.#root, own), this.#write('project', this.#repo, theirs)];
    const rig = new TestHost({
      folder: this.#repo,
      store: this.#store,
      ports: { config: new NodeConfigPorts(sources), calls: { settings: () => settings } },
    });
    try {
      await rig.host.start();
      if (!this.isWaiting) await rig.approveAll();
      await rig.until(() =>
        rig.host.views.every(({ state }) => ['connected', 'shadowed', 'blocked'].includes(state.kind)),
      );
      await body(rig);
    } finally {
      await rig.stop();
    }
  }

  #write(
    scope: 'user' | 'project',
    folder: string,
    servers: Readonly<Record<string, readonly string[]>>,
  ): ConfigSource {
    const file = path.join(folder, '.mcp.json');
    const entries = Object.entries(servers).map(([name, tools], index) => {
      const list = path.join(this.#root, `${scope}-${index}.json`);
      const listed = tools.map((tool) => ({ name: tool, inputSchema: { type: 'object' } }));
      writeFileSync(list, JSON.stringify(listed));
      return [name, { command: process.execPath, args: [SERVER, list, name] }];
    });
    writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
    const opened = { folder: { name: 'repo', path: this.#repo } };
    return { id: file, scope, format: 'mcp', label: scope, file, ...(scope === 'project' ? opened : {}) };
  }
}

/** The callable name of a server's tool. */
function nameOf({ host }: TestHost, server: string, tool = 'get_it'): string {
  const found = host.catalog.tools.find((each) => configuredNameOf(each) === server && each.tool.name === tool);
  assert.ok(found, `${server} has ${tool}`);
  return found.name;
}

let sessions: Sessions;

/** Section of docs/security.md: every row has a test of its title. */
const ATTACKS: Readonly<Record<string, () => Promise<void>>> = {
  'A repository’s server whose name folds to that of one of the user’s own': async () => {
    sessions.rules = [{ tool: 'mcp__github__*', action: 'allow' }];
    const theirs = { GitHub: TOOLS, 'github-mcp': TOOLS, 'mcp-server-github': TOOLS };
    // The repository’s were there before.
    await sessions.with({ theirs }, () => undefined);
    await sessions.with({ own: { github: TOOLS }, theirs }, async (rig) => {
      for (const server of Object.keys(theirs))
        await assert.rejects(rig.call(nameOf(rig, server, 'delete_it')), /The user denied/, server);
      assert.equal(rig.questions.length, 3);
      await rig.call(nameOf(rig, 'github', 'delete_it'));
      await rig.call('github/delete_it');
      assert.equal(rig.questions.length, 3, 'the rule is for the user’s own');
    });
  },

  'A repository’s server that is named as the user’s own is called': async () => {
    sessions.rules = [{ tool: 'mcp__github__*', action: 'allow' }];
    await sessions.with({ own: { GitHub: TOOLS }, theirs: { github: TOOLS } }, async (rig) => {
      assert.equal(nameOf(rig, 'GitHub'), 'mcp__github__get_it');
      await assert.rejects(rig.call(nameOf(rig, 'github', 'delete_it')), /The user denied/);
      assert.match(rig.questions[0]?.reason ?? '', /for another server with this name/);
      await assert.rejects(rig.call('github/delete_it'), /The user denied/);
    });
  },

  'A server answers to the name of one that is lost': async () => {
    await sessions.with({ own: { GitHub: TOOLS } }, () => undefined);
    await sessions.with({ own: { GitHub: TOOLS }, theirs: { github: TOOLS } }, async (rig) => {
      rig.answer = 'once';
      const lost = rig.host.catalog.tools.find(({ serverName }) => serverName === 'GitHub');
      assert.equal(lost?.name, 'mcp__github__get_it');
      await rig.host.pool.disconnect(lost.serverId);
      assert.equal(rig.host.catalog.find(lost.name), undefined);
      await assert.rejects(rig.call(lost.name), /"GitHub" is not available/);
      assert.equal(rig.questions.length, 0);
      await rig.call('github/get_it');
    });
  },

  'A server takes a short name, so that a rule that denies misses another': async () => {
    sessions.rules = [{ tool: 'mcp__github__delete_*', action: 'deny' }];
    await sessions.with({ theirs: { github: TOOLS } }, () => undefined);
    const own = { 'github-mcp': TOOLS, 'GitHub MCP Server': TOOLS };
    await sessions.with({ own, theirs: { github: TOOLS } }, async (rig) => {
      for (const server of Object.keys(own)) {
        assert.notEqual(nameOf(rig, server), 'mcp__github__get_it');
        await assert.rejects(rig.call(nameOf(rig, server, 'delete_it')), /Denied/, server);
      }
      assert.equal(rig.questions.length, 0);
    });
  },

  'A server that is added, so that the tools of another are renamed': async () => {
    const own = { GitHub: TOOLS };
    const names: string[] = [];
    for (const theirs of [{}, { github: TOOLS }, { github: TOOLS, 'github-mcp': TOOLS }, {}, { git: TOOLS }])
      await sessions.with({ own, theirs }, (rig) => void names.push(nameOf(rig, 'GitHub')));
    assert.deepEqual([...new Set(names)], ['mcp__github__get_it']);
  },

  'A server that isn’t approved takes the name of one that comes later': async () => {
    sessions.isWaiting = true;
    await sessions.with({ theirs: { notes: TOOLS } }, () => undefined);
    await sessions.with({ own: { 'Notes MCP': TOOLS }, theirs: { notes: TOOLS } }, (rig) => {
      assert.equal(nameOf(rig, 'Notes MCP'), 'mcp__notes__get_it');
    });
  },

  'A name in letters that look alike, or with unseen ones, that folds to another': async () => {
    sessions.rules = [{ tool: 'mcp__github__*', action: 'allow' }];
    const theirs = { gіthub: TOOLS, 'github\u200b': TOOLS, 'github\ufe0f': TOOLS, githubа: TOOLS };
    await sessions.with({ theirs }, async (rig) => {
      for (const server of Object.keys(theirs)) {
        assert.match(nameOf(rig, server), /^mcp__[a-z]\w*-[a-z0-9]{4}__get_it$/);
        await assert.rejects(rig.call(nameOf(rig, server, 'delete_it')), /The user denied/, server);
      }
    });
  },

  'A tool that is added takes the name of another that a rule denies': async () => {
    sessions.rules = [{ tool: 'mcp__files__wipe_all', action: 'deny' }];
    await sessions.with({ own: { files: ['wipe.all'] } }, async (rig) => {
      assert.equal(nameOf(rig, 'files', 'wipe.all'), 'mcp__files__wipe_all');
      await assert.rejects(rig.call('mcp__files__wipe_all'), /Denied/);
    });
    await sessions.with({ own: { files: ['wipe.all', 'wipe_all'] } }, async (rig) => {
      assert.notEqual(nameOf(rig, 'files', 'wipe.all'), 'mcp__files__wipe_all');
      await assert.rejects(rig.call(nameOf(rig, 'files', 'wipe.all')), /Denied/);
      assert.equal(rig.questions.length, 0);
    });
  },

  'A rule that allows, and counts for a server only by what callable names call it': async () => {
    sessions.rules = [{ tool: 'mcp__github__*', action: 'allow' }];
    sessions.isWaiting = true;
    await sessions.with({ theirs: { 'github-mcp-server': TOOLS } }, async ({ host }) => {
      const [id = ''] = host.servers.definitions.map((each) => each.id);
      const lines = await host.consequencesOf(id);
      assert.ok(
        lines.some((line) => line.startsWith('A rule counts for it: allow')),
        lines.join('\n'),
      );
      assert.equal(host.catalog.parts?.known(id), undefined, 'the question alone takes no name');
    });
  },
};

describe('attacks: Names that fold together', function () {
  this.timeout(60_000);
  useRepository((folders) => (sessions = new Sessions(folders)));

  for (const [title, attack] of Object.entries(ATTACKS)) it(title, attack);

  it('the document has a row for each', () => {
    const text = readFileSync(path.join(repository, 'docs/security.md'), 'utf8');
    const [, rest = ''] = text.split('\n### Names that fold together\n');
    const [table = ''] = rest.split('\n#');
    for (const title of Object.keys(ATTACKS)) assert.ok(table.includes(`\n| ${title} | `), title);
  });
});
