import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { LogLevel, Logger } from '../base/log.ts';

/** Output channels: one for the extension, one per server, created on first use. */
export class Logs implements Disposable {
  readonly #channels = new Map<string, vscode.LogOutputChannel>();

  /** The logger of a server's channel; without a name, of the extension's channel. */
  logger(serverName?: string): Logger {
    return { log: (level, message) => write(this.#channel(serverName), level, message) };
  }

  show(serverName?: string): void {
    this.#channel(serverName).show(true);
  }

  #channel(serverName: string | undefined): vscode.LogOutputChannel {
    const title = serverName === undefined ? 'MCP Switchboard' : `MCP: ${serverName}`;
    let channel = this.#channels.get(title);
    if (!channel) {
      channel = vscode.window.createOutputChannel(title, { log: true });
      this.#channels.set(title, channel);
    }
    return channel;
  }

  dispose(): void {
    for (const channel of this.#channels.values()) channel.dispose();
    this.#channels.clear();
  }
}

function write(channel: vscode.LogOutputChannel, level: LogLevel, message: string): void {
  channel[level === 'warning' ? 'warn' : level](message);
}
