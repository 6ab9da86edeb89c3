import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { root } from '../../scripts/lib/paths.mjs';

/** What the documents name of VS Code and of sites. */
const OF_OTHERS = new Set([
  // The chat: its sessions, what it lets agents do, and its messages.
  ...['Claude', 'Codex', 'Copilot', 'Inline Chat', 'Configure Tools…', 'Sign in to use GitHub Copilot'],
  ...['Default permissions', 'Allow all', 'Bypass Approvals', 'Autopilot', 'Skip', 'Back', 'VS Code Synced Data'],
  // Its MCP support.
  ...['MCP: List Servers', 'Server Options', 'Enable Server (Workspace)', 'Disabled'],
  // Extensions, files and trust.
  ...['Extensions', 'Extensions: Install from VSIX…', 'Install', 'Install Pre-Release', 'File: Revert File'],
  ...['View → Chat', 'Go to Symbol in Editor', 'Rename Symbol', 'Trigger Suggest'],
  ...['Restricted Mode', 'Manage', 'Welcome', 'Developer: Reload Window'],
  // GitHub.
  ...['Report abuse', 'Security → Report a vulnerability', 'Actions permissions', 'Release'],
  // The scripted model, and words that explain how texts are written.
  ...['Demo Model (scripted)', 'Title Case'],
]);

/** Texts that the log and the status bar put together of words. */
const COMPOSED = ['Tolerated: …', 'MCP 3/4'];

const markdown = new MarkdownIt({ html: true });
const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifest = json('package.json') as {
  readonly contributes: { readonly commands: readonly { readonly title: string }[] };
};
const manifestTexts = json('package.nls.json') as Readonly<Record<string, string>>;
const texts = [
  ...Object.values(manifestTexts),
  ...Object.values(json('l10n/bundle.l10n.json') as Readonly<Record<string, string>>),
].flatMap((text) => [text, ...[...text.matchAll(/\[([^\]]+)\]\(/g)].map(([, label = '']) => label)]);
const titles = new Set(
  manifest.contributes.commands.map(({ title }) => `MCP Switchboard: ${manifestTexts[title.replaceAll('%', '')]}`),
);

const names = new Set(texts.map(capitalized));
/** With … in place of values. */
const withValues = texts
  .filter((text) => text.includes('{0}'))
  .map((text) => capitalized(text.replaceAll(/\{\d\}/g, '…')));

const files = ['.', 'docs', 'demo', '.github', '.github/ISSUE_TEMPLATE'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.(md|yml)$/.test(name))
    .map((name) => join(folder, name)),
);
const parsed = files.map((file) => ({ file, ...partsOf(readFileSync(join(root, file), 'utf8')) }));
const headings = new Set(parsed.flatMap((each) => each.headings));

describe('names in documents', () => {
  it('in italics are texts of ours as they are shown, headings, or names of VS Code and of sites', () => {
    assert.ok(parsed.flatMap(({ italics }) => italics).length > 300);
    const unknown = parsed.flatMap(({ file, italics }) =>
      italics.filter((name) => /^\p{Lu}/u.test(name) && !isKnown(name)).map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('of others are all in use', () => {
    const used = new Set(parsed.flatMap(({ italics }) => italics));
    assert.deepEqual(
      [...OF_OTHERS, ...COMPOSED].filter((name) => !used.has(name)),
      [],
    );
  });
});

function isKnown(name: string): boolean {
  if (name.startsWith('MCP Switchboard: ')) return titles.has(name);
  if ([names, headings, OF_OTHERS].some((all) => all.has(name)) || COMPOSED.includes(name)) return true;
  // Of a long text, documents may have the beginning.
  return withValues.some((text) => text === name || (name.endsWith(' …') && text.startsWith(name)));
}

/** A state is named in lower case where it is within a sentence. */
function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function partsOf(text: string): { readonly headings: readonly string[]; readonly italics: readonly string[] } {
  const tokens = markdown.parse(text, {});
  const own = tokens.flatMap(({ type }, at) => (type === 'heading_open' ? [tokens[at + 1]?.content ?? ''] : []));
  const italics: string[] = [];
  for (const { children } of tokens) {
    let name: string | undefined;
    for (const { type, content } of children ?? []) {
      if (type === 'em_open') name = '';
      else if (type === 'em_close') {
        italics.push(name ?? '');
        name = undefined;
      } else name = name === undefined ? undefined : name + (type === 'softbreak' ? ' ' : content);
    }
  }
  return { headings: own, italics };
}
