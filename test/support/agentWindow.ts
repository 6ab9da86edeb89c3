import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  chatButton,
  enableAgent,
  launchBrowser,
  newPage,
  openWorkbench,
  sendChat,
  waitForModel,
} from '../../scripts/lib/browser.mjs';
import { startEditor, type RunningEditor } from '../../scripts/lib/editor.mjs';
import { currentEditor, ensureEditor } from '../../scripts/lib/install-editor.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { scratchWorkspace } from '../../scripts/lib/workspace.mjs';

/** One step of the scripted model; a turn ends with a text. */
export type Step =
  | { readonly call: ScriptedCall }
  /** Several in one step. */
  | { readonly calls: readonly ScriptedCall[] }
  | { readonly text: string }
  /** Answers requests that aren't the agent's, by how many results they have; `waits`: until they are cancelled. */
  | { readonly sampled: { readonly text?: string; readonly calls?: readonly ScriptedCall[]; readonly waits?: true } };

export interface ScriptedCall {
  readonly name: string;
  readonly input: object;
}

/** What the model was sent in one request. */
export interface ModelRequest {
  readonly offered: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
  readonly results: readonly { readonly text: string; readonly data: readonly string[] }[];
  readonly prompt: string;
  /** Types of images in the message. */
  readonly data: readonly string[];
  /** And their sizes in bytes. */
  readonly sizes: readonly number[];
  /** The editor cancelled the request before it was answered. */
  readonly cancelled?: true;
  /** How many results of earlier turns went along. */
  readonly earlierResults: number;
  /** The text of every message, the agent's own instructions first. */
  readonly messages: readonly string[];
  readonly modelOptions?: object;
}

export interface AgentWindowOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trust?: boolean;
  /** Changes the scratch copy of the demo before it is opened. */
  readonly prepare?: (folder: string) => void;
  /** The extension's folder; the repository when absent. */
  readonly extension?: string;
  /** Folders of further extensions. */
  readonly link?: readonly string[];
}

const screenshots = join(root, 'out', 'screenshots');

/** A real editor with its real agent on a copy of the demo, driven as a person would. */
export class AgentWindow {
  readonly page: Page;
  readonly folder: string;
  readonly editor: RunningEditor;
  readonly #browser: Browser;
  readonly #scratch: string;
  readonly #removeFolder: () => void;

  private constructor(parts: {
    page: Page;
    folder: string;
    editor: RunningEditor;
    browser: Browser;
    scratch: string;
    removeFolder: () => void;
  }) {
    this.page = parts.page;
    this.folder = parts.folder;
    this.editor = parts.editor;
    this.#browser = parts.browser;
    this.#scratch = parts.scratch;
    this.#removeFolder = parts.removeFolder;
  }

  static async open(options: AgentWindowOptions = {}): Promise<AgentWindow> {
    const workspace = scratchWorkspace('agent');
    options.prepare?.(workspace.path);
    const scratch = mkdtempSync(join(tmpdir(), 'switchboard-agent-'));
    const editor = await startEditor({
      editor: await ensureEditor(currentEditor),
      install: [join(root, 'scripts', 'demo-model')],
      link: [options.extension ?? root, ...(options.link ?? [])],
      trust: options.trust ?? false,
      settings: options.settings ?? {},
      env: {
        MCP_SWITCHBOARD_SCRIPT: join(scratch, 'script.json'),
        MCP_SWITCHBOARD_SCRIPT_LOG: join(scratch, 'log.jsonl'),
      },
    });
    const browser = await launchBrowser();
    const page = await newPage(browser);
    const window = new AgentWindow({
      page,
      folder: workspace.path,
      editor,
      browser,
      scratch,
      removeFolder: () => workspace.remove(),
    });
    try {
      await enableAgent(page);
      await openWorkbench(page, editor.url(workspace.path));
    } catch (error) {
      await window.close();
      throw error;
    }
    return window;
  }

