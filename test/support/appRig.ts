import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { launchBrowser } from '../../scripts/lib/browser.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { deferred } from '../../src/base/async.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { readCsp } from '../../src/bridge/apps/appCsp.ts';
import { appHtml } from '../../src/bridge/apps/appHtml.ts';
import type { AppWords, FromAppView, ToAppView } from '../../src/bridge/apps/appMessages.ts';
import { readApp } from '../../src/bridge/apps/appResource.ts';
import { AppLimits } from '../../src/bridge/apps/appLimits.ts';
import { AppServer } from '../../src/bridge/apps/appServer.ts';
import { AppSession, type AppUser } from '../../src/bridge/apps/appSession.ts';
import type { Asker, Question, Reply } from '../../src/calls/callTypes.ts';
import { protocolResult } from '../../src/calls/results/protocolResult.ts';
import { appUriOf } from '../../src/catalog/toolApp.ts';
import { eventually } from './eventually.ts';
import { TestHost, type TestHostOptions } from './testHost.ts';

/** What the words of the document around an app are here. */
export const WORDS: AppWords = { silent: 'silent', flood: 'flood', large: 'large', left: 'left', focus: 'focus' };

/** Tools and page of test/fixtures/servers/appTools.ts, hosted. */
export class AppRig {
  readonly test: TestHost;
  readonly #file: (name: string) => string;

  constructor(options: Omit<TestHostOptions, 'folder'> = {}) {
    this.test = new TestHost(options);
    this.#file = (name) => path.join(this.test.folder, name);
  }

