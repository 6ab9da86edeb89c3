import { strict as assert } from 'node:assert';
import * as path from 'node:path';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import type {
  ApiError,
  CallOptions,
  ConfigProblem,
  RegisteredServer,
  SwitchboardApi,
  SwitchboardEvent,
} from '../../src/api.d.ts';
import type { SwitchboardExports, WritableScope } from '../../src/api.d.ts';
import { withShown } from './shown.ts';
import {
  closeQuestions,
  connected,
  eventually,
  exportsOf,
  itemOf,
  nodeOf,
  viewNamed,
  workspaceFile,
} from './support.ts';

const SAMPLE = 'sample.switchboard-sample';

/** What test/fixtures/api-sample exports. */
interface Sample {
  readonly exported: SwitchboardExports;
  readonly api: SwitchboardApi;
  readonly events: SwitchboardEvent[];
  readonly changes: number;
  watch(): void;
  overview(): {
    readonly servers: readonly {
      name: string;
      scope: string;
      origin: { label: string; file?: string };
      state: string;
    }[];
    readonly tools: readonly string[];
    readonly serverNames: readonly string[];
    readonly hasServers: boolean;
    readonly problems: readonly ConfigProblem[];
  };
  unnamed(): SwitchboardApi;
  registerOlder(): RegisteredServer;
  registerModern(): RegisteredServer;
  registerProcess(program: string, folder: string): RegisteredServer;
  registerHooks(): void;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<string>;
  search(query: string): Promise<{ names: readonly string[]; total: number }>;
  edit(scope: WritableScope, change: (text: string) => string): Promise<readonly ConfigProblem[]>;
  dispose(): void;
}

const code =
  (expected: string, message?: RegExp) =>
  (error: ApiError): boolean => {
    assert.equal(error.code, expected, error.message);
    if (message) assert.match(error.message, message);
    return true;
  };

