// Runs in the extension host: how long a tool that joins the agent's list takes until the editor has it.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';

const LIMIT_MS = 10_000;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const { host } = await extension.activate();
  await host.start();
  await until('the server is connected', () => host.catalog.tools.length > 0);
  const [first, ...others] = host.catalog.tools.slice(0, 12);
  host.loaded.load(first ? [first.name] : []);
  // What is published is known to the editor a moment later, and then has to be started once.
  for (let tries = 0; tries < 30 && !vscode.lm.tools.some(({ name }) => name === first?.name); tries += 1) {
    await vscode.commands.executeCommand('workbench.mcp.startServer', '*');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const times: number[] = [];
  for (const { name } of others) {
    const began = performance.now();
    host.loaded.load([name]);
    await until(`the editor has ${name}`, () => vscode.lm.tools.some((tool) => tool.name === name));
    times.push(performance.now() - began);
  }
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(times));
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not within ${LIMIT_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
