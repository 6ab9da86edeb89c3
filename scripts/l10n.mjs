// node scripts/l10n.mjs [--check]: writes l10n/bundle.l10n.json, the texts of the code that translators work from.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saidIn } from './lib/said.mjs';
import { root } from './lib/paths.mjs';

const { getL10nJson } = await import('@vscode/l10n-dev');
const source = join(root, 'src');
const files = readdirSync(source, { recursive: true }).filter((file) => file.endsWith('.ts'));
const found = {
  ...saidTemplates(files),
  ...(await getL10nJson(
    // The extractor looks for `vscode.l10n.t` and `l10n.t`; the code shortens that to `t` where it has many.
    files.map((file) => ({
      extension: '.ts',
      contents: readFileSync(join(source, file), 'utf8').replaceAll(/(?<![\w.])t\((?=\s*['"`])/g, 'vscode.l10n.t('),
    })),
  )),
};
const sorted = Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
const bundle = `${JSON.stringify(sorted, undefined, 2)}\n`;
const file = join(root, 'l10n', 'bundle.l10n.json');
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== bundle) {
    console.error('l10n/bundle.l10n.json is out of date: run `npm run docs`.');
    process.exitCode = 1;
  }
} else {
  mkdirSync(join(root, 'l10n'), { recursive: true });
  writeFileSync(file, bundle);
}

/** The texts of the core, src/base/say.ts. */
function saidTemplates(names) {
  const templates = names.flatMap((name) => saidIn(readFileSync(join(source, name), 'utf8')));
  return Object.fromEntries(templates.map((template) => [template, template]));
}
