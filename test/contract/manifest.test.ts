import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { scriptDescription, SCRIPT_SCHEMA, SCRIPT_TOOL } from '../../src/calls/script/scriptTool.ts';
import { RENAMED } from '../../src/platform/settings/renamedSettings.ts';

interface Manifest {
  readonly main: string;
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
  readonly enabledApiProposals?: unknown;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly dependencies?: unknown;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly toolReferenceName: string;
      readonly canBeReferencedInPrompt: boolean;
      readonly modelDescription: string;
      readonly when?: string;
      readonly inputSchema: { readonly type: string };
    }[];
  };
}

/** A command, or a menu below. */
interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Setting {
  readonly default?: unknown;
  readonly markdownDeprecationMessage?: string;
  readonly scope: string;
  readonly order: number;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

/** A workspace's values of these are added to the user's, and can only take away. */
const ONLY_TIGHTEN = new Set([
  'mcpSwitchboard.presets',
  ...['allowedServers', 'deniedServers', 'permissions.rules', 'hooks'].map((name) => `mcpSwitchboard.${name}`),
]);

const text = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const settings = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties }) => properties),
) as Readonly<Record<string, Setting>>;
const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n');

const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

/** The text of all tests in a folder of `test`. */
function testsIn(folder: string): string {
  const files = readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith('.ts'));
  return tests.map((file) => readFileSync(join(root, 'test', folder, file), 'utf8')).join('\n');
}