  async start(): Promise<void> {
    this.setPage('<p>empty');
    const fixture = path.join(root, 'test/fixtures/servers/appTools.ts');
    const tools = { command: process.execPath, args: [fixture, this.#file('page.html'), this.#file('meta.json')] };
    writeFileSync(this.#file('.mcp.json'), JSON.stringify({ mcpServers: { tools } }));
    await this.test.host.start();
    await this.test.approveAll();
  }

  /** Gives the server another definition under the same name, which is approved. */
  async redefine(): Promise<void> {
    const file = this.#file('.mcp.json');
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: { tools: object } };
    const tools = { ...mcpServers.tools, env: { ANOTHER: 'definition' } };
    writeFileSync(file, JSON.stringify({ mcpServers: { tools } }));
    const { host } = this.test;
    await host.config.reload();
    await this.test.until(() => host.views[0]?.definition.status.kind === 'needs-approval');
    await this.test.approveAll();
    await this.test.until(() => host.catalog.find('mcp__tools__show') !== undefined);
  }

  /** What the server's page is from now on. @param ui what it declares, as `_meta.ui` @param more see the server */
  setPage(html: string, ui: object = {}, more: object = {}): void {
    writeFileSync(this.#file('page.html'), html);
    writeFileSync(this.#file('meta.json'), JSON.stringify({ ui, ...more }));
  }

  /** What the app of a tool gets of its server. @param limits of its tab; absent: a new one */
  serverOf(tool = 'show', limits = new AppLimits()): AppServer {
    return new AppServer(this.test.host, this.#tool(tool), limits);
  }

  #tool(name: string): NonNullable<ReturnType<TestHost['host']['catalog']['find']>> {
    const tool = this.test.host.catalog.find(`mcp__tools__${name}`);
    if (!tool) throw new Error(`there is no tool ${name}`);
    return tool;
  }

  /** Reads the page of a tool as it is read to be drawn. */
  read(tool = 'show'): ReturnType<typeof readApp> {
    return readApp(this.serverOf(tool), appUriOf(this.#tool(tool).tool) ?? '', new AbortController().signal);
  }

  stop(): Promise<void> {
    return this.test.stop();
  }
}

/** A user who answers when the test lets them. */
export class HeldAnswers implements Asker {
  readonly questions: Question[] = [];
  readonly #answer = deferred<Reply>();

  ask(question: Question): Promise<Reply> {
    this.questions.push(question);
    return this.#answer.promise;
  }

  release(answer: Reply): void {
    this.#answer.resolve(answer);
  }
}

/** A session of the app of `show` that is only spoken to. @param told what it is sent @param begins whether it makes its handshake */
export function sessionOf(
  rig: AppRig,
  told: JsonObject[],
  begins = true,
): { readonly session: AppSession; readonly say: (message: JsonObject) => void } {
  const session = new AppSession({
    hostInfo: { name: 'test', version: '0' },
    csp: readCsp({}),
    mayWriteClipboard: false,
    args: {},
    result: { content: [] },
    always: {},
    context: {},
    server: rig.serverOf(),
    user: { openLink: async () => false, writeIntoChat: async () => false },
    view: { post: (message) => told.push(message), started: () => {}, setHeight: () => {}, setMode: () => {} },
  });
  const say = (message: JsonObject): void => session.take({ jsonrpc: '2.0', ...message });
  if (!begins) return { session, say };
  const appInfo = { name: 'page', version: '1' };
  say({ id: 0, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} } });
  say({ method: 'ui/notifications/initialized', params: {} });
  return { session, say };
}

/** A frame around a page around the app, as the editor has it: the outer one stands for the editor. */
export class AppBrowser {
  readonly #browser: Browser;
  readonly #server: Server;
  readonly #pages: Page[] = [];
  #outer = '';
  /** Requests for anything but the two documents. */
  readonly requested: string[] = [];

  private constructor(browser: Browser, server: Server) {
    this.#browser = browser;
    this.#server = server;
  }

  static async launch(): Promise<AppBrowser> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const opened = new AppBrowser(await launchBrowser(), server);
    server.on('request', ({ url = '' }, response) => {
      const documents: Record<string, string> = {
        '/': '<link rel="icon" href="data:,"><iframe src="/view" width="800" height="600">',
        '/view': opened.#outer,
      };
      if (documents[url] === undefined) opened.requested.push(url);
      response.writeHead(documents[url] === undefined ? 404 : 200, {
        'content-type': 'text/html',
        'access-control-allow-origin': '*',
      });
      response.end(documents[url]);
    });
    return opened;
  }

  /** Where the two documents are, and everything that is asked for is noted. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Draws the page of `show` with a session of its own. */
  async draw(rig: AppRig, user: Partial<AppUser> = {}): Promise<DrawnApp> {
    const app = await rig.read();
    const script = `${EDITOR_SCRIPT}${await viewScript()}`;
    this.#outer = appHtml({
      language: 'en',
      csp: app.csp,
      style: readFileSync(path.join(root, 'src/bridge/apps/front/app.css'), 'utf8'),
      script,
    });
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    this.#pages.push(page);
    const drawn = new DrawnApp(page);
    const result = protocolResult(
      await rig.test.host.broker.call({
        name: 'mcp__tools__show',
        args: {},
        surface: 'test',
        signal: new AbortController().signal,
      }),
    );
    await page.clock.install();
    await page.exposeFunction('fromView', (message: FromAppView) => {
      drawn.said.push(message);
      if (message.type === 'rpc') drawn.session?.take(message.message);
      if (message.type === 'context') drawn.session?.setContext(message.context as JsonObject);
      if (message.type !== 'ready') return;
      drawn.session = new AppSession({
        hostInfo: { name: 'test', version: '0' },
        csp: app.csp,
        mayWriteClipboard: false,
        args: { of: 'show' },
        result,
        always: { toolInfo: { tool: { name: 'show', inputSchema: { type: 'object' } } } },
        context: {},
        server: rig.serverOf(),
        user: { openLink: async () => false, writeIntoChat: async () => false, ...user },
        view: {
          post: (rpc) => drawn.tell({ type: 'rpc', message: rpc }),
          started: () => drawn.tell({ type: 'started' }),
          setHeight: (height) => drawn.tell({ type: 'height', height }),
          setMode: (mode) => drawn.tell({ type: 'mode', mode }),
        },
      });
      drawn.tell({ type: 'about', heading: 'App', notes: [], resultLabel: 'Result', result: 'as text', words: WORDS });
      drawn.tell({ type: 'open', html: app.html, title: 'App', allow: '' });
    });
    await page.addInitScript(() => {
      const { window } = globalThis as unknown as Outer;
      if (window !== window.top) return;
      window.addEventListener('message', ({ data, source }) => {
        const { document } = window;
        if (source === document.querySelector('iframe')?.contentWindow && data?.view) void window.fromView(data.view);
        else window.strange = [...(window.strange ?? []), data];
      });
    });
    await page.goto(this.origin);
    return drawn;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

interface Outer {
  readonly window: {
    readonly top: unknown;
    readonly document: { querySelector(selector: string): { readonly contentWindow: unknown } | null };
    addEventListener(type: 'message', listener: (event: { data?: { view?: unknown }; source: unknown }) => void): void;
    fromView(message: unknown): Promise<void>;
    strange?: unknown[];
  };
}

/** An app that a browser draws. */
export class DrawnApp {
  readonly page: Page;
  /** What the document around the app said. */
  readonly said: FromAppView[] = [];
  session: AppSession | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  tell(message: ToAppView): void {
    const told = this.page.evaluate((data) => {
      const { document } = globalThis as unknown as {
        document: {
          querySelector(selector: string): { contentWindow: { postMessage(data: unknown, origin: string): void } };
        };
      };
      document.querySelector('iframe').contentWindow.postMessage(data, '*');
    }, message);
    // The page may be closed meanwhile.
    told.catch(() => undefined);
  }

  /** The document around the app. */
  get view(): Frame {
    return this.page.frames()[1]!;
  }

  /** The app's own frame, once it is there. */
  async app(): Promise<Frame> {
    await eventually('a frame of the app', () => this.view.childFrames().length === 1);
    return this.view.childFrames()[0]!;
  }

  /** A text that the app has put into the element of an id. */
  async text(id: string): Promise<string> {
    const place = (await this.app()).locator(`#${id}`);
    await eventually(id, async () => (await place.count()) > 0);
    return (await place.textContent()) ?? '';
  }

  /** Why the app is gone. */
  async failure(): Promise<string> {
    const status = this.view.locator('#status');
    await eventually('a reason', async () => (await status.textContent()) !== '');
    return (await status.textContent()) ?? '';
  }
}

/** What the editor puts before a webview's own scripts: they have no way to what is around them but this. */
const EDITOR_SCRIPT = `const acquireVsCodeApi = ((up) => () => ({ postMessage: (view) => up.postMessage({ view }, '*') }))(parent);
delete window.parent; delete window.top; delete window.frameElement;
`;

let script: Promise<string> | undefined;

/** What runs in the document around an app, as it is shipped. */
function viewScript(): Promise<string> {
  script ??= (async () => {
    const bundle = await rolldown({ cwd: root, platform: 'browser', input: 'src/bridge/apps/front/appView.ts' });
    const { output } = await bundle.generate({ format: 'iife' });
    await bundle.close();
    return output[0].code;
  })();
  return script;
}

/** What a page of a test begins with: it asks by `ask`, and shows things by `show` in elements that it makes. */
export const PAGE_SCRIPT = `
const waiting = new Map(); let last = 0; const heard = [];
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const ask = (method, params = {}) => new Promise((resolve) => { waiting.set(++last, resolve); send({ id: last, method, params }); });
const show = (id, value) => { const p = document.createElement('p'); p.id = id; p.textContent = typeof value === 'string' ? value : JSON.stringify(value); document.body.append(p); };
addEventListener('message', ({ data }) => {
  if (data?.jsonrpc !== '2.0') return;
  heard.push(data.method ?? data.id);
  if (data.method === 'ui/notifications/tool-result') show('result', data.params);
  if (data.method === 'ui/notifications/tool-input') show('input', data.params);
  if (data.method === undefined) waiting.get(data.id)?.(data.result ?? data.error);
});
const begun = ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'page', version: '1' }, appCapabilities: {} })
  .then((host) => { send({ method: 'ui/notifications/initialized', params: {} }); return host; });
`;

/** @param body runs as an async function in the page, after its handshake; what it gives is shown as `done` */
export function pageThat(body: string, head = ''): string {
  return `<!doctype html><html><head>${head}<title>x</title></head><body><script>${PAGE_SCRIPT}
begun.then(async (host) => { ${body} }).then((value) => show('done', value ?? 'done'), (error) => show('done', 'thrown: ' + error));
</script></body></html>`;
}
