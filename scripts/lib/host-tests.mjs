import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleModule } from './bundle-module.mjs';
import { root } from './paths.mjs';

/** What runs beside ours: an extension that uses it, and one with a model that servers can ask. */
export const besideExtensions = [join(root, 'test', 'fixtures', 'api-sample'), join(root, 'scripts', 'demo-model')];

/**
 * Bundles test/host/index.ts, which exports `run()`: the extension host can't load TypeScript.
 * @returns {Promise<string>} the bundle's path
 */
export async function bundleHostTests() {
  const outfile = join(root, 'out', 'test', 'host', 'index.js');
  await bundleModule('test/host/index.ts', outfile, { format: 'cjs', external: ['mocha'], sourcemap: 'inline' });
  return outfile;
}

/**
 * What `run()` needs to know: where the reporter is, and where it is to write.
 * @param {string} report the file for the list of tests, see reporter.cjs
 */
export function hostEnvironment(report) {
  return {
    SWITCHBOARD_REPORTER: join(root, 'scripts', 'lib', 'reporter.cjs'),
    SWITCHBOARD_ROOT: root,
    SWITCHBOARD_REPORT: report,
    ...(process.env.SWITCHBOARD_RESULTS ? { SWITCHBOARD_RESULTS: process.env.SWITCHBOARD_RESULTS } : {}),
  };
}

/**
 * Copies what is written to the report to our stdout, as it comes.
 * @param {string} report
 * @returns {() => void} copies the rest and ends
 */
export function echo(report) {
  writeFileSync(report, '');
  let shown = 0;
  const copy = () => {
    const text = readFileSync(report, 'utf8');
    process.stdout.write(text.slice(shown));
    shown = text.length;
  };
  const timer = setInterval(copy, 300);
  return () => {
    clearInterval(timer);
    copy();
  };
}
