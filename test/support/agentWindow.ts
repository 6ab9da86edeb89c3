import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  chatButton,
  enableAgent,
  launchBrowser,
  limitMs,
  newPage,
  openWorkbench,
  sendChat,
  waitForModel,
} from '../../scripts/lib/browser.mjs';
import { startEditor, type RunningEditor } from '../../scripts/lib/editor.mjs';
import { currentEditor, ensureEditor } from '../../scripts/lib/install-editor.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { scratchWorkspace } from '../../scripts/lib/workspace.mjs';
import { enabledServers, serverTrees } from './demoServers.ts';
import { eventually } from './eventually.ts';
import { offeredNames, type ModelRequest, type Step } from './script.ts';

export type { ModelRequest, ScriptedCall, Step } from './script.ts';

export interface AgentWindowOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trust?: boolean;
  /** Changes the scratch copy of the demo before it is opened. */
  readonly prepare?: (folder: string) => void;
  /** The extension's folder; the repository when absent. */
  readonly extension?: string;
  /** Folders of further extensions. */
  readonly link?: readonly string[];
  /** Added to the editor's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** See `EditorOptions`; `managedFile` of the window is its managed file then. */
  readonly ownEtc?: boolean;
}

/**
 * The mouse stays where it clicked last: a hover would lie over the row that is to be clicked next. What moves costs a
 * quarter of a run's time.
 */
const still = {
  'workbench.hover.delay': 3_600_000,
  'workbench.hover.reducedDelay': 3_600_000,
  'editor.cursorBlinking': 'solid',
};

/** Runs in the page: spinners and carets don't make it draw sixty frames a second. */
function stillPage(): void {
  const { document } = globalThis as unknown as { document: StillDocument };
  const add = (): void => {
    const style = document.createElement('style');
    style.textContent = '*, *::before, *::after { animation: none !important; transition: none !important }';
    document.documentElement?.append(style);
  };
  if (document.documentElement) add();
  else document.addEventListener('DOMContentLoaded', add);
}

interface StillDocument {
  readonly documentElement: { append(element: object): void } | null;
  createElement(name: string): { textContent: string };
  addEventListener(name: string, listener: () => void): void;
}

const screenshots = join(root, 'out', 'screenshots');

/** A real editor with its real agent on a copy of the demo, driven as a user would. */
export class AgentWindow {
  #page: Page;
  readonly folder: string;
  readonly editor: RunningEditor;
  readonly #browser: Browser;
  readonly #scratch: string;
  readonly #removeFolder: () => void;
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #changed = new Set<string>();
  #turn = 0;

