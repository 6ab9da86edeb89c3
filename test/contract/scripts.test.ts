import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { root } from '../../scripts/lib/paths.mjs';

/** A node of the syntax tree. */
type Node = Readonly<Record<string, any>> & { readonly type: string }; // oxlint-disable-line typescript/no-explicit-any

interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
}

const trees = new Map<string, readonly Node[]>();

/** The statements of a module of ours. */
function statementsOf(file: string): readonly Node[] {
  const known = trees.get(file);
  if (known !== undefined) return known;
  const lang = file.endsWith('ts') ? 'ts' : 'js';
  const { body } = parseAst(readFileSync(join(root, file), 'utf8'), { lang }) as unknown as { body: Node[] };
  trees.set(file, body);
  return body;
}

const nameOf = (node: Node): string => node['name'] ?? node['value'];

/** What a module imports when it is loaded; types aren't loaded. */
function importsOf(file: string): Import[] {
  return statementsOf(file)
    .filter(
      ({ type, source, importKind, exportKind }) =>
        /^(?:Import|Export)/.test(type) && source && importKind !== 'type' && exportKind !== 'type',
    ) // prettier-ignore
    .map(({ source, specifiers = [] }) => ({
      specifier: source.value as string,
      names: (specifiers as Node[])
        .filter(({ importKind, type }) => importKind !== 'type' && type !== 'ImportNamespaceSpecifier')
        .map(({ type, imported, local }) =>
          type === 'ImportDefaultSpecifier' ? 'default' : nameOf(imported ?? local),
        ),
    }));
}

/** What a module exports, by name. */
function exportsOf(file: string): Set<string> {
  return new Set(
    statementsOf(file).flatMap((node): string[] => {
      if (node.type === 'ExportDefaultDeclaration') return ['default'];
      if (node.type === 'ExportAllDeclaration')
        return node['exported'] ? [nameOf(node['exported'])] : [...exportsOf(fileOf(file, node['source'].value))];
      if (node.type !== 'ExportNamedDeclaration') return [];
      const { declaration, specifiers } = node;
      if (declaration === null) return (specifiers as Node[]).map(({ exported }) => nameOf(exported));
      if (declaration.id) return [nameOf(declaration.id)];
      return (declaration.declarations as Node[]).flatMap(({ id }) =>
        id.type === 'ObjectPattern' ? (id.properties as Node[]).map(({ value }) => nameOf(value)) : [nameOf(id)],
      );
    }),
  );
}

const fileOf = (importer: string, specifier: string): string =>
  relative(root, resolve(root, dirname(importer), specifier));
const isCode = (file: string): boolean => /^\.(?:mjs|js|ts|mts)$/.test(extname(file));

/** What a module's imports of our own files name, and isn't there. */
function missingOf(file: string, imports = importsOf(file)): string[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .flatMap(({ specifier, names }) => {
      const target = fileOf(file, specifier);
      if (!existsSync(join(root, target))) return [`${file}: ${specifier}`];
      if (!isCode(target)) return [];
      const exported = exportsOf(target);
      return names.filter((name) => !exported.has(name)).map((name) => `${file}: ${name} of ${specifier}`);
    });
}

/** Why a script can't be loaded in a fresh clone by the oldest Node that runs our scripts, or undefined. */
function needOf(file: string, seen = new Set<string>()): string | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  if (file.endsWith('ts')) return `${file} is TypeScript`;
  for (const { specifier } of importsOf(file)) {
    const isOurs = specifier.startsWith('.');
    if (!isOurs && !specifier.startsWith('node:') && !builtinModules.includes(specifier)) return `${file} imports ${specifier}`; // prettier-ignore
    const target = fileOf(file, specifier);
    const need = isOurs && isCode(target) ? needOf(target, seen) : undefined;
    if (need !== undefined) return need;
  }
  return undefined;
}

/** Why a script has to have packages installed before it goes on, or undefined: it does so itself, or its line does. */
function uninstalledOf(file: string): string | undefined {
  const need = needOf(file);
  if (need !== undefined) return need;
  const text = readFileSync(join(root, file), 'utf8');
  const isInstalling = /^\s*await (?:ensure|install)Packages\(\);$/m.test(text);
  const use = /\bimport\('[^.n'][^']*'\)|\bimport\('\.|\bnode24\b/.exec(text)?.[0];
  return use === undefined || isInstalling ? undefined : `${file} uses ${use}`;
}

describe('the scripts', () => {
  const modules = ['scripts', 'bench', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.mjs') && !/(?:^|[\\/])(?:node_modules|fixtures)[\\/]/.test(file))
      .map((file) => join(folder, file)),
  );

  it('import what there is: no compiler looks at them', () => {
    assert.ok(modules.length > 70);
    assert.deepEqual(
      modules.flatMap((file) => missingOf(file)),
      [],
    );
  });

  it('that npm runs install what they import first', () => {
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> };
    // `npm run package` runs it, which installs.
    const { 'vscode:prepublish': _, ...lines } = scripts;
    const wrong = Object.entries(lines).flatMap(([name, line]) => {
      // What on-node24.mjs runs has its packages.
      const files = line.split(' && ').flatMap((command) => /^node (\S+)/.exec(command)?.[1] ?? []);
      return files.flatMap((file) => {
        const need = uninstalledOf(file);
        return need === undefined ? [] : [`${name}: ${need}`];
      });
    });
    assert.deepEqual(wrong, []);
  });

  it('would be found', () => {
    const wrong = [
      { specifier: './lib/paths.mjs', names: ['root', 'moved'] },
      { specifier: './lib/gone.mjs', names: [] },
    ];
    const file = join('scripts', 'start.mjs');
    assert.deepEqual(missingOf(file, wrong), [`${file}: moved of ./lib/paths.mjs`, `${file}: ./lib/gone.mjs`]);
    assert.ok(importsOf(file).some(({ names }) => names.includes('startToken')));
    assert.match(uninstalledOf(join('scripts', 'bundle.mjs')) ?? '', /imports rolldown/);
    assert.match(uninstalledOf(join('scripts', 'mutate.mjs')) ?? '', /is TypeScript/);
    assert.match(uninstalledOf(join('scripts', 'client-document.mjs')) ?? '', /uses node24/);
    assert.equal(uninstalledOf(join('scripts', 'start.mjs')), undefined);
  });
});
