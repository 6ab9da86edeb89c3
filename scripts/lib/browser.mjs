import { agentSwitchScript } from './agent-switch.mjs';
import { ensureChromium } from './install.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A limit and no wait: on a machine with other work a window takes several times as long as alone. In milliseconds. */
export const limitMs = 150_000;

/** A headless Chromium. The caller closes it. */
export async function launchBrowser() {
  // Loaded here, since this module is imported before anything is installed.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: await ensureChromium(), headless: true, args: flags });
}

/** A page with a storage of its own, in the size of a laptop's window. */
export async function newPage(browser, viewport = { width: 1400, height: 900 }) {
  const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(limitMs);
  return context.newPage();
}

/** Switches the bundled agent on for a page of a fresh storage. To be called before the page's first address. */
export async function enableAgent(page) {
  await page.addInitScript(agentSwitchScript);
}

/** Opens the editor and waits until its window is drawn and an extension host is there to fill it. */
export async function openWorkbench(page, url, { timeoutMs = limitMs } = {}) {
  await page.goto(url, { timeout: timeoutMs });
  await page.locator('.monaco-workbench .part.statusbar').first().waitFor({ timeout: timeoutMs });
  await page
    .locator('.monaco-workbench .part.activitybar, .monaco-workbench .part.sidebar')
    .first()
    .waitFor({ timeout: timeoutMs });
}

/**
 * Waits until the chat offers the model and the agent is ready for it. The second comes a moment after the first, when
 * the agent's extension has told the workbench that there is a model with no account (its context key hasByokModels);
 * a message sent before is answered with a sign-in dialog. Nothing in the page shows that key, but the workbench notes it
 * in its storage, the one of `agent-switch.mjs`.
 */
export async function waitForModel(page, name = 'Demo Model', { timeoutMs = limitMs } = {}) {
  await page.locator('.interactive-session').getByText(name).first().waitFor({ timeout: timeoutMs });
  await page.waitForFunction(hasModelWithoutAccount, undefined, { timeout: timeoutMs, polling: 100 });
}

/** Runs in the page. */
function hasModelWithoutAccount() {
  const { indexedDB } = globalThis;
  return new Promise((resolve, reject) => {
    const open = indexedDB.open('vscode-web-state-db-global');
    open.onerror = () => reject(open.error);
    open.onsuccess = () => {
      const key = 'chat.hasByokModels.lastKnown';
      const read = open.result.transaction('ItemTable').objectStore('ItemTable').get(key);
      read.onerror = () => reject(read.error);
      read.onsuccess = () => {
        open.result.close();
        resolve(read.result === 'true');
      };
    };
  });
}

/**
 * Types a message into the chat, after what the chat has put there itself, and sends it. Looks at what came of each, and does
 * it again: while the window fills, other parts of it take the focus.
 */
export async function sendChat(page, text) {
  const input = page.locator('.interactive-session .interactive-input-part .monaco-editor').first();
  const lines = input.locator('.view-lines');
  const typed = lines.filter({ hasText: text.trim() });
  const is = (state, timeout) =>
    typed.waitFor({ state, timeout }).then(
      () => true,
      () => false,
    );
  const content = async () => (await lines.innerText()).replaceAll('\u00a0', ' ').trim();
  const before = await content();
  for (let tries = 0; tries < 10; tries++) {
    await input.click();
    if (tries > 0) await page.keyboard.press('Control+A');
    if (tries > 0 && before) await page.keyboard.type(`${before} `);
    await page.keyboard.type(text);
    if (!(await is('visible', 2_000))) continue;
    await page.keyboard.press('Enter');
    // A participant stays for the next message. Where Enter took a suggestion, something else is there. A message that a busy
    // machine is slow to take must not be sent twice.
    if ((await is('hidden', 30_000)) && `${before} ${text}`.trimStart().startsWith(await content())) return;
  }
  throw new Error(`The chat does not take the message: ${text}`);
}

/** The buttons a person can click in the chat. The workbench keeps hidden copies of them for screen readers. */
export function chatButton(page, label) {
  return page.locator('.interactive-session .monaco-button:visible', { hasText: label });
}
