import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { takesNamesFromServers } from '../../src/bridge/gateway/editor/editorVersions.ts';
import { connected, eventually, exportsOf, invoke, viewNamed, withSetting } from './support.ts';

/** The one that says which servers there are. */
const OVERVIEW = 'mcp__switchboard__list_servers';

const nativeTools = (): readonly string[] =>
  vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__') && name !== OVERVIEW);

/** Waits until the editor has exactly these tools of ours. */
async function native(...names: readonly string[]): Promise<void> {
  await eventually(`the editor has ${names.join(', ') || 'none of our tools'}`, () => {
    return nativeTools().length === names.length && names.every((name) => nativeTools().includes(name));
  });
}

export function gatewaySuite(): void {
  describe('resources and prompts', () => {
    it('mcp_list_resources lists what a server has besides tools', async () => {
      await connected('everything');
      const text = await invoke('mcp_list_resources', { server: 'everything' });
      const { servers } = JSON.parse(text) as { servers: readonly Record<string, unknown>[] };
      assert.deepEqual(Object.keys(servers[0] ?? {}), ['server', 'resources', 'templates', 'prompts']);
      assert.match(await invoke('mcp_list_resources', { server: 'notes' }), /No connected server has/);
      await assert.rejects(invoke('mcp_list_resources', { server: 'nobody' }), /Connected are: .*everything/);
    });

    it('mcp_tool_search names fitting ones beside the tools', async () => {
      const text = await invoke('mcp_tool_search', { query: 'args prompt' });
      const { resourcesAndPrompts } = JSON.parse(text) as { resourcesAndPrompts: readonly Record<string, unknown>[] };
      assert.ok(resourcesAndPrompts.some(({ prompt, server }) => prompt === 'args-prompt' && server === 'everything'));
    });

    it('mcp_get_prompt gives a prompt as text, filled with arguments', async () => {
      assert.match(
        await invoke('mcp_get_prompt', { server: 'everything', name: 'simple-prompt' }),
        /^This is a simple prompt/,
      );
      const input = { server: 'everything', name: 'args-prompt', arguments: { city: 'Bergen' } };
      // What the model fills in may carry away what it read, so it asks where no rule allows it.
      const rule = { tool: 'mcp__everything__prompts/get', server: 'everything', action: 'allow' };
      await withSetting('permissions.rules', [rule], async () =>
        assert.match(await invoke('mcp_get_prompt', input), /Bergen/),
      );
    });
  });

  describe('gateway', () => {
    const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('mcpSwitchboard');
    const set = (name: string, value: unknown): Thenable<void> =>
      settings().update(name, value, vscode.ConfigurationTarget.Global);
    const LIST = 'mcp__notes__list_notes';
    /** An older editor takes the tool away, too, but extensions go on seeing the last one of a list that was emptied. */
    const gone = async (): Promise<void> => {
      if (takesNamesFromServers(vscode.version)) return native();
      await eventually('the editor has no such tool', async () => {
        const failure = await invoke(LIST, {}).then(
          () => undefined,
          (error: unknown) => String(error),
        );
        return failure?.includes('was not contributed');
      });
    };

    after(async () => {
      await set('alwaysLoadTools', undefined);
      await set('toolExposure', undefined);
    });

    it('offers no tool of a server natively while there are too many, and says in one that there are servers', async () => {
      await connected('notes');
      // A change reaches the editor a moment later.
      await eventually('the editor has the overview, with this server', () =>
        vscode.lm.tools.find(({ name, description }) => name === OVERVIEW && description.includes('notes')),
      );
      assert.deepEqual(nativeTools(), []);
    });

    it('offers the tools that the user pinned, under their callable names', async () => {
      await set('alwaysLoadTools', ['notes/list_*']);
      await native(LIST);
      const tool = vscode.lm.tools.find(({ name }) => name === LIST);
      assert.equal(tool?.inputSchema && 'type' in tool.inputSchema, true);
    });

    it('a native tool answers what mcp_call_tool answers', async () => {
      assert.equal(await invoke(LIST, {}), await invoke('mcp_call_tool', { name: LIST, arguments: {} }));
    });

    it('a native tool goes when its server is disconnected, and comes back with it', async () => {
      const { host } = await exportsOf();
      const { definition } = await viewNamed('notes');
      await host.pool.disconnect(definition.id);
      await gone();
      await host.pool.connect(definition.id);
      await native(LIST);
    });

    it('a native tool has another name when names are made another way, and still answers', async () => {
      await set('toolNameFormat', '{server}__{tool}');
      const SHORT = 'mcp_notes__list_notes';
      await eventually('the editor has the short name', () => vscode.lm.tools.find(({ name }) => name === SHORT));
      if (takesNamesFromServers(vscode.version)) assert.deepEqual(nativeTools(), []);
      assert.equal(
        await invoke(SHORT, {}),
        await invoke('mcp_call_tool', { name: 'notes__list_notes', arguments: {} }),
      );
      await set('toolNameFormat', undefined);
      await native(LIST);
    });

    it('a native tool goes when it is no longer pinned', async () => {
      await set('alwaysLoadTools', []);
      await gone();
    });
  });
}
