import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ServerView } from '../../../src/host/views/serverView.ts';
import { eventually, exportsOf, invoke } from '../support.ts';
import { ScriptedServer } from './scriptedServer.ts';
import { setting } from './checks.ts';

/** Where the servers of the probe are defined. */
export const SERVER_SETTING = 'mcpSwitchboard.servers';

/** The servers that the checks look at: one of HTTP that answers as they say, under several names where they want. */
export class Probe {
  readonly server = new ScriptedServer();
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'switchboard-settings-'));

  /** What `mcpSwitchboard.servers` is: the one named `probe`, and more. */
  servers(more: Readonly<Record<string, object>> = {}): object {
    return { probe: { type: 'http', url: this.server.url() }, ...more };
  }

  /** An entry of the same server under a path of its own. */
  entry(name: string, more: object = {}): object {
    return { type: 'http', url: this.server.url(name), ...more };
  }

  async open(): Promise<void> {
    await this.server.start();
    await setting(SERVER_SETTING, this.servers());
    await this.state('probe', 'connected');
  }

  async close(): Promise<void> {
    await setting(SERVER_SETTING, undefined);
    await eventually('the servers are gone', async () => !(await this.find('probe')));
    await this.server.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  file(name: string, text = ''): string {
    const file = path.join(this.folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  async find(name: string): Promise<ServerView | undefined> {
    const { host } = await exportsOf();
    return host.views.find(({ definition }) => definition.name === name);
  }

  async id(name: string): Promise<string> {
    return (await this.find(name))?.definition.id ?? assert.fail(`there is no server ${name}`);
  }

  /** Waits until a server is in a state. */
  async state(name: string, kind: string): Promise<ServerView> {
    return eventually(`${name} is ${kind}`, async () => {
      const view = await this.find(name);
      return view?.state.kind === kind && view;
    });
  }

  /** Adds servers of these entries, and takes them away afterwards: those that weren't there before. */
  async beside<T>(more: Readonly<Record<string, object>>, body: () => Promise<T>): Promise<T> {
    const { host } = await exportsOf();
    const before = vscode.workspace.getConfiguration().get(SERVER_SETTING);
    const names = new Set(host.views.map(({ definition }) => definition.name));
    const added = Object.keys(more).filter((name) => !names.has(name));
    await setting(SERVER_SETTING, this.servers(more));
    try {
      for (const name of added) await eventually(`${name} is there`, () => this.find(name));
      return await body();
    } finally {
      await setting(SERVER_SETTING, before);
      for (const name of added) await eventually(`${name} is gone`, async () => !(await this.find(name)));
    }
  }

  /** Runs `body` while the server answers a method in another way. */
  async answering<T>(
    method: string,
    answer: (path: string, params: Readonly<Record<string, unknown>>) => unknown,
    body: () => Promise<T>,
  ): Promise<T> {
    this.server.answers.set(method, answer);
    try {
      return await body();
    } finally {
      this.server.answers.delete(method);
    }
  }

  /** Closes each question until `pending` settles: from here, there is no way to see whether one is open. */
  async unanswered<T>(pending: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = pending.finally(() => (isSettled = true));
    await eventually('it is answered', async () => {
      if (!isSettled) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isSettled;
    });
    return settled;
  }

  /** Calls a tool as the agent does, denies where that asks, and gives what the agent gets. */
  call(tool: string, args: object = {}): Promise<string> {
    const answer = invoke('mcp_call_tool', { name: `mcp__probe__${tool}`, arguments: args });
    return this.unanswered(answer.catch((error: Error) => error.message));
  }

  /** Calls a tool and gives how it was decided: `allow`, `ask` or `deny`. */
  async decision(tool: string): Promise<string | undefined> {
    await this.call(tool);
    const { host } = await exportsOf();
    return host.calls.history.entries.at(-1)?.decision?.action;
  }
}

/** A time that a message names, in words. */
export function timeIn(text: string | undefined): string | undefined {
  return /within ([\d.]+ m?s)/.exec(text ?? '')?.[1];
}
