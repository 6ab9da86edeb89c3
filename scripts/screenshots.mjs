// npm run screenshots [-- NAME…]: opens the real editor with the demo's servers and takes pictures of what MCP Switchboard shows, in dark,
// light and high contrast, into out/pictures. Those that the README and the walkthrough show are written to media/, too: commit them
// where they changed to the eye.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withoutNpx } from '../test/support/demoServers.ts';
import { AgentWindow } from '../test/support/agentWindow.ts';
import { callTool } from '../test/support/script.ts';
import { pageNamed } from '../test/support/webPages.ts';
import { build } from './lib/build.mjs';
import { ensurePackages } from './lib/install.mjs';
import { root } from './lib/paths.mjs';
import { say } from './lib/run.mjs';

const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
};

/** By picture: where it is shown. */
const PUBLISHED = {
  'add-dark': 'media/walkthrough/add.png',
  'approve-dark': 'media/walkthrough/approve.png',
  'question-dark': 'media/walkthrough/try.png',
  'permissions-dark': 'media/walkthrough/permissions.png',
  'budget-dark': 'docs/pictures/context-budget.png',
  'usage-light': 'docs/pictures/usage.png',
};

const pictures = join(root, 'out', 'pictures');

await ensurePackages();
await build();
rmSync(pictures, { recursive: true, force: true });
for (const folder of [pictures, join(root, 'docs/pictures')]) mkdirSync(folder, { recursive: true });
const window = await AgentWindow.open({ prepare: withoutNpx, settings: { 'workbench.colorTheme': THEMES.dark } });
try {
  await takePictures();
} catch (error) {
  await window.screenshot('failed-screenshots');
  throw error;
} finally {
  await window.close();
}
process.exit();

async function takePictures() {
  const { page } = window;
  await page.setViewportSize({ width: 1280, height: 800 });
  const part = (name) => page.locator(`.part.${name}`);
  const quickInput = page.locator('.quick-input-widget');

  await window.answerNotification('Use Switchboard');
  await window.dialogButton('Approve and Start').waitFor();
  await inEachTheme('approve', page.locator('.monaco-dialog-box'));
  await window.approveAndStart();
  await window.showTree();
  await page.getByText('MCP 4/4').first().waitFor();
  await window.handedOver();
  await window.runCommand('View: Close All Editors');

  await window.expandTools('notes');
  await inEachTheme('servers', part('sidebar'));

  await window.runCommand('MCP Switchboard: Add Server');
  await window.pickRow('npm').waitFor();
  await inEachTheme('add', quickInput);
  await page.keyboard.press('Escape');

  await window.choosePermissions('Default permissions');
  await window.send(callTool('notes__delete_note', { title: 'Ideas' }));
  await window.cardButton('Deny').waitFor();
  await inEachTheme('question', part('auxiliarybar'));
  await inEachTheme('window', page.locator('body'));
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
  await inEachTheme('activity', part('sidebar'));
  await window.runCommand('MCP Switchboard: Focus on Permissions View');
  await page.keyboard.press('ArrowRight');
  await inEachTheme('permissions', page.locator('.sidebar .pane', { hasText: 'Permissions' }).last());

  await page.locator('.statusbar-item', { hasText: 'MCP 4/4' }).click();
  await window.pickRow('Manage Permissions').waitFor();
  await inEachTheme('menu', quickInput);
  await page.keyboard.press('Escape');

  for (const [name, title] of [
    ['budget', 'Context Budget'],
    ['usage', 'Usage'],
  ]) {
    await window.runCommand(`MCP Switchboard: Show ${title}`);
    await pageNamed(window, title);
    await inEachTheme(name, part('editor'));
    await page.keyboard.press('t');
    await inEachTheme(`${name}-tables`, part('editor'));
    await page.keyboard.press('t');
  }
  await window.runCommand('MCP Switchboard: Help');
  await page.getByText('Get Started with MCP Switchboard').first().waitFor();
  await inEachTheme('walkthrough', part('editor'));
}

async function inEachTheme(name, locator) {
  for (const [theme, label] of Object.entries(THEMES)) {
    await window.changeSettings({ 'workbench.colorTheme': label });
    await window.page
      .locator(`.monaco-workbench.${{ dark: 'vs-dark', light: 'vs', contrast: 'hc-black' }[theme]}`)
      .waitFor();
    const picture = `${name}-${theme}`;
    const file = join(pictures, `${picture}.png`);
    await locator.screenshot({ path: file });
    const published = PUBLISHED[picture];
    if (published) copyFileSync(file, join(root, published));
    say(picture);
  }
  await window.changeSettings({ 'workbench.colorTheme': THEMES.dark });
}
