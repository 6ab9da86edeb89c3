import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/lib/browser.mjs';
import { root } from '../../../scripts/lib/paths.mjs';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.webp': 'image/webp',
  '.png': 'image/png',
};

describe('the site of the documents in a browser', function () {
  this.timeout(150_000);
  let browser: Browser | undefined;
  let server: Server;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'switchboard-site-'));
    execFileSync(process.execPath, ['scripts/docs-site.mjs', '--out', folder], { cwd: root, stdio: 'pipe' });
    server = createServer(({ url = '' }, response) => {
      const name = new URL(url, 'http://localhost').pathname;
      try {
        const text = readFileSync(path.join(folder, name));
        response.setHeader('content-type', TYPES[path.extname(name)] ?? 'text/plain').end(text);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const places: readonly (readonly [string, () => string])[] = [
    ['its folder', () => pathToFileURL(`${folder}${path.sep}`).href],
    ['a server', () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`],
  ];
  for (const [from, base] of places)
    it(`shows pictures, finds words and runs nothing that was put in, from ${from}`, async () => {
      assert.ok(browser);
      const page = await browser.newPage();
      const refused: string[] = [];
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => void (/Content Security/.test(message.text()) && refused.push(message.text())));
      await page.goto(`${base()}index.html`);
      const seen = await page.evaluate<{ images: number[]; display: string }>(
        '({ images: [...document.images].map((each) => each.naturalWidth), display: getComputedStyle(document.body).display })',
      );
      assert.ok(seen.images.length > 0 && seen.images.every((width) => width > 0));
      assert.equal(seen.display, 'grid', 'it has its style');
      await page.fill('input[name=q]', 'plan mode');
      await page.press('input[name=q]', 'Enter');
      await page.locator('#found li').first().waitFor();
      assert.match((await page.textContent('#count')) ?? '', /^\d+ found$/);
      assert.deepEqual([refused, errors], [[], []]);

      await page.evaluate(`
        const script = document.createElement('script');
        script.textContent = 'window.wasRun = true';
        const image = document.createElement('img');
        image.src = 'https://example.invalid/x.png';
        document.body.append(script, image);
      `);
      assert.equal(await page.evaluate(`'wasRun' in window`), false);
      assert.equal(refused.length, 2, refused.join('\n'));
      await page.close();
    });
});