  /** The newcomer's way: the notification, the list of what will run, yes. */
  async hostWithSwitchboard(connected = '4/4'): Promise<void> {
    await this.notificationButton('Host with Switchboard').click();
    await this.screenshot('what-will-run');
    await this.dialogButton('Approve and Start').click();
    await this.showTree();
    await this.page.getByText(`MCP ${connected}`).first().waitFor({ timeout: 60_000 });
  }

  /** By its title in the palette. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.page.keyboard.type(title);
    await this.page.waitForTimeout(500);
    await this.page.keyboard.press('Enter');
  }

  async showTree(): Promise<void> {
    const row = this.page.locator('.sidebar .monaco-list-row[aria-label^="MCP server"]').first();
    if (await row.isVisible()) return;
    await this.page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click();
    await row.waitFor();
  }

  treeRow(text: string): Locator {
    return this.page.locator('.sidebar .monaco-list-row', { hasText: text });
  }

  notificationButton(label: string): Locator {
    return this.page.locator('.notification-toast .monaco-button', { hasText: label });
  }

  dialogButton(label: string): Locator {
    return this.page.locator('.monaco-dialog-box .monaco-button', { hasText: label });
  }

  /** A button of the chat's question card. */
  cardButton(label: string): Locator {
    return chatButton(this.page, label).first();
  }

  /** An answer in the quick pick. */
  pickRow(label: string): Locator {
    return this.page.locator('.quick-input-widget .monaco-list-row', { hasText: label }).first();
  }

  /** Puts other steps in place of those of the turn under way; those that are done have to stay the same. */
  script(...steps: readonly Step[]): void {
    this.#writeScript(steps);
  }

  /** Steps for each of several conversations, told apart by a text in their prompts. */
  scriptByPrompt(prompts: Readonly<Record<string, readonly Step[]>>): void {
    this.#writeScript({ prompts });
  }

  #writeScript(script: unknown): void {
    writeFileSync(join(this.#scratch, 'script.json'), JSON.stringify(script));
  }

  /** What the model can do from now on. */
  capabilities(capabilities: { readonly toolCalling?: boolean; readonly imageInput?: boolean }): void {
    writeFileSync(join(this.#scratch, 'script.json.capabilities'), JSON.stringify(capabilities));
  }

  /** Sends a message that the model answers with `steps`, and resolves at once: questions may come up meanwhile. */
  async send(...steps: readonly Step[]): Promise<void> {
    this.script(...steps);
    await this.say('go');
  }

  /** Sends a message as it is. */
  async say(text: string): Promise<void> {
    await waitForModel(this.page, 'Demo', { timeoutMs: 90_000 });
    await sendChat(this.page, text);
  }

  /** Waits for the text that ends a turn, and gives the last request that the model was sent. */
  async turnEnded(text: string): Promise<ModelRequest> {
    const answer = this.page.locator('.interactive-session .interactive-response:visible', { hasText: text });
    await answer.first().waitFor({ timeout: 60_000 });
    const last = this.requests().at(-1);
    assert.ok(last, 'the model was asked');
    return last;
  }

  requests(): readonly ModelRequest[] {
    const file = join(this.#scratch, 'log.jsonl');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line) as ModelRequest);
  }

  /** Titles of the notes that are on disk now. */
  notes(): readonly string[] {
    return readdirSync(join(this.folder, '.data', 'notes'));
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** How many processes each of the demo's servers has now, wrappers not counted. */
  serverProcesses(): Record<string, number> {
    const names = ['mcp-server-everything', 'mcp-server-filesystem', 'mcp-server-memory', 'mcp-switchboard-notes'];
    const commands = this.editor.processes().map(({ command }) => command);
    return Object.fromEntries(
      names.map((name) => [
        name,
        commands.filter((command) => new RegExp(`node \\S*/${name}\\b`).test(command)).length,
      ]),
    );
  }

  /** Ends everything. Fails where a process is left behind. */
  async close(): Promise<void> {
    await this.#browser.close();
    const left = await this.editor.stop();
    this.#removeFolder();
    rmSync(this.#scratch, { recursive: true, force: true });
    assert.deepEqual(left, [], 'no process is left behind');
  }
}
