import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { callTool } from '../../test/support/script.ts';
import { pageNamed } from '../../test/support/webPages.ts';
import { drawnPicture } from './drawn-picture.mjs';
import { glyphPaths } from './glyph-paths.mjs';
import { ensureEditor } from './install-editor.mjs';
import { root } from './paths.mjs';
import { say } from './run.mjs';

export const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
};

/** By picture: where it is shown. None of them is in the package, which has room for the drawn ones of the walkthrough alone. */
const PUBLISHED = {
  'servers-dark': 'media/pictures/servers.png',
  'budget-dark': 'media/pictures/context-budget.png',
  'usage-light': 'media/pictures/usage.png',
};

/** What is drawn for the steps of the walkthrough, in the package: by step, its file, what it shows, and its size in pixels. */
const STEPS = {
  add: { file: 'add.svg', title: 'The ways to add a server', width: 602, height: 268 },
  approve: { file: 'approve.svg', title: 'What each server runs, with a tick for each', width: 602, height: 300 },
  try: { file: 'try.svg', title: 'The question before a call that changes something', width: 266, height: 213 },
  permissions: { file: 'permissions.svg', title: 'The view Permissions', width: 300, height: 137 },
  signIn: { file: 'sign-in.svg', title: 'A server that needs a sign-in, with its key', width: 300, height: 200 },
};

const pictures = join(root, 'out', 'pictures');

/**
 * Goes through the views, questions and pages of a new window on the demo, and takes a picture of each in every theme.
 * @param {import('../../test/support/agentWindow.ts').AgentWindow} window
 */
export async function takePictures(window) {
  rmSync(pictures, { recursive: true, force: true });
  for (const folder of [pictures, join(root, 'media/pictures')]) mkdirSync(folder, { recursive: true });
  const { page } = window;
  await page.setViewportSize({ width: 1280, height: 800 });
  const part = (name) => page.locator(`.part.${name}`);
  const quickInput = page.locator('.quick-input-widget');

  await window.answerNotification('Use Switchboard');
  await window.whatRuns();
  await inEachTheme(window, 'approve', quickInput);
  await draw(window, 'approve', quickInput);
  await window.approveAndStart();
  await window.showTree();
  await page.getByText('MCP 4/4').first().waitFor();
  await window.handedOver();
  await window.runCommand('View: Close All Editors');

  await window.expandTools('notes');
  await inEachTheme(window, 'servers', part('sidebar'));

  await window.runCommand('MCP Switchboard: Add Server');
  await window.pickRow('npm').waitFor();
  await inEachTheme(window, 'add', quickInput);
  await draw(window, 'add', quickInput);
  await page.keyboard.press('Escape');

  await window.choosePermissions('Default permissions');
  await window.send(callTool('notes__delete_note', { title: 'Ideas' }));
  await window.cardButton('Deny').waitFor();
  await inEachTheme(window, 'question', part('auxiliarybar'));
  const card = page.locator('.chat-tool-confirmation-carousel:visible').last();
  await draw(window, 'try', card);
  await inEachTheme(window, 'window', page.locator('body'));
  await window.cardButton('Deny').click();
  await window.turnEnded();

  await window.send(callTool('notes__add_note', { title: 'Plan', text: 'Ship it.' }));
  await window.pickFromMenu('Always Allow');
  await window.turnEnded();
  for (let round = 0; round < 6; round += 1) {
    const steps = Array.from({ length: 1 + (round % 4) }, () => callTool('notes__list_notes'));
    await window.send(
      ...steps,
      callTool('everything__get-sum', { a: round, b: 2 }),
      callTool('filesystem__read_text_file', { path: round % 2 === 0 ? '.mcp.json' : 'missing.txt' }),
      callTool('everything__trigger-long-running-operation', { duration: 0.3 * round, steps: 2 }),
    );
    await window.turnEnded();
  }
  await inEachTheme(window, 'activity', part('sidebar'));
  await window.runCommand('MCP Switchboard: Focus on Permissions View');
  const permissions = page.locator('.sidebar .pane', { hasText: 'Permissions' }).last();
  await permissions.locator('.monaco-list-row').first().waitFor();
  await inEachTheme(window, 'permissions', permissions);
  await draw(window, 'permissions', permissions);
  await drawSignIn(window, part('sidebar').locator('.pane', { hasText: 'Servers' }).first());

  await page.locator('.statusbar-item', { hasText: 'MCP 4/4' }).click();
  await window.pickRow('Manage Permissions').waitFor();
  await inEachTheme(window, 'menu', quickInput);
  await page.keyboard.press('Escape');

  for (const [name, title] of [
    ['budget', 'Context Budget'],
    ['usage', 'Usage'],
  ]) {
    await window.runCommand(`MCP Switchboard: Show ${title}`);
    await pageNamed(window, title);
    await inEachTheme(window, name, part('editor'));
    await page.keyboard.press('t');
    await inEachTheme(window, `${name}-tables`, part('editor'));
    await page.keyboard.press('t');
  }
  await window.runCommand('View: Close All Editors');
  await window.runCommand('View: Toggle Secondary Side Bar Visibility');
  await window.runCommand('View: Close Primary Side Bar');
  await window.runCommand('MCP Switchboard: Help');
  await page.getByText('Get Started with MCP Switchboard').first().waitFor();
  for (const [step, { title }] of Object.entries(STEPS)) {
    await page.locator(`.getting-started-step[data-step-id$="#${step}"]`).click();
    await page.locator(`.getting-started-step.expanded[data-step-id$="#${step}"]`).waitFor();
    await pictureShown(window, title);
    await inEachTheme(window, `walkthrough-${step}`, part('editor'));
  }
}