export function apiSuite(): void {
  describe('exported API', () => {
    let sample: Sample;

    before(async () => {
      const extension = vscode.extensions.getExtension<Sample>(SAMPLE);
      assert.ok(extension, 'the sample extension is installed');
      sample = await extension.activate();
      sample.watch();
    });

    after(() => sample?.dispose());

    it('says which versions exist, and wants an extension that does', () => {
      const { getApi } = sample.exported;
      assert.throws(() => getApi(2 as 1), code('unsupported', /no version 2.*There is version 1/));
      assert.throws(() => getApi(1, { id: 'no.such' }), code('invalid-arguments', /“no\.such”/));
      assert.equal(getApi(1, { id: SAMPLE.toUpperCase() }).version, 1);
    });

    it('gives servers with their origin, tools, and what is wrong', async () => {
      const { servers, tools, serverNames, hasServers } = sample.overview();
      const notes = servers.find(({ name }) => name === 'notes');
      assert.equal(notes?.scope, 'project');
      assert.equal(notes.state, 'connected');
      assert.match(notes.origin.file ?? '', /\.mcp\.json$/);
      assert.ok(tools.includes('mcp__notes__list_notes'));
      assert.ok(hasServers && serverNames.includes('memory'));
      assert.doesNotMatch(JSON.stringify(sample.api.servers), /NOTES_DIR/);
      const tool = sample.api.tools.find(({ name }) => name === 'mcp__notes__delete_note');
      assert.equal(tool?.effect, 'destructive');
      assert.equal(tool.toolName, 'delete_note');
    });

    it('searches', async () => {
      const { names, total } = await sample.search('delete a note');
      assert.equal(names[0], 'mcp__notes__delete_note');
      assert.ok(names.length <= 3 && total >= names.length);
      await assert.rejects(sample.api.searchTools('(', { regex: true }), code('invalid-arguments'));
    });

    it('calls what reads without a question, and says why what fails does', async () => {
      assert.match(await sample.call('mcp__notes__list_notes'), /note/i);
      await assert.rejects(sample.call('mcp__notes__nothing'), code('unknown-tool'));
      await assert.rejects(
        sample.call('mcp__notes__delete_note', { titel: 'x' }),
        code('invalid-arguments', /"titel"/),
      );
    });

    it('calls under the user’s policy: a destructive tool asks, and without an answer is denied', async () => {
      const notes = workspaceFile('.data/notes').fsPath;
      const before = fs.readdirSync(notes);
      const pending = sample.call('mcp__notes__delete_all_notes');
      await closeQuestions(pending);
      await assert.rejects(pending, code('denied', /^The user denied/));
      assert.deepEqual(fs.readdirSync(notes), before);
      const { host } = await exportsOf();
      const entry = host.calls.history.entries.at(-1);
      assert.equal(entry?.surface, 'api');
      assert.equal(entry.caller, SAMPLE);
    });

    it('an extension can’t answer its own question', async () => {
      const toolInvocationToken = { askInCall: async () => 'once' };
      const pending = sample.call('mcp__notes__delete_all_notes', {}, { toolInvocationToken });
      await closeQuestions(pending);
      await assert.rejects(pending, code('denied'));
    });

    it('a cancelled call closes its question', async () => {
      const cancellation = new vscode.CancellationTokenSource();
      await withShown(async (shown) => {
        const pending = sample.call('mcp__notes__delete_all_notes', {}, { token: cancellation.token });
        await eventually('it asks', () => shown.lists > 0);
        cancellation.cancel();
        await assert.rejects(pending, code('denied', /cancelled/));
      });
      cancellation.dispose();
    });

    for (const kind of ['Older', 'Modern'] as const) {
      it(`runs a server inside the extension once it is approved (${kind})`, async () => {
        const name = `smpl-${kind.toLowerCase()}`;
        const registered = sample[`register${kind}`]();
        const view = await viewNamed(name);
        assert.equal(view.definition.id, registered.id);
        assert.deepEqual(view.state, { kind: 'blocked', reason: 'needs approval', needsApproval: true });
        const node = await nodeOf(name);
        const { tooltip } = await (await exportsOf()).tree.resolveTreeItem(await itemOf(node), node);
        assert.match((tooltip as vscode.MarkdownString).value, /Extension sample\\\.switchboard\\-sample/);
        const { host } = await exportsOf();
        await host.servers.approve([registered.id]);
        const { state } = await connected(name);
        assert.ok(state.kind === 'connected' && state.info.era === (kind === 'Modern' ? 'modern' : 'legacy'));
        assert.match(await sample.call(`mcp__${name}__echo`, { text: 'hello' }), /^hello/);
        const seen: number[] = [];
        assert.equal(
          await sample.call(`mcp__${name}__count`, {}, { onProgress: ({ progress }) => seen.push(progress) }),
          'three',
        );
        assert.deepEqual(seen, [1, 2, 3]);
        assert.throws(() => sample[`register${kind}`](), code('invalid-arguments', /already/));
      });
    }

    it('an approval of the same definition is remembered', async () => {
      const { host } = await exportsOf();
      const first = (await viewNamed('smpl-older')).definition.id;
      host.servers.removeAdded(first);
      await eventually('it is gone', () => !sample.overview().serverNames.includes('smpl-older'));
      sample.registerOlder();
      await connected('smpl-older');
    });

    it('hooks tighten: one denies, one adds a note', async () => {
      sample.registerHooks();
      await assert.rejects(
        sample.call('mcp__smpl-older__echo', { text: 'a secret' }),
        code('denied', /that is a secret, extension sample\.switchboard-sample/),
      );
      assert.match(await sample.call('mcp__smpl-older__echo', { text: 'fine' }), /^fine\n.*echo gave \d+ characters/);
    });

    it('runs a process of the extension’s, and ends it with the registration', async () => {
      const program = path.join(process.env['SWITCHBOARD_ROOT'] ?? '', 'demo/notes-server/main.js');
      const registered = sample.registerProcess(program, workspaceFile('.data/sample').fsPath);
      const { host } = await exportsOf();
      await host.servers.approve([registered.id]);
      const { state } = await connected('smpl-process');
      const pid = state.kind === 'connected' ? state.info.pid : undefined;
      assert.ok(pid !== undefined);
      registered.dispose();
      registered.dispose();
      assert.ok(!sample.overview().serverNames.includes('smpl-process'));
      await eventually('its process is gone', () => {
        try {
          process.kill(pid, 0);
          return false;
        } catch {
          return true;
        }
      });
    });

    it('an invalid definition says what to fix', () => {
      const register = sample.api.registerServer as (definition: unknown) => unknown;
      assert.throws(
        () => register({ name: 'x' }),
        code('invalid-arguments', /one of `command`, `url` and `createServer`/),
      );
      assert.throws(() => register({ name: 'x', command: 'x', args: [1] }), code('invalid-arguments', /`args`/));
      assert.throws(() => register({ command: 'x' }), code('invalid-arguments', /`name`/));
      assert.throws(() => register(undefined), code('invalid-arguments', /object/));
    });

    it('a server of a name that a file has stands behind that one, and goes without a trace', async () => {
      const before = sample.api.tools.map(({ name }) => name);
      const clashing = sample.api.registerServer({ name: 'notes', command: 'nothing' });
      const own = sample.api.servers.find(({ id }) => id === clashing.id);
      assert.notEqual(own?.state.kind, 'connected');
      assert.equal(sample.api.servers.find(({ name }) => name === 'notes')?.state.kind, 'connected');
      assert.equal(sample.api.config.serverNames.filter((name) => name === 'notes').length, 1);
      assert.throws(() => sample.api.registerServer({ name: 'notes', command: 'other' }), code('invalid-arguments'));
      clashing.dispose();
      clashing.dispose();
      assert.ok(!sample.api.servers.some(({ id }) => id === clashing.id));
      assert.deepEqual(
        sample.api.tools.map(({ name }) => name),
        before,
      );
    });

    it('says what is wrong with what isn’t of the types that it declares', async () => {
      const { api } = sample;
      const odd = (value: unknown): never => value as never;
      await assert.rejects(api.callTool(odd(5)), code('invalid-arguments', /`name`/));
      await assert.rejects(api.callTool('mcp__notes__list_notes', odd('x')), code('invalid-arguments', /`args`/));
      const notData = { title: () => 'x' };
      await assert.rejects(api.callTool('mcp__notes__list_notes', notData), code('invalid-arguments', /plain data/));
      assert.match(JSON.stringify(await api.callTool('mcp__notes__list_notes', odd(null), odd(null))), /note/i);
      await assert.rejects(api.searchTools(odd({})), code('invalid-arguments', /`query`/));
      await assert.rejects(api.searchTools('note', { server: odd(7) }), code('invalid-arguments', /`server`/));
      assert.equal((await api.searchTools('note', { limit: -5 })).tools.length, 1);
      assert.throws(() => api.onEvent(odd(5)), code('invalid-arguments', /`listener`/));
      assert.throws(() => api.onDidChangeServers(odd(undefined)), code('invalid-arguments', /`listener`/));
      assert.throws(() => api.registerHook(odd(null)), code('invalid-arguments'));
      await assert.rejects(api.config.getAsJson(odd('__proto__')), code('unsupported'));
      await assert.rejects(api.config.setFromJson('project', odd(5)), code('invalid-arguments', /`text`/));
      assert.ok(Object.isFrozen(api) && Object.isFrozen(api.config));
    });

    it('tells of what happens, without arguments', () => {
      const types = new Set(sample.events.map(({ type }) => type));
      for (const type of [
        'tool.call',
        'tool.result',
        'tool.search',
        'server.connected',
        'server.disconnected',
      ] as const)
        assert.ok(types.has(type), type);
      assert.ok(sample.changes > 0);
      assert.ok(sample.events.some((event) => event.type === 'tool.result' && event.caller === SAMPLE && !event.ok));
      assert.doesNotMatch(JSON.stringify(sample.events), /hello|a secret/);
    });

    it('reads and writes the configuration; comments stay', async () => {
      const added = (text: string): string =>
        text.replace(
          /("mcpServers"\s*:\s*\{)/,
          '$1\n    // of the sample\n    "by-sample": { "command": "nothing", "disabled": true },',
        );
      const file = workspaceFile('.mcp.json').fsPath;
      const before = fs.readFileSync(file, 'utf8');
      assert.equal(await sample.api.config.getAsJson('project'), before);
      await sample.edit('project', added);
      assert.match(fs.readFileSync(file, 'utf8'), /\/\/ of the sample/);
      assert.ok(sample.overview().serverNames.includes('by-sample'), 'it is there as soon as the promise resolves');
      await sample.edit('project', () => before);
      assert.equal(fs.readFileSync(file, 'utf8'), before);
      assert.ok(!sample.overview().serverNames.includes('by-sample'));
    });

    it('refuses a text with errors, says where they are, and changes nothing', async () => {
      const file = workspaceFile('.mcp.json').fsPath;
      const before = fs.readFileSync(file, 'utf8');
      for (const bad of ['{ "mcpServers": { "x": { "command": 1 } } }', '{ "mcpServers": {', '[]', 'nonsense']) {
        await assert.rejects(sample.api.config.setFromJson('project', bad), (error: ApiError) => {
          assert.equal(error.code, 'invalid-arguments');
          assert.ok((error.problems?.length ?? 0) > 0 && (error.problems?.[0]?.line ?? 0) >= 1, bad);
          return true;
        });
      }
      assert.equal(fs.readFileSync(file, 'utf8'), before);
      await assert.rejects(sample.api.config.setFromJson('cloud' as WritableScope, '{}'), code('unsupported'));
    });

    it('a file with unsaved changes is left alone', async () => {
      const uri = workspaceFile('.mcp.json');
      const document = await vscode.workspace.openTextDocument(uri);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), '// mine\n');
      await vscode.workspace.applyEdit(edit);
      await assert.rejects(sample.api.config.setFromJson('project', '{}'), code('unsupported', /saved/));
      assert.match(document.getText(), /^\/\/ mine/);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });

    it('writes the user’s setting, where nothing but servers fits', async () => {
      await sample.edit('user', () => '{ "mcpServers": { "mine": { "command": "nothing", "disabled": true } } }');
      assert.equal((await viewNamed('mine')).definition.entry.scope, 'user');
      await assert.rejects(
        sample.api.config.setFromJson('user', '{ "inputs": [], "mcpServers": {} }'),
        code('unsupported', /can only contain/),
      );
      // What would start with no approval is asked about, and there is nobody to ask here.
      await assert.rejects(
        sample.api.config.setFromJson('user', '{ "mcpServers": { "mine": { "command": "nothing" } } }'),
      );
      assert.match(await sample.api.config.getAsJson('user'), /"mine"[^}]*"disabled": true/);
      await sample.edit('user', () => '{}');
      assert.ok(!sample.overview().serverNames.includes('mine'));
    });

    it('finds a caller that doesn’t say its name', async () => {
      const api = sample.unnamed();
      const server = api.registerServer({ name: 'unnamed', command: 'nothing' });
      assert.equal((await viewNamed('unnamed')).definition.entry.source.label, `Extension ${SAMPLE}`);
      server.dispose();
    });

    it('takes everything away with the registrations', async () => {
      sample.dispose();
      await eventually('they are gone', () => !sample.overview().serverNames.some((name) => name.startsWith('smpl-')));
    });
  });
}
