// node scripts/docs.mjs [--check]: writes docs/reference.md (settings, commands, language model tools) from the manifest, and
// docs/protocol.md.
// With --check nothing is written, and a file that is out of date is an error.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { protocolPage } from './lib/protocol-table.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
const text = (value) => value.replace(/%([\w.]+)%/g, (_, key) => texts[key]);
const cell = (value) => text(value).replaceAll('\n', ' ').replaceAll('|', '\\|');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A section of the settings, with the values of each that has a list of them. */
function sectionOf({ title, properties }) {
  const rows = Object.entries(properties).map(([name, setting]) => {
    const { default: value, markdownDescription, enum: values = [], markdownEnumDescriptions = [] } = setting;
    const meanings = markdownEnumDescriptions.map((meaning, index) => `\`${values[index]}\`: ${cell(meaning)}`);
    return [`\`${name}\``, `\`${JSON.stringify(value)}\``, [cell(markdownDescription), ...meanings].join('<br>')];
  });
  return `### ${text(title)}\n\n${table(['Setting', 'Default', 'Description'], rows)}`;
}

const { commands, configuration, languageModelTools, menus } = manifest.contributes;
const hidden = new Set(menus.commandPalette.flatMap(({ command, when }) => (when === 'false' ? [command] : [])));
const page = `# Reference

Generated from the manifest by \`npm run docs\`.

## Settings

These are user settings. A workspace can only set \`allowedServers\`, \`deniedServers\`, \`permissions.rules\` and
\`hooks\`, which can only restrict further there (hooks after you approve them).

${configuration.map(sectionOf).join('\n\n')}

## Commands

${table(
  ['Command', 'Command Palette'],
  commands.map(({ command, title, category }) => [
    `\`${command}\``,
    hidden.has(command) ? `only in the views: *${cell(title)}*` : `${category}: ${cell(title)}`,
  ]),
)}

## Language model tools

${table(
  ['Tool', 'Model description'],
  languageModelTools.map(({ name, modelDescription }) => [`\`${name}\``, cell(modelDescription)]),
)}
`;

const pages = { 'reference.md': page, 'protocol.md': protocolPage() };
for (const [name, content] of Object.entries(pages)) {
  const file = join(root, 'docs', name);
  if (!process.argv.includes('--check')) writeFileSync(file, content);
  else if (readFileSync(file, 'utf8') !== content) {
    console.error(`docs/${name} is out of date: run \`npm run docs\`.`);
    process.exitCode = 1;
  }
}
