import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { callTool } from '../../test/support/script.ts';
import { pageNamed } from '../../test/support/webPages.ts';
import { drawnPicture } from './drawn-picture.mjs';
import { root } from './paths.mjs';
import { say } from './run.mjs';

export const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
};

/** By picture: where it is shown. None of them is in the package, which has room for the drawn ones of the walkthrough alone. */
const PUBLISHED = {
  'window-dark': 'media/screenshot.png',
  'servers-dark': 'media/pictures/servers.png',
  'budget-dark': 'media/pictures/context-budget.png',
  'usage-light': 'media/pictures/usage.png',
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
  await draw(window, 'approve', quickInput, { width: 600, height: 300 });
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
  await draw(window, 'add', quickInput, { width: 600, height: 300 });
  await page.keyboard.press('Escape');

  await window.choosePermissions('Default permissions');
  await window.send(callTool('notes__delete_note', { title: 'Ideas' }));
  await window.cardButton('Deny').waitFor();
  await inEachTheme(window, 'question', part('auxiliarybar'));
  const card = page.locator('.interactive-session .interactive-response:visible').last();
  await draw(window, 'try', card, { width: 380, height: 300 });
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
  await draw(window, 'permissions', permissions, { width: 300, height: 240 });
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
  await window.runCommand('MCP Switchboard: Help');
  await page.getByText('Get Started with MCP Switchboard').first().waitFor();
  await inEachTheme(window, 'walkthrough', part('editor'));
}

/** Of a step of the walkthrough, as an SVG. */
async function draw(window, name, locator, size) {
  const picture = await drawnPicture(locator, size, (theme) => changeTheme(window, theme));
  writeFileSync(join(root, 'media', 'walkthrough', `${name}.svg`), picture);
  say(`${name}.svg: ${Math.round(picture.length / 100) / 10} kB`);
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
  await draw(window, 'sign-in', view, { width: 300, height: 260 });
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
