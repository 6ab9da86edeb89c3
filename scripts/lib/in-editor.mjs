import { join } from 'node:path';
import { format } from 'node:util';
import { launchBrowser, newPage } from './browser.mjs';
import { startEditor } from './editor.mjs';
import { ensureEditor } from './install-editor.mjs';
import { cacheDir, root } from './paths.mjs';

/**
 * Opens a workspace in the editor with this extension under development and has the extension host run the module at
 * `testsPath`. Gives the exit code of its `run()` and the last complaints of the editor's console.
 * @param {{ testsPath: string, workspace: string, version?: string, extension?: string, link?: string[], env?: Record<string, string>, settings?: object }} options
 * @returns {Promise<{ code: number, complaints: string[], left: string[] }>} `left`: processes that had to be killed
 */
export async function runInEditor({
  testsPath,
  workspace,
  version,
  extension = root,
  link = [],
  env = {},
  settings = {},
}) {
  const log = [];
  let editor;
  let browser;
  try {
    editor = await startEditor({ editor: await ensureEditor(version), extension, link, trust: false, env, settings });
    browser = await launchBrowser();
    const page = await newPage(browser);
    const finished = new Promise((done, fail) => {
      page
        .exposeFunction(
          'codeAutomationLog',
          (type, items) => type !== 'info' && log.push(`[${type}] ${format(...items)}`),
        )
        .catch(fail);
      page.exposeFunction('codeAutomationExit', done).catch(fail);
      editor.exited.then(() => fail(new Error(`The editor ended by itself:\n${editor.output()}`)));
    });
    await page.goto(editor.url(workspace, { testsPath }));
    const code = await finished;
    if (code !== 0) await page.screenshot({ path: join(cacheDir, 'in-editor.png') });
    await browser.close();
    return { code, complaints: log.slice(-15), left: await editor.stop() };
  } finally {
    await browser?.close();
    await editor?.stop();
  }
}