  private constructor(parts: {
    page: Page;
    folder: string;
    editor: RunningEditor;
    browser: Browser;
    scratch: string;
    removeFolder: () => void;
    settings: Readonly<Record<string, unknown>>;
  }) {
    this.#page = parts.page;
    this.folder = parts.folder;
    this.editor = parts.editor;
    this.#browser = parts.browser;
    this.#scratch = parts.scratch;
    this.#removeFolder = parts.removeFolder;
    this.#settings = parts.settings;
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
      settings: { ...still, ...options.settings },
      ownEtc: options.ownEtc ?? false,
      env: {
        ...options.env,
        MCP_SWITCHBOARD_SCRIPT: join(scratch, 'script.json'),
        MCP_SWITCHBOARD_SCRIPT_LOG: join(scratch, 'log.jsonl'),
      },
    });
    const browser = await launchBrowser();
    const page = await freshPage(browser);
    const window = new AgentWindow({
      page,
      folder: workspace.path,
      editor,
      browser,
      scratch,
      removeFolder: () => workspace.remove(),
      settings: options.settings ?? {},
    });
    try {
      await openWorkbench(page, editor.url(workspace.path));
    } catch (error) {
      await window.close();
      throw error;
    }
    return window;
  }

  get page(): Page {
    return this.#page;
  }

  /** Opens the folder in another browser, as it were: the editor knows nothing there of what was chosen or approved before. */
  async openElsewhere(): Promise<void> {
    await this.#page.context().close();
    this.#page = await freshPage(this.#browser);
    await openWorkbench(this.#page, this.editor.url(this.folder));
  }

  /** What its machine's administrator says of servers; only with `ownEtc`. */
  get managedFile(): string {
    return join(this.editor.dataDir, 'etc', 'mcp-switchboard', 'managed-mcp.json');
  }

  /** The newcomer's way: the notification, the list of what will run, yes. */
  async useSwitchboard(connected = '4/4'): Promise<void> {
    await this.answerNotification('Use Switchboard');
    await this.#approveAll(connected);
  }

  /** *Choose MCP Host…*, then the same. */
  async chooseSwitchboard(connected = '4/4'): Promise<void> {
    await this.pickRow('Use Switchboard…').click();
    await this.#approveAll(connected);
  }

  async #approveAll(connected: string): Promise<void> {
    await this.screenshot('what-will-run');
    await this.approveAndStart();
    await this.showTree();
    await this.page.getByText(`MCP ${connected}`).first().waitFor();
  }

  /** Waits until servers are handed over: each in a list of the editor's own, which closes any other that is open then. */
  async handedOver(names: readonly string[] = enabledServers(this.folder)): Promise<void> {
    await this.until(() => {
      const log = this.log();
      return names.every((name) => log.includes(`own copy of “${name}” is disabled in this workspace`));
    });
  }

  /** What the extension has logged so far. */
  log(): string {
    const logs = join(this.editor.dataDir, 'data', 'logs');
    const files = existsSync(logs) ? readdirSync(logs, { recursive: true, encoding: 'utf8' }) : [];
    return files
      .filter((path) => path.includes('mcp-switchboard') && path.endsWith('MCP Switchboard.log'))
      .map((path) => readFileSync(join(logs, path), 'utf8'))
      .join('');
  }

  /** The yes to what will run, in the list that shows it. */
  async approveAndStart(): Promise<void> {
    await this.pickRow('Approve and Start').click();
  }

  /** What is asked about there, in one line. */
  async whatRuns(): Promise<string> {
    await this.pickRow('Approve and Start').waitFor();
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    const texts = new Map<number, string>();
    // Only the rows that are seen are drawn. The first key only goes to the last of them.
    for (let idle = 0; idle < 2; await this.pressInBox('PageDown')) {
      const known = texts.size;
      const drawn = await rows.evaluateAll((all) =>
        all.map((row) => {
          const own = row.cloneNode(true);
          // It stands with the first row of its part that is seen, which may be in the middle of a text.
          for (const separator of own.querySelectorAll('.quick-input-list-separator')) separator.remove();
          return [Number(row.getAttribute('data-index')), own.textContent ?? ''] as const;
        }),
      );
      for (const [place, text] of drawn) texts.set(place, text);
      idle = texts.size > known ? 0 : idle + 1;
    }
    const all = [...texts].toSorted(([one], [other]) => one - other).map(([, text]) => text);
    await this.until(async () => {
      await this.pressInBox('PageUp');
      // The rows of the answers can be drawn, but under the box.
      return this.page.locator('.quick-input-list .monaco-list-row.focused[data-index="0"]').isVisible();
    });
    return all.join(' ').replaceAll(/\s+/g, ' ');
  }

  /** By its whole title in the palette, which closes when something else takes the focus: then it is opened again. */
  async runCommand(title: string): Promise<void> {
    const row = this.pickRow(title);
    const closed = async (): Promise<boolean> => !(await this.box.isVisible());
    const run = async (): Promise<void> => {
      await this.page.keyboard.press('F1');
      await this.fillBox(`>${title}`, 10_000);
      await this.until(async () => (await row.isVisible()) || (await closed()));
      await row.click({ timeout: 10_000 });
    };
    await this.until(() => succeeds(run()));
  }

  /** One of our commands that act on a server, which they ask for with `question`; again, where that closes unanswered. */
  async runOnServer(title: string, question: string, server: string): Promise<void> {
    await this.runAndAnswer(`MCP Switchboard: ${title}`, async (timeout) => {
      await this.page.getByPlaceholder(question).waitFor({ timeout });
      await this.pickRow(server).click({ timeout });
    });
  }

  /** Runs a command and answers the list that it shows; both again, where that closes before it is answered. */
  async runAndAnswer(title: string, answer: (timeoutMs: number) => Promise<void>): Promise<void> {
    await this.until(async () => {
      await this.runCommand(title);
      return succeeds(answer(20_000));
    });
  }

  async showTree(): Promise<void> {
    const row = this.page.locator('.sidebar .monaco-list-row[aria-label^="MCP server"]').first();
    if (await row.isVisible()) return;
    // A click on the icon of what is shown hides it.
    const title = this.page.locator('.sidebar .title-label', { hasText: 'MCP Switchboard' });
    if (!(await title.isVisible()))
      await this.page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click();
    await row.waitFor();
  }

  /** A server in its view; calls of it in *Activity* name it, too. */
  serverRow(name: string): Locator {
    return this.page.locator(`.sidebar .monaco-list-row[aria-label^="MCP server ${name},"]`);
  }

  /** `state` is another text in the same row. */
  treeRow(text: string, state = ''): Locator {
    return this.page.locator('.sidebar .monaco-list-row', { hasText: text }).filter({ hasText: state });
  }

  /** Opens a row of the tree; a row that is drawn anew in the moment of the click stays closed. */
  async expand(text: string): Promise<void> {
    await this.#open(this.treeRow(text).first());
  }

  /** Opens a server and its tools, which are the first row below it: other servers may be open, too. */
  async expandTools(server: string): Promise<void> {
    const row = this.serverRow(server);
    await this.#open(row);
    const below = Number(await row.getAttribute('data-index')) + 1;
    await this.#open(this.page.locator(`.sidebar .monaco-list-row[aria-label^="Tools"][data-index="${below}"]`));
  }

  async #open(row: Locator): Promise<void> {
    const isOpen = async (): Promise<boolean> => (await row.getAttribute('aria-expanded')) === 'true';
    if (!(await isOpen())) await row.click();
    await this.until(async () => (await isOpen()) || this.page.keyboard.press('ArrowRight').then(isOpen));
  }

  notificationButton(label: string): Locator {
    // On a machine with other work, the editor tells that it forwards many ports, with an Undo of its own.
    const ours = this.page.locator('.notification-toast', { hasNotText: 'Over 20 ports' });
    return ours.locator('.monaco-button', { hasText: label });
  }

  /**
   * Clicks a notification's button. The editor puts what nobody answers at once behind the bell, and what comes while three others are
   * shown.
   */
  async answerNotification(label: string): Promise<void> {
    const toast = this.notificationButton(label).first();
    const inCenter = this.page
      .locator('.notifications-center .notification-list-item', { hasNotText: 'Over 20 ports' })
      .locator('.monaco-button', { hasText: label })
      .first();
    const isAnswered = async (button: Locator): Promise<boolean> =>
      (await button.isVisible()) && succeeds(button.click({ timeout: 5_000 }));
    const bell = this.page.locator('.statusbar [id="status.notifications"]');
    const center = this.page.locator('.notifications-center.visible');
    const bellFrom = Date.now() + 20_000;
    await this.until(async () => {
      if ((await isAnswered(toast)) || (await isAnswered(inCenter))) return true;
      // What comes once they are closed is shown by itself again.
      if (Date.now() > bellFrom && !(await center.isVisible())) await bell.click();
      return false;
    });
    // Others in it keep it open, over the chat.
    if (await center.isVisible()) await bell.click();
  }

  dialogButton(label: string): Locator {
    return this.page.locator('.monaco-dialog-box .monaco-button', { hasText: label });
  }

  /** A button of the chat's question card. */
  cardButton(label: string): Locator {
    return chatButton(this.page, label).first();
  }

  /** The box of the list or question that is open at the top. */
  get box(): Locator {
    return this.page.locator('.quick-input-widget .quick-input-box input').first();
  }

  /** Puts a text in place of what the box has: keys can go elsewhere, where something else takes the focus. */
  async fillBox(text: string, timeoutMs = limitMs): Promise<void> {
    await this.box.fill(text, { timeout: timeoutMs });
  }

  async pressInBox(key: string, timeoutMs = limitMs): Promise<void> {
    await this.box.press(key, { timeout: timeoutMs });
  }

  /** An answer in the quick pick. */
  pickRow(label: string): Locator {
    return this.page.locator('.quick-input-widget .monaco-list-row', { hasText: label }).first();
  }

  /** An answer that the question's card keeps in its menu. */
  async pickFromMenu(label: string): Promise<void> {
    await this.cardButton('Deny').waitFor();
    await this.page.locator('.interactive-session .monaco-dropdown-button:visible').last().click();
    const item = this.page.locator('.context-view .action-item', { hasText: label }).first();
    // By keyboard: a menu takes no click in the moment that it opens.
    await item.hover();
    await this.page.locator('.context-view .action-item.focused', { hasText: label }).waitFor();
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
  }

  /** Chooses what the chat lets the agent do by itself. The editor warns about some, once. */
  async choosePermissions(mode: string): Promise<void> {
    const picker = this.page.locator('.interactive-session .interactive-input-part');
    await picker
      .getByText(/permissions|Allow all|Autopilot/)
      .last()
      .click();
    // By keyboard: a menu takes no click in the moment that it opens.
    const row = this.page.locator('.action-widget .monaco-list-row', { hasText: mode }).first();
    await row.waitFor();
    await this.until(async () => {
      if (/focused/.test((await row.getAttribute('class')) ?? '')) return true;
      await this.page.keyboard.press('ArrowDown');
      return false;
    });
    await this.page.keyboard.press('Enter');
    const enable = this.dialogButton('Enable');
    const chosen = picker.getByText(mode).last();
    await enable.or(chosen).first().waitFor();
    if (await enable.isVisible()) await enable.click();
    await chosen.waitFor();
  }

  /** Changes settings of the user, null for what is the default, and waits until the window has them. */
  changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    for (const name of Object.keys(changes)) this.#changed.add(name);
    return this.#tell('settings', changes);
  }

  /** Takes back what was changed since the window was opened, and changes these. */
  async resetSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const back = [...this.#changed].map((name) => [name, this.#settings[name] ?? null]);
    const all: Readonly<Record<string, unknown>> = { ...Object.fromEntries(back), ...changes };
    if (Object.keys(all).length > 0) await this.changeSettings(all);
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

  /**
   * What the model can do from now on; with `smallerContext` there is a second one, whose context has so many tokens.
   * Resolves when the editor has asked for it.
   */
  async capabilities(capabilities: {
    readonly toolCalling?: boolean;
    readonly imageInput?: boolean;
    readonly smallerContext?: number;
  }): Promise<void> {
    await this.#tell('capabilities', capabilities);
  }

  /** Leaves something for the demo model's extension, and waits until it says that it has taken it. */
  async #tell(what: string, value: object): Promise<void> {
    const file = join(this.#scratch, `script.json.${what}`);
    const text = JSON.stringify(value);
    writeFileSync(file, text);
    const told = `${file}.told`;
    await eventually(`${what} ${text}`, () => existsSync(told) && readFileSync(told, 'utf8') === text, limitMs);
  }

  /**
   * Sends a message that the model answers with `steps` and then with `ending`, and resolves at once: questions may come up
   * meanwhile.
   */
  async send(...steps: readonly Step[]): Promise<void> {
    this.#turn += 1;
    this.script(...steps, { text: this.ending });
    await this.say('go');
  }

  /** The text that ends the turn at hand: each has its own, so that no earlier answer is taken for it. */
  get ending(): string {
    return `end of turn ${this.#turn}.`;
  }

  /** Sends a message as it is. */
  async say(text: string): Promise<void> {
    await waitForModel(this.page, 'Demo');
    const last = await this.#lastRow();
    await this.until(async () => {
      await sendChat(this.page, text);
      // The chat can empty its input and drop the message, where the machine is busy.
      return succeeds(this.until(async () => (await this.#lastRow()) > last, 30_000));
    });
  }

  /** The number of the last row of the conversation, which draws only some of them; -1 in a new one. */
  async #lastRow(): Promise<number> {
    const rows = this.page.locator('.interactive-session .monaco-list-row[data-index]:visible', {
      has: this.page.locator('.interactive-item-container'),
    });
    return Math.max(-1, ...(await rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-index'))))));
  }

  /** Waits until the turn that `text` ends is over, and gives the last request that the model was sent. */
  async turnEnded(text = this.ending): Promise<ModelRequest> {
    const ended = '.interactive-session .interactive-response:not(.chat-response-loading):visible';
    await this.page.locator(ended, { hasText: text }).first().waitFor();
    const last = this.requests().at(-1);
    assert.ok(last, 'the model was asked');
    return last;
  }

  /** Waits until the turn at hand is over, and gives what its first call came back with. */
  async result(): Promise<string> {
    return (await this.turnEnded()).results[0]?.text ?? '';
  }

  /** Sends messages until the model is offered these tools: the editor starts and lists what is published in its own time. */
  untilOffered(...names: readonly string[]): Promise<ModelRequest> {
    return this.untilRequest((request) => names.every((name) => offeredNames(request).includes(name)));
  }

  /** Sends messages until the model is sent a request that `isRight`. */
  async untilRequest(isRight: (request: ModelRequest) => boolean): Promise<ModelRequest> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      await this.send();
      const request = await this.turnEnded();
      if (isRight(request)) return request;
      assert.ok(Date.now() < deadline, `the last request had ${offeredNames(request).join(', ')}`);
    }
  }

  requests(): readonly ModelRequest[] {
    const file = join(this.#scratch, 'log.jsonl');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line) as ModelRequest);
  }

  /** What was copied last. */
  clipboard(): Promise<string> {
    return this.page.evaluate(() =>
      (navigator as unknown as { clipboard: { readText(): Promise<string> } }).clipboard.readText(),
    );
  }

  /** Titles of the notes that are on disk now. */
  notes(): readonly string[] {
    return readdirSync(join(this.folder, '.data', 'notes'));
  }

  /** Waits until `condition` holds. */
  async until(condition: () => boolean | Promise<boolean>, timeoutMs = limitMs): Promise<void> {
    await eventually(condition.toString(), condition, timeoutMs);
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** How many process trees each of the demo's servers has now. */
  serverProcesses(): Record<string, number> {
    return serverTrees(this.editor.processes());
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

async function freshPage(browser: Browser): Promise<Page> {
  const page = await newPage(browser);
  await page.addInitScript(stillPage);
  await enableAgent(page);
  return page;
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
