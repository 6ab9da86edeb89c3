// npm run picture: media/main-job.webp, the moving picture of the README: the main job in a real editor. After changes that it shows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { animatedWebp, type WebpFrame } from '../../scripts/lib/animated-webp.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { AgentWindow } from './agentWindow.ts';
import { withoutNpx } from './demoServers.ts';
import { callTool } from './script.ts';

const SIZE = { width: 1120, height: 630 };
const QUALITY = 0.8;

/** Encodes what differs from the picture before, in Chromium, which has an encoder. */
class Recorder {
  readonly #page: Page;
  readonly #frames: WebpFrame[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  async add(png: Buffer, ms: number): Promise<void> {
    const made = await this.#page.evaluate(encodeChanged, { png: png.toString('base64'), quality: QUALITY });
    const last = this.#frames.at(-1);
    if (made) this.#frames.push({ ...made, webp: Buffer.from(made.webp, 'base64'), ms });
    else if (last) this.#frames.splice(-1, 1, { ...last, ms: last.ms + ms });
  }

  finish(): Buffer {
    return animatedWebp(SIZE, this.#frames);
  }
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

const window = await AgentWindow.open({ prepare: withoutNpx });
try {
  const { page } = window;
  await page.setViewportSize(SIZE);
  await window.useSwitchboard();
  await window.handedOver();
  await window.runCommand('Notifications: Clear All Notifications');
  await window.runCommand('View: Close All Editors');
  await window.expandTools('notes');
  const recorder = new Recorder(await page.context().newPage());
  const frame = async (ms: number): Promise<void> => recorder.add(await page.screenshot(), ms);
  await frame(2_000);
  const ask = async (prompt: string, call: ReturnType<typeof callTool>, answer: string): Promise<void> => {
    window.script(call, { text: answer });
    await window.say(prompt);
    await frame(1_000);
  };
  await ask('List my notes', callTool('notes__list_notes'), 'You have two notes: Ideas and Welcome.');
  await window.turnEnded('You have two notes: Ideas and Welcome.');
  await frame(2_200);
  await ask('Delete the note Ideas', callTool('notes__delete_note', { title: 'Ideas' }), 'The note Ideas is deleted.');
  await window.cardButton('Allow').waitFor();
  await frame(3_500);
  await window.cardButton('Allow').click();
  await window.turnEnded('The note Ideas is deleted.');
  await frame(2_500);
  const picture = recorder.finish();
  const file = join(root, 'media', 'main-job.webp');
  writeFileSync(file, picture);
  console.log(`${file}: ${Math.round(picture.length / 1000)} kB`);
} finally {
  await window.close();
}