/** The picture of a step that was selected comes a moment later. */
async function pictureShown(window, title) {
  await window.until(async () => {
    for (const frame of window.page.frames()) {
      const shown = await frame
        .locator('svg > title')
        .allTextContents()
        .catch(() => []);
      if (shown.includes(title)) return true;
    }
    return false;
  });
}

/** Draws the picture of a step. */
async function draw(window, step, locator) {
  const glyph = glyphPaths(join((await ensureEditor()).server, 'out/media/codicon.ttf'));
  const { file, ...options } = STEPS[step];
  const replaced = { [window.folder]: '/home/you/notes' };
  const useTheme = (theme) => changeTheme(window, theme);
  const picture = await drawnPicture(locator, { ...options, replaced }, useTheme, {
    themes: Object.keys(THEMES),
    glyph,
  });
  writeFileSync(join(root, 'media', 'walkthrough', file), picture);
  say(`${file}: ${Math.round(picture.length / 100) / 10} kB`);
  await changeTheme(window, 'dark');
}

/** The view of servers, one of which needs an account. */
async function drawSignIn(window, view) {
  const server = createServer((request, response) => {
    const { origin } = new URL(`http://${request.headers.host}`);
    const path = '/.well-known/oauth-protected-resource';
    if (request.url?.startsWith(path))
      return response.end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [origin] }));
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}${path}/mcp"` }).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tracker = { type: 'http', url: `http://127.0.0.1:${server.address().port}/mcp` };
  await window.changeSettings({ 'mcpSwitchboard.servers': { tracker } });
  const row = window.serverRow('tracker').filter({ hasText: 'sign-in' });
  await row.waitFor();
  await window.runCommand('Notifications: Clear All Notifications');
  await row.hover();
  await draw(window, 'signIn', view);
  await window.changeSettings({ 'mcpSwitchboard.servers': null });
  await row.waitFor({ state: 'detached' });
  server.close();
}

async function changeTheme(window, theme) {
  await window.changeSettings({ 'workbench.colorTheme': THEMES[theme] });
  const mark = { dark: 'vs-dark', light: 'vs', contrast: 'hc-black' }[theme];
  await window.page.locator(`.monaco-workbench.${mark}`).waitFor();
}

async function inEachTheme(window, name, locator) {
  for (const theme of Object.keys(THEMES)) {
    await changeTheme(window, theme);
    const picture = `${name}-${theme}`;
    const file = join(pictures, `${picture}.png`);
    await locator.screenshot({ path: file });
    const published = PUBLISHED[picture];
    if (published) copyFileSync(file, join(root, published));
    say(picture);
  }
  await changeTheme(window, 'dark');
}
