// Runs in the extension host: an echo tool through mcp_call_tool, natively through the gateway, and through the editor's own
// MCP, over stdio and over Streamable HTTP, in turn; and what can't be done without: an empty tool, a tool that asks the server by a
// hand-written client, and the editor's own MCP through a process that forwards to the server and checks nothing.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { EMPTY_TOOL, RAW_TOOL } from './floorTools.ts';

const OURS = 'mcp__echo__echo';
/** What the editor calls the tool of its own connections, by what the server says that it is called. */
const BUILT_IN = 'mcp_echo_echo';
const BUILT_IN_HTTP = 'mcp_echohttp_echo';
const FORWARDED = 'mcp_forwarded_echo';
const BLOCK = 10;

export async function run(): Promise<void> {
  const calls = Number(process.env['SWITCHBOARD_BENCH_CALLS'] ?? 300);
  await vscode.extensions.getExtension('mcp-switchboard.mcp-switchboard')?.activate();
  await eventually(async () => {
    await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    const names = vscode.lm.tools.map(({ name }) => name);
    return (
      [OURS, BUILT_IN, BUILT_IN_HTTP, FORWARDED, EMPTY_TOOL, RAW_TOOL].every((name) => names.includes(name)) ||
      undefined
    );
  });
  await eventually(async () => (await invoke('mcp_tool_list', {})).includes(OURS) || undefined);
  const sides: Record<string, () => Promise<string>> = {
    ours: () => invoke('mcp_call_tool', { name: OURS, arguments: { text: 'hello' } }),
    gateway: () => invoke(OURS, { text: 'hello' }),
    builtIn: () => invoke(BUILT_IN, { text: 'hello' }),
    builtInHttp: () => invoke(BUILT_IN_HTTP, { text: 'hello' }),
    forwarded: () => invoke(FORWARDED, { text: 'hello' }),
    raw: () => invoke(RAW_TOOL, { text: 'hello' }),
    // The editor's own cost of an extension's tool, which is one round trip more than a built-in's.
    empty: async () => `${await invoke(EMPTY_TOOL, { text: 'hello' })} hello`,
  };
  const times = Object.fromEntries(Object.keys(sides).map((side): [string, number[]] => [side, []]));
  const order = Object.entries(sides);
  for (let done = -2 * BLOCK; done < calls; done += BLOCK) {
    for (const [side, call] of (done / BLOCK) % 2 === 0 ? order : order.toReversed()) {
      for (let index = 0; index < BLOCK; index++) {
        const began = performance.now();
        if (!(await call()).includes('hello')) throw new Error(`${side} did not answer`);
        // The first blocks warm up.
        if (done >= 0) times[side]?.push(performance.now() - began);
      }
    }
  }
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(times));
}

async function invoke(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

async function eventually<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('not there within 30 s');
}
