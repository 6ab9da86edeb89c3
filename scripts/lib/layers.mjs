// What each part of src/ may import. The linter's overrides, tsconfig.core.json and test/contract/boundaries.test.ts follow
// this list: change it here, then run `npm run docs`.

/** Lowest first: a layer may import those before it. Together with `host` they run in plain Node. */
const CORE = ['base', 'config', 'servers', 'connection', 'catalog', 'calls', 'host'];

/** `name`: a folder or file of src/; `imports`: other parts it may import; `editor`: it may import `vscode`. */
export const layers = [
  ...CORE.map((name, index) => ({ name, imports: CORE.slice(0, index), editor: false })),
  { name: 'doctor', imports: CORE, editor: false },
  { name: 'api.d.ts', imports: [], editor: false },
  { name: 'bridge', imports: [...CORE, 'api.d.ts'], editor: true },
  { name: 'platform', imports: [...CORE, 'bridge'], editor: true },
  { name: 'ui', imports: [...CORE, 'doctor', 'bridge', 'platform'], editor: true },
  {
    name: 'extension.ts',
    imports: [...CORE, 'doctor', 'api.d.ts', 'bridge', 'platform', 'ui'],
    editor: true,
  },
];

/** The parts of src/ that a part must not import. */
export function forbiddenFor({ name, imports }) {
  return layers.map((layer) => layer.name).filter((other) => other !== name && !imports.includes(other));
}

/** The linter's `overrides`. */
export function lintOverrides() {
  return layers.flatMap((layer) => {
    const patterns = [...(layer.editor ? [] : ['vscode']), ...forbiddenFor(layer).map((name) => `**/${globOf(name)}`)];
    if (patterns.length === 0) return [];
    const rules = { 'eslint/no-restricted-imports': ['error', { patterns }] };
    return [{ files: [`src/${globOf(layer.name)}`], rules }];
  });
}

/** What is type-checked without the editor's types. */
export function filesWithoutEditor() {
  return layers.filter(({ editor }) => !editor).map(({ name }) => `src/${name}`);
}

function globOf(name) {
  return name.endsWith('.ts') ? name : `${name}/**`;
}
