// Loaded with the first app.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  type McpUiHostContext,
  type McpUiHostCapabilities,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { AppCsp } from './appCsp.ts';
import type { DisplayMode } from './appMessages.ts';
import type { AppServer } from './appServer.ts';

/** What draws an app. */
export interface AppView {
  post(message: JsonObject): void;
  started(): void;
  setHeight(height: number): void;
  setMode(mode: DisplayMode): void;
}

/** What of an app's wishes the user decides about. Each gives whether it was done; the signal aborts when the app is gone. */
export interface AppUser {
  openLink(address: string, signal: AbortSignal): Promise<boolean>;
  writeIntoChat(text: string, signal: AbortSignal): Promise<boolean>;
}

export interface AppSessionOptions {
  readonly hostInfo: { readonly name: string; readonly version: string };
  readonly csp: AppCsp;
  readonly mayWriteClipboard: boolean;
  readonly args: JsonObject;
  /** A `tools/call` result. */
  readonly result: JsonObject;
  /** What the app is told of the host, and stays as it is. */
  readonly always: JsonObject;
  /** What of it changes: theme, colours and size. */
  readonly context: JsonObject;
  readonly server: AppServer;
  readonly view: AppView;
  readonly user: AppUser;
}

/** How often an app may begin its handshake: some begin it twice. Each answer has the tool's whole definition in it. */
const MAX_BEGINNINGS = 5;
/** What an app that is drawn anew gets to put its things away, in milliseconds. */
const TEARDOWN_MS = 500;
const CONTEXT_CHANGED = 'ui/notifications/host-context-changed';
const MODES: readonly DisplayMode[] = ['inline', 'fullscreen'];

/** One app from its handshake on (MCP Apps, 2026-01-26), until it is disposed. */
export class AppSession implements Disposable {
  readonly #options: AppSessionOptions;
  readonly #bridge: AppBridge;
  readonly #link: Link;
  readonly #ending = new AbortController();
  #mode: DisplayMode = 'inline';
  #beginnings = 0;
  #isStarted = false;
  /** Its context changed before it had begun. */
  #hasUntold = false;
  #context: JsonObject;

  constructor(options: AppSessionOptions) {
    this.#options = options;
    this.#context = options.context;
    this.#link = new Link((message) => this.#post(message));
    this.#bridge = new AppBridge(null, options.hostInfo, capabilitiesOf(options), { hostContext: this.#hostContext() });
    this.#serve();
    void this.#bridge.connect(this.#link);
  }

  /** A message of the app, as it came: what isn't one of JSON-RPC is left out by the protocol. */
  take(message: unknown): void {
    if (isRecord(message) && message['method'] === 'ui/initialize' && (this.#beginnings += 1) > MAX_BEGINNINGS) return;
    this.#link.take(message as JSONRPCMessage);
  }

  /** An app that hasn't begun is sent nothing but answers (MCP Apps: *Lifecycle*). */
  #post(message: JsonObject): void {
    const isEarly = !this.#isStarted && message['method'] === CONTEXT_CHANGED;
    if (isEarly) this.#hasUntold = true;
    else this.#options.view.post(message);
  }

  /** Theme, colours and size are others now. */
  setContext(context: JsonObject): void {
    this.#context = context;
    this.#bridge.setHostContext(this.#hostContext());
  }

  #serve(): void {
    const { server, view, user, args, result } = this.#options;
    const bridge = this.#bridge;
    bridge.oninitialized = () => {
      // However often it says so: the result may be large.
      if (this.#isStarted) return;
      this.#isStarted = true;
      view.started();
      if (this.#hasUntold) void bridge.sendHostContextChange(this.#hostContext());
      // The app may be gone meanwhile.
      const sent = bridge.sendToolInput({ arguments: args }).then(() => bridge.sendToolResult(result as never));
      sent.catch(() => undefined);
    };
    bridge.onsizechange = ({ height }) => {
      if (height !== undefined && Number.isFinite(height)) view.setHeight(height);
    };
    bridge.onrequestdisplaymode = async ({ mode }) => {
      this.#mode = MODES.find((each) => each === mode) ?? this.#mode;
      view.setMode(this.#mode);
      bridge.setHostContext(this.#hostContext());
      return { mode: this.#mode };
    };
    /** Requests under one id have one signal in the protocol's implementation: the end of the app ends each of them. */
    const until = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, this.#ending.signal]);
    bridge.onopenlink = async ({ url }, { mcpReq }) => ({ isError: !(await user.openLink(url, until(mcpReq.signal))) });
    bridge.onmessage = async ({ content }, { mcpReq }) => {
      const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      const isText = texts.length === content.length && texts.length > 0;
      return { isError: !isText || !(await user.writeIntoChat(texts.join('\n\n'), until(mcpReq.signal))) };
    };
    bridge.oncalltool = async ({ name, arguments: given }, { mcpReq }) =>
      (await server.call(name, (given ?? {}) as JsonObject, until(mcpReq.signal))) as never;
    bridge.onreadresource = async ({ uri }, { mcpReq }) =>
      (await server.readResource(uri, until(mcpReq.signal))) as never;
    bridge.onlistresources = async (params, { mcpReq }) =>
      (await server.list('resources/list', params?.cursor, until(mcpReq.signal))) as never;
    bridge.onlistresourcetemplates = async (params, { mcpReq }) =>
      (await server.list('resources/templates/list', params?.cursor, until(mcpReq.signal))) as never;
  }

  #hostContext(): McpUiHostContext {
    return {
      ...this.#context,
      ...this.#options.always,
      displayMode: this.#mode,
      availableDisplayModes: [...MODES],
      platform: 'desktop',
    };
  }

  /** Ends an app that something else is drawn in place of, once it has put its things away (MCP Apps: *Cleanup*). Never rejects. */
  async end(): Promise<void> {
    if (this.#isStarted) await this.#bridge.teardownResource({}, { timeout: TEARDOWN_MS }).catch(() => undefined);
    this.dispose();
  }

  dispose(): void {
    this.#ending.abort();
    void this.#bridge.close();
  }
}

/** What is done for apps, and no more: what isn't here is refused with “method not found”. */
function capabilitiesOf({ csp, mayWriteClipboard }: AppSessionOptions): McpUiHostCapabilities {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = csp;
  return {
    openLinks: {},
    serverTools: {},
    serverResources: {},
    message: { text: {} },
    sandbox: {
      csp: {
        connectDomains: [...connectDomains],
        resourceDomains: [...resourceDomains],
        frameDomains: [...frameDomains],
        baseUriDomains: [...baseUriDomains],
      },
      permissions: mayWriteClipboard ? { clipboardWrite: {} } : {},
    },
  };
}

/** Messages to and from the webview; none once it is closed: what is still on its way is of an app that is gone. */
class Link implements Transport {
  readonly #post: (message: JsonObject) => void;
  #isClosed = false;
  onmessage?: Transport['onmessage'];
  onclose?: () => void;

  constructor(post: (message: JsonObject) => void) {
    this.#post = post;
  }

  take(message: JSONRPCMessage): void {
    if (!this.#isClosed) this.onmessage?.(message);
  }

  async start(): Promise<void> {
    // Nothing to wait for: the webview says when it is there.
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#post(message as unknown as JsonObject);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.onclose?.();
  }
}
