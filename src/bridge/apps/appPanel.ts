// Loaded with the first app.
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { oneLine, showInvisible } from '../../base/text/showInvisible.ts';
import type { CallOutcome } from '../../calls/callTypes.ts';
import { protocolResult } from '../../calls/results/protocolResult.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import { appUriOf } from '../../catalog/toolApp.ts';
import type { Host } from '../../host/host.ts';
import { localized } from '../text/localized.ts';
import { notify } from '../dialogs/showNotification.ts';
import { sitesOf } from './appCsp.ts';
import { appHtml } from './appHtml.ts';
import type { AppWords, ToAppView } from './appMessages.ts';
import { AppLimits } from './appLimits.ts';
import { AppQuestions } from './appQuestions.ts';
import { readApp, type AppResource } from './appResource.ts';
import { AppServer } from './appServer.ts';
import { AppSession } from './appSession.ts';

const { t } = vscode.l10n;
const VIEW_TYPE = 'mcpSwitchboard.app';
const EXTENSION_ID = 'mcp-switchboard.mcp-switchboard';
/** What is shown of a result as text, in characters. */
const MAX_TEXT = 100_000;

/** A call whose result an app draws. */
export interface DrawnCall {
  readonly tool: CatalogTool;
  readonly args: JsonObject;
  readonly outcome: CallOutcome;
}

const panels = new Map<string, AppPanel>();

/** Draws a result in the tab of the tool's app, which is opened beside what there is, without the focus. Never rejects. */
export async function drawApp(host: Host, call: DrawnCall): Promise<void> {
  const { serverId, name } = call.tool;
  const key = `${serverId} ${name}`;
  try {
    const panel = panels.get(key) ?? new AppPanel(host, call.tool, () => panels.delete(key));
    panels.set(key, panel);
    await panel.draw(call);
  } catch (error) {
    void notify('error', messageOf(error));
  }
}

class AppPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #host: Host;
  readonly #limits = new AppLimits();
  readonly #user: AppQuestions;
  #opening = new AbortController();
  #call: DrawnCall | undefined;
  /** As it was when the page was read. */
  #server: AppServer | undefined;
  #app: AppResource | undefined;
  #error: unknown;
  #version = '';
  #session: AppSession | undefined;
  #mayWriteClipboard = false;
  #context: JsonObject = {};

  constructor(host: Host, tool: CatalogTool, closed: () => void) {
    this.#host = host;
    this.#user = new AppQuestions(tool.serverName, () => this.#panel.visible);
    this.#panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      oneLine(tool.tool.title ?? tool.tool.name),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      // An app has a state of its own, which would be gone with each change of tabs.
      { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true },
    );
    this.#panel.webview.onDidReceiveMessage((message: unknown) => this.#take(message));
    this.#panel.onDidDispose(() => {
      closed();
      this.#opening.abort();
      this.#endSession();
    });
  }

  #endSession(): void {
    this.#session?.dispose();
    this.#session = undefined;
  }

  /** Reads the page anew: it may be another one by now. */
  async draw(call: DrawnCall): Promise<void> {
    this.#opening.abort();
    const opening = new AbortController();
    this.#opening = opening;
    const { tool } = call;
    const server = new AppServer(this.#host, tool, this.#limits);
    let app: AppResource | undefined;
    let failure: unknown;
    try {
      app = await readApp(server, appUriOf(tool.tool) ?? '', opening.signal);
    } catch (error) {
      failure = error;
    }
    if (opening.signal.aborted) return;
    this.#call = call;
    this.#server = server;
    this.#app = app;
    this.#error = failure;
    this.#mayWriteClipboard = false;
    await this.#load();
  }

  /** The document says that it is ready; with it, the app begins. */
  async #load(): Promise<void> {
    const { signal: opening } = this.#opening;
    await this.#session?.end();
    if (opening.aborted) return;
    this.#endSession();
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    if (!extension) return;
    const dist = (name: string): Promise<string> =>
      readFile(vscode.Uri.joinPath(extension.extensionUri, 'dist', name).fsPath, 'utf8');
    this.#version = (extension.packageJSON as { readonly version: string }).version;
    const [script, style] = await Promise.all([dist('appView.js'), dist('app.css')]);
    // Closed meanwhile, or drawn anew.
    if (opening.aborted) return;
    const nothing = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
    const html = appHtml({ language: vscode.env.language, csp: this.#app?.csp ?? nothing, style, script });
    // The same text again would not load it anew.
    this.#panel.webview.html = '';
    this.#panel.webview.html = html;
  }

  #take(message: unknown): void {
    if (!isRecord(message)) return;
    const { type, context } = message;
    if (type === 'ready') this.#begin();
    if (type === 'rpc') this.#session?.take(message['message']);
    if (type === 'gone') this.#endSession();
    if (type === 'permit' && this.#app?.wantsClipboard) {
      this.#mayWriteClipboard = true;
      this.#load().catch((error: unknown) => void notify('error', messageOf(error)));
    }
    if (type === 'context' && isRecord(context)) {
      this.#context = context as JsonObject;
      this.#session?.setContext(this.#context);
    }
  }

  #begin(): void {
    const call = this.#call;
    const server = this.#server;
    if (!call || !server) return;
    const { tool, args, outcome } = call;
    const { parts, whole, meta } = outcome;
    this.#endSession();
    this.#post(this.#about(call));
    if (!this.#app) {
      const why = this.#error instanceof Error ? localized(messageOf(this.#error)) : '';
      return this.#post({ type: 'failed', why: t('The app can’t be shown. {0}', showInvisible(why)) });
    }
    const { html, csp } = this.#app;
    this.#session = new AppSession({
      hostInfo: { name: 'mcp-switchboard', version: this.#version },
      csp,
      mayWriteClipboard: this.#mayWriteClipboard,
      args,
      result: protocolResult({ parts: whole ?? parts, ...(meta ? { meta } : {}) }),
      always: { locale: vscode.env.language, toolInfo: { tool: toolOf(tool) } },
      context: this.#context,
      server,
      user: this.#user,
      view: {
        post: (message) => this.#post({ type: 'rpc', message }),
        started: () => this.#post({ type: 'started' }),
        setHeight: (height) => this.#post({ type: 'height', height }),
        setMode: (mode) => this.#post({ type: 'mode', mode }),
      },
    });
    const title = t('App of {0} on {1}', oneLine(tool.tool.title ?? tool.tool.name), oneLine(tool.serverName));
    this.#post({ type: 'open', html, title, allow: this.#mayWriteClipboard ? 'clipboard-write' : '' });
  }

  #about({ tool, outcome }: DrawnCall): ToAppView {
    const heading = t('App of {0} on {1}', oneLine(tool.tool.title ?? tool.tool.name), oneLine(tool.serverName));
    const texts = outcome.parts.map((part) => (part.kind === 'text' ? part.text : `(${part.mimeType})`));
    return {
      type: 'about',
      heading,
      notes: this.#app ? notesOf(this.#app) : [],
      ...(this.#app?.wantsClipboard && !this.#mayWriteClipboard ? { permit: t('Allow Writing to the Clipboard') } : {}),
      resultLabel: t('Result as text'),
      result: showInvisible(texts.join('\n').slice(0, MAX_TEXT)),
      words: wordsOf(),
    };
  }

  #post(message: ToAppView): void {
    // A tab that is closed takes none.
    this.#panel.webview.postMessage(message).then(undefined, () => undefined);
  }
}

/** The tool as its app is told of it. */
function toolOf({ tool: { name, title, description, inputSchema } }: CatalogTool): JsonObject {
  return {
    name,
    inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

/** What the app can reach, and what it asked for and doesn't get. */
function notesOf({ csp, neverPermitted }: AppResource): readonly string[] {
  const sites = sitesOf(csp);
  return [
    ...(sites.length > 0 ? [t('The app can send what it is shown to: {0}', sites.join(', '))] : []),
    ...(neverPermitted.length > 0
      ? [t('The app asks for {0}, which the editor gives no webview.', neverPermitted.join(', '))]
      : []),
  ];
}

function wordsOf(): AppWords {
  return {
    silent: t('The app hasn’t started. Its result is below, as text.'),
    flood: t('The app was closed: it sent too many messages.'),
    large: t('The app was closed: it sent a message that is too large.'),
    left: t('The app was closed: it left its page.'),
    focus: t('The app was closed: it took the focus without a click or a key.'),
  };
}
