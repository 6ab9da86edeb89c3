import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureInEditor } from '../editor/run.ts';
import type { Variant } from './cases.ts';
import { NotOffered, within, type Definition, type Peer, type Said, type Session } from './peer.ts';

/** What the extension host is told to do with a server, by its name in the workspace's file. */
export type Order =
  | { readonly do: 'start' | 'stop'; readonly server: string }
  | { readonly do: 'call'; readonly server: string; readonly tool: string }
  | { readonly do: 'end' };

/** What it found: `tools` after a start, `said` after a call, `error` where that failed. */
export interface Report {
  readonly tools?: readonly string[];
  readonly said?: Said;
  readonly error?: string;
}

/** The editor's own host of MCP servers, in a window without this extension, that reads all definitions from one file. */
export async function builtIn(variants: readonly Variant[]): Promise<Peer> {
  const orders = new Orders();
  const url = await orders.listen();
  // Short, since the editor cuts the names of tools.
  const names = new Map(variants.map(({ definition }, index): [Definition, string] => [definition, `p${index}`]));
  const extension = mkdtempSync(path.join(tmpdir(), 'switchboard-peers-extension-'));
  const manifest = {
    name: 'peers',
    publisher: 'bench',
    version: '0.0.1',
    engines: { vscode: '^1.106.0' },
    main: 'main.js',
  };
  writeFileSync(path.join(extension, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(extension, 'main.js'), 'exports.activate = () => undefined;');
  const window = measureInEditor<unknown>('builtIn', {
    extension,
    env: { SWITCHBOARD_BENCH_ORDERS: url },
    settings: { 'chat.mcp.autostart': 'never' },
    prepare: (folder) => {
      rmSync(path.join(folder, '.mcp.json'));
      mkdirSync(path.join(folder, '.vscode'), { recursive: true });
      const servers = Object.fromEntries([...names].map(([definition, name]) => [name, definition]));
      writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ servers }));
    },
  });
  const ended = window.then(() => Promise.reject(new Error('the window ended')));
  ended.catch(() => undefined);
  const tell = (order: Order): Promise<Report> => Promise.race([orders.tell(order), ended]);
  return {
    name: 'built-in',
    open: (definition) => BuiltInSession.open(tell, names.get(definition) ?? ''),
    close: async () => {
      void orders.tell({ do: 'end' });
      await window;
      orders.close();
      rmSync(extension, { recursive: true, force: true });
    },
  };
}

class BuiltInSession implements Session {
  readonly #tell: (order: Order) => Promise<Report>;
  readonly #server: string;
  #tools: readonly string[] = [];

  private constructor(tell: (order: Order) => Promise<Report>, server: string) {
    this.#tell = tell;
    this.#server = server;
  }

  static async open(tell: (order: Order) => Promise<Report>, server: string): Promise<BuiltInSession> {
    const session = new BuiltInSession(tell, server);
    await session.#start();
    return session;
  }

  async #start(): Promise<void> {
    const { tools = [], error } = await within(this.#tell({ do: 'start', server: this.#server }), 'the start', 40_000);
    if (error !== undefined) {
      await this.close();
      throw new Error(error);
    }
    this.#tools = tools;
  }

  async tools(): Promise<readonly string[]> {
    return this.#tools;
  }

  async call(tool: string): Promise<Said> {
    const { said, error } = await within(this.#tell({ do: 'call', server: this.#server, tool }), 'the call', 20_000);
    return said ?? { text: '', images: [], error: error ?? 'nothing' };
  }

  list(): Promise<readonly string[]> {
    return Promise.reject(new NotOffered('An extension can’t list what the editor’s own host has.'));
  }

  ping(): Promise<void> {
    return Promise.reject(new NotOffered('An extension can’t have the editor’s own host ping.'));
  }

  async restart(): Promise<void> {
    await this.close();
    await this.#start();
  }

  async close(): Promise<void> {
    await this.#tell({ do: 'stop', server: this.#server });
  }
}

/** Orders that the extension host fetches one by one; with each request it sends the report on the one before. */
class Orders {
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      if (text !== '') this.#reported?.(JSON.parse(text) as Report);
      this.#reported = undefined;
      this.#fetching = response;
      this.#send();
    });
  });
  #waiting: { readonly order: Order; readonly done: (report: Report) => void } | undefined;
  #fetching: ServerResponse | undefined;
  #reported: ((report: Report) => void) | undefined;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  tell(order: Order): Promise<Report> {
    return new Promise((done) => {
      this.#waiting = { order, done };
      this.#send();
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #send(): void {
    if (!this.#waiting || !this.#fetching) return;
    this.#reported = this.#waiting.done;
    this.#fetching.end(JSON.stringify(this.#waiting.order));
    this.#waiting = undefined;
    this.#fetching = undefined;
  }
}