describe('manifest', () => {
  it('declares exactly the commands that the code registers', () => {
    const declared = manifest.contributes.commands.map(({ command }) => command).sort();
    const registered = [...source.matchAll(/(?:^\s*|id: )'(mcpSwitchboard\.\w+)'(?::|,$)/gm)].map(
      (match) => match[1] ?? '',
    );
    assert.deepEqual([...new Set(registered)].sort(), declared);
  });

  it('offers only declared commands in menus', () => {
    const { commands, submenus, menus } = manifest.contributes;
    const declared = new Set([...commands.map(({ command }) => command), ...submenus.map(({ id }) => id)]);
    const items = Object.values(menus).flat();
    const offered = items.map(({ command, submenu }) => command ?? submenu ?? '');
    assert.deepEqual(
      offered.filter((command) => !declared.has(command)),
      [],
    );
  });

  it('has each action beside a row in the menu of that row, too: the keyboard reaches nothing else', () => {
    const items = manifest.contributes.menus['view/item/context'] ?? [];
    // With one row selected, these are there, too.
    const key = ({ command, when }: MenuItem): string =>
      `${command} when ${when?.replace(' && !listMultiSelection', '')}`;
    const isInline = ({ group }: MenuItem): boolean => group?.startsWith('inline') === true;
    const inMenu = items.filter((item) => !isInline(item));
    const unreachable = items.filter(isInline).filter((item) => {
      // An entry for more rows has all of these, too.
      const entries = inMenu.filter(({ command }) => command === item.command);
      return !entries.some((entry) => key(entry) === key(item) || entry.when?.includes(String.raw`/\bserver\b/`));
    });
    assert.deepEqual(unreachable.map(key), []);
  });

  it('has no command that no test in an editor runs, by its id or as a user finds it', () => {
    const ran = ['host', 'agent'].map(testsIn).join('\n');
    const untested = manifest.contributes.commands.filter(({ command, title }) => {
      const id = command.replace('mcpSwitchboard.', '');
      const label = texts[title.replaceAll('%', '')]?.replace(/…$/, '') ?? title;
      return ![`'${id}'`, `'${command}'`, ` ${id}: '`, `MCP Switchboard: ${label}`, `'${label}`].some((text) =>
        ran.includes(text),
      );
    });
    assert.deepEqual(
      untested.map(({ command }) => command),
      [],
    );
  });

  it('has no button beside a row or in a view’s title that no test in the editor clicks', () => {
    const { commands, menus } = manifest.contributes;
    const ofRows = (menus['view/item/context'] ?? []).filter(({ group }) => group?.startsWith('inline') === true);
    const ofTitles = (menus['view/title'] ?? []).filter(({ group }) => group?.startsWith('navigation') === true);
    const tests = testsIn('agent');
    const clicks = tests.match(/\bclick(?:Action|Title)\([^;]*;/g) ?? [];
    const clicked = clicks.flatMap((click) => [...click.matchAll(/, '([A-Z][^']*)'/g)].map((match) => match[1] ?? ''));
    const titles = [...ofRows, ...ofTitles].map(
      ({ command }) => texts[commands.find((each) => each.command === command)?.title.replaceAll('%', '') ?? ''] ?? '',
    );
    assert.ok(titles.length > 30, `${titles.length}`);
    const isClicked = (title: string): boolean =>
      clicked.some((label) => title === label || title.startsWith(`${label} `) || title === `${label}…`);
    assert.deepEqual(
      [...new Set(titles)].filter((title) => !isClicked(title)),
      [],
    );
  });

  it('looks in menus only for words that the tree uses', () => {
    const whens = Object.values(manifest.contributes.menus).flatMap((items) => items.map(({ when }) => when ?? ''));
    const words = whens.flatMap((when) => [...when.matchAll(/\\b(\w+)\\b/g)].map((match) => match[1] ?? ''));
    assert.ok(words.length > 0);
    for (const word of words) assert.ok(source.includes(`'${word}'`), word);
  });

  it('declares exactly the settings that the code reads', () => {
    const reads =
      /\b(?:ownValue|own|values|user|workspaceValues|setting|number|settings\.inspect)\((?:\s*[\d_]+,)?\s*'([a-z][\w.]*)'/g;
    const read = new Set([...source.matchAll(reads)].map((match) => `mcpSwitchboard.${match[1]}`));
    // Of chat.mcp, read by the same lines as our own lists.
    assert.ok(read.delete('mcpSwitchboard.access'));
    for (const former of Object.values(RENAMED)) read.add(`mcpSwitchboard.${former}`);
    assert.deepEqual([...read].sort(), Object.keys(settings).sort());
  });

  it('says of each setting that was renamed what it is called now', () => {
    for (const [name, former] of Object.entries(RENAMED)) {
      const key = settings[`mcpSwitchboard.${former}`]?.markdownDeprecationMessage?.replaceAll('%', '') ?? '';
      assert.ok(texts[key]?.includes(`#mcpSwitchboard.${name}#`), former);
      assert.equal(settings[`mcpSwitchboard.${former}`]?.default, null, 'a default would count as a value');
    }
    const deprecated = Object.values(settings).filter((each) => each.markdownDeprecationMessage !== undefined);
    assert.equal(deprecated.length, Object.keys(RENAMED).length);
  });

  it('lets no workspace set what grants or starts something', () => {
    for (const [name, { scope }] of Object.entries(settings)) {
      if (ONLY_TIGHTEN.has(name)) continue;
      assert.ok(['application', 'machine'].includes(scope), `${name} has scope ${scope}`);
    }
  });

  it('says of each value of a setting what it means, and orders the settings of a section', () => {
    for (const { title, properties } of manifest.contributes.configuration) {
      const orders = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(
        orders,
        [...orders.keys()].map((index) => index + 1),
        title,
      );
    }
    for (const [name, { enum: values, enumItemLabels, markdownEnumDescriptions }] of Object.entries(settings)) {
      // A format is its own name.
      if (!values || name === 'mcpSwitchboard.toolNameFormat') continue;
      assert.equal(enumItemLabels?.length, values.length, name);
      assert.equal(markdownEnumDescriptions?.length, values.length, name);
    }
  });

  it('names language model tools so that the agent is sent them', () => {
    const registered = [...source.matchAll(/^ {2}(mcp_\w+): \((?:input)?\) =>/gm)].map((match) => match[1] ?? '');
    assert.deepEqual(manifest.contributes.languageModelTools.map(({ name }) => name).sort(), registered.sort());
    for (const tool of manifest.contributes.languageModelTools) {
      assert.equal(tool.toolReferenceName, tool.name);
      assert.equal(tool.canBeReferencedInPrompt, true);
      assert.equal(tool.inputSchema.type, 'object');
    }
  });

  it('describes scripts to the editor’s models as to others', () => {
    const tool = manifest.contributes.languageModelTools.find(({ name }) => name === SCRIPT_TOOL);
    assert.equal(tool?.modelDescription, scriptDescription());
    assert.deepEqual(tool?.inputSchema, SCRIPT_SCHEMA);
    assert.equal(tool?.when, 'mcpSwitchboard.scriptsOn');
  });

  it('has a text for every key, and no text that is not used', () => {
    const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const used = new Set([...text.matchAll(/%([\w.]+)%/g)].map((match) => match[1] ?? ''));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it('uses stable API only and types at the engine floor', () => {
    assert.equal(manifest.enabledApiProposals, undefined);
    const floor = manifest.engines.vscode.replace('^', '');
    const types = JSON.parse(readFileSync(join(root, 'node_modules/@types/vscode/package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(types.version, floor);
  });

  it('runs where the folder is', () => assert.deepEqual(manifest.extensionKind, ['workspace']));

  it('ships no node_modules: everything is bundled', () => assert.equal(manifest.dependencies, undefined));
});
