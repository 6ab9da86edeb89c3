import * as vscode from 'vscode';
import { eventually, exportsOf, invoke, itemOf, toolNodesUnder } from '../support.ts';
import type { Check } from './checks.ts';
import type { Probe } from './probe.ts';
import { TOOLS } from './scriptedServer.ts';

const PREFIX = 'mcpSwitchboard';

/** Which tools the agent has, what they are called, and what it is told of them. */
export function toolChecks(probe: Probe): Record<string, Check> {
  /** The agent has no tool of itself. */
  const none = { [`${PREFIX}.toolExposure`]: 'search' };
  return {
    [`${PREFIX}.maxToolsPerSearch`]: {
      effect: async () => (await found('page')).filter(({ inputSchema }) => inputSchema).length,
      shows: [
        [undefined, TOOLS.length],
        [1, 1],
        [0, 0],
      ],
    },
    [`${PREFIX}.summaryDescriptionLimit`]: {
      effect: async () => (await found('mcp__probe__read'))[0]?.summary,
      shows: [
        [undefined, 'Reads a page of the book and returns its text, with all that stands in its margins and below it.'],
        [30, 'Reads a page of the book and…'],
      ],
    },
    [`${PREFIX}.toolPinning`]: {
      effect: () => withChangedTool(probe, async () => (await probe.decision('read')) ?? 'not there'),
      shows: [
        ['off', 'allow'],
        [undefined, 'ask'],
        ['block', 'not there'],
      ],
    },
    [`${PREFIX}.toolQualityThreshold`]: {
      effect: () => markOf(probe, 'read'),
      shows: [
        [undefined, 'no mark'],
        [100, 'quality'],
        [0, 'no mark'],
      ],
    },
    [`${PREFIX}.toolExposure`]: {
      effect: async () => native().includes('mcp__probe__read'),
      shows: [
        ['search', false],
        ['native', true],
        ['summaries', false],
      ],
    },
    [`${PREFIX}.alwaysLoadTools`]: {
      with: () => none,
      effect: () => native().filter((name) => name.startsWith('mcp__probe__')),
      shows: [
        [[], []],
        [['probe/re*'], ['mcp__probe__read']],
      ],
    },
    [`${PREFIX}.searchOnlyTools`]: {
      with: () => ({ ...none, [`${PREFIX}.alwaysLoadTools`]: ['probe/re*'] }),
      effect: () => native().filter((name) => name.startsWith('mcp__probe__')),
      shows: [
        [[], ['mcp__probe__read']],
        [['probe/read'], []],
      ],
    },
    [`${PREFIX}.gateway.enabled`]: {
      with: () => ({ ...none, [`${PREFIX}.alwaysLoadTools`]: ['probe/read'] }),
      effect: () => canCallNatively('mcp__probe__read'),
      shows: [
        [undefined, true],
        [false, false],
      ],
    },
    [`${PREFIX}.loadFoundTools`]: {
      with: () => none,
      effect: async () => {
        await found('mcp__probe__read');
        return native().includes('mcp__probe__read');
      },
      shows: [
        [undefined, false],
        [true, true],
      ],
    },
    [`${PREFIX}.maxLoadedTools`]: {
      with: () => ({ ...none, [`${PREFIX}.loadFoundTools`]: true }),
      effect: async () => {
        for (const tool of ['long', 'read']) await probe.call(tool);
        return native().filter((name) => name.startsWith('mcp__probe__'));
      },
      shows: [
        [1, ['mcp__probe__read']],
        [undefined, ['mcp__probe__long', 'mcp__probe__read']],
      ],
    },
    // Last: the endpoint has another address with each name, and the editor knows that a moment later.
    [`${PREFIX}.toolNameFormat`]: {
      effect: async () => (await found('read page margins'))[0]?.name,
      shows: [
        [undefined, 'mcp__probe__read'],
        ['{server}__{tool}', 'probe__read'],
      ],
    },
  };
}

interface Found {
  readonly name: string;
  readonly summary: string;
  readonly inputSchema?: object;
}

async function found(query: string): Promise<readonly Found[]> {
  return (JSON.parse(await invoke('mcp_tool_search', { query, server: 'probe' })) as { tools: readonly Found[] }).tools;
}

/** Tools of ours in the agent's own list. */
function native(): readonly string[] {
  return vscode.lm.tools.flatMap(({ name }) => (name.startsWith('mcp__') ? [name] : [])).sort();
}

/** Waits for what the editor can call: extensions of an older one go on seeing the last tool of a list that was emptied. */
async function canCallNatively(name: string): Promise<boolean> {
  return invoke(name, {}).then(
    () => true,
    () => false,
  );
}

/** While the server says something else of a tool than when it was approved. */
async function withChangedTool<T>(probe: Probe, body: () => Promise<T>): Promise<T> {
  const { server } = probe;
  const { host } = await exportsOf();
  const id = await probe.id('probe');
  const relisted = async (tools: readonly object[]): Promise<void> => {
    const before = host.pool.get(id)?.tools;
    server.tools = tools;
    server.notify('notifications/tools/list_changed');
    await eventually('it was listed anew', () => host.pool.get(id)?.tools !== before);
  };
  await relisted(TOOLS.map((tool) => ({ ...tool, description: 'Reads a page, and more than that now.' })));
  try {
    return await body();
  } finally {
    await relisted(TOOLS);
  }
}

/** What the tree has beside a tool when the editor reads it, which it does where the tree says that something changed. */
async function markOf(probe: Probe, name: string): Promise<string> {
  const node = (await toolNodesUnder(await probe.id('probe'))).find(({ tool }) => tool.tool.name === name);
  const item = node && (await itemOf(node));
  return /quality/.exec(String(item?.description))?.[0] ?? 'no mark';
}
