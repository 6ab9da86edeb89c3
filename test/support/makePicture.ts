// npm run picture: media/main-job.webp, the moving picture of the README: the main job in a real editor. After changes that it shows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { animatedWebp, type WebpFrame } from '../../scripts/lib/animated-webp.mjs';
import { build } from '../../scripts/lib/build.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { AgentWindow } from './agentWindow.ts';
import { withoutNpx } from './demoServers.ts';
import { callTool } from './script.ts';

/** Little wider than the 800 pixels of a marketplace's page, so that its texts are nearly as large there as in the editor. */
const SIZE = { width: 880, height: 500 };
/** Sharp on finer screens, too. */
const SCALE = 1.25;
/** Room for what stands beside the names of tools. */
const SIDE_BAR_WIDTH = 400;
/** A place where nothing changes under the mouse. */
const ASIDE = [100, 450] as const;
const QUALITY = 0.7;

/** The editor without what the picture isn't about. */
const QUIET = {
  'workbench.activityBar.location': 'hidden',
  'workbench.statusBar.visible': false,
  'workbench.layoutControl.enabled': false,
  'workbench.editor.showTabs': 'none',
  'workbench.editor.editorActionsLocation': 'hidden',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.commandCenter': false,
  'window.menuBarVisibility': 'hidden',
  'window.title': ' ',
  'breadcrumbs.enabled': false,
};

/** A moment of the run, and how long it is shown. */
interface Moment {
  readonly png: string;
  readonly ms: number;
}

/** Encodes what differs from the picture before, in Chromium, which has an encoder. */
async function encoded(page: Page, moments: readonly Moment[]): Promise<Buffer> {
  const frames: WebpFrame[] = [];
  for (const { png, ms } of moments) {
    const made = await page.evaluate(encodeChanged, { png, quality: QUALITY });
    const last = frames.at(-1);
    if (made) frames.push({ ...made, webp: Buffer.from(made.webp, 'base64'), ms });
    else if (last) frames.splice(-1, 1, { ...last, ms: last.ms + ms });
  }
  return animatedWebp({ width: SIZE.width * SCALE, height: SIZE.height * SCALE }, frames);
}

/** Runs in a page, which keeps the picture before. `undefined`: nothing has changed. */
async function encodeChanged({ png, quality }: { png: string; quality: number }) {
  // The page's own globals, which Node's types don't know.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const page = globalThis as any;
  const bitmap = await page.createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const { width: w, height: h } = bitmap;
  const context = new page.OffscreenCanvas(w, h).getContext('2d', { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const now: Uint32Array = new Uint32Array(context.getImageData(0, 0, w, h).data.buffer);
  const before: Uint32Array | undefined = page.before;
  page.before = now;
  let [left, top, right, bottom] = before ? [w, h, 0, 0] : [0, 0, w, h];
  now.forEach((pixel, at) => {
    if (!before || pixel === before[at]) return;
    const [x, y] = [at % w, Math.floor(at / w)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  });
  if (right <= left) return undefined;
  [left, top] = [left - (left % 2), top - (top % 2)];
  const part = new page.OffscreenCanvas(right - left, bottom - top);
  part.getContext('2d').drawImage(context.canvas, -left, -top);
  const bytes = new Uint8Array(await (await part.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { webp: btoa(text), x: left, y: top, width: right - left, height: bottom - top };
}

await build();
const window = await AgentWindow.open({ prepare: withoutNpx });
const moments: Moment[] = [];
try {
  const { page } = window;
  await page.setViewportSize({ width: 1120, height: 630 });
  await window.useSwitchboard();
  await window.handedOver();
  await window.changeSettings(QUIET);
  await window.runCommand('Notifications: Clear All Notifications');
  await window.runCommand('View: Toggle Secondary Side Bar Visibility');
  await window.runCommand('View: Close All Editors');
  await window.runCommand('Chat: New Chat Editor');
  await hideView('Activity');
  await hideView('Permissions');
  await window.expandTools('notes');
  // What VS Code says of models of one's own.
  await page.locator('.editor-instance .chat-input-notification-dismiss').click();
  await page.setViewportSize(SIZE);
  await widenSideBar();
  await page.locator('.interactive-input-part .monaco-editor').first().click();
  await page.mouse.move(...ASIDE);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: SCALE, mobile: false });
  const keep = async (ms: number): Promise<void> => {
    const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
    moments.push({ png: data, ms });
  };
  await keep(800);
  const ask = async (prompt: string, call: ReturnType<typeof callTool>, answer: string): Promise<void> => {
    window.script(call, { text: answer });
    await window.say(prompt);
  };
  await ask('List my notes', callTool('notes__list_notes'), 'You have two notes: Ideas and Welcome.');
  await window.turnEnded('You have two notes: Ideas and Welcome.');
  await keep(2_200);
  await ask('Delete the note Ideas', callTool('notes__delete_note', { title: 'Ideas' }), 'The note Ideas is deleted.');
  await window.cardButton('Allow').waitFor();
  // The first picture says it all, and is what is seen where nothing moves; the run goes on from it, and begins anew.
  const question = moments.length;
  await keep(4_000);
  await window.cardButton('Allow').hover();
  await keep(600);
  await window.cardButton('Allow').click();
  await page.mouse.move(...ASIDE);
  await window.turnEnded('The note Ideas is deleted.');
  await keep(2_500);
  const picture = await encoded(await page.context().newPage(), [
    ...moments.slice(question),
    ...moments.slice(0, question),
  ]);
  const file = join(root, 'media', 'main-job.webp');
  writeFileSync(file, picture);
  console.log(`${file}: ${Math.round(picture.length / 1000)} kB`);
} catch (error) {
  await window.screenshot('failed-picture');
  throw error;
} finally {
  await window.close();
}
process.exit();

/** As a user does: by the menu of the view's head, with the keyboard, since a menu takes no click in the moment that it opens. */
async function hideView(name: string): Promise<void> {
  const { page } = window;
  const head = page.locator('.sidebar .pane-header', { hasText: name });
  const item = page.locator('.context-view .action-item', { hasText: `Hide '${name}'` });
  await head.click({ button: 'right' });
  await item.hover();
  await item.and(page.locator('.focused')).waitFor();
  await page.keyboard.press('Enter');
  await head.waitFor({ state: 'detached' });
}

async function widenSideBar(): Promise<void> {
  const { page } = window;
  const box = await page.locator('.part.sidebar').boundingBox();
  const [edge, y] = [(box?.x ?? 0) + (box?.width ?? 0) + 1, SIZE.height / 2];
  await page.mouse.move(edge, y);
  await page.mouse.down();
  await page.mouse.move(SIDE_BAR_WIDTH, y, { steps: 4 });
  await page.mouse.up();
}
