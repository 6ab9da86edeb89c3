import { registerHooks } from 'node:module';

const KEY = 'mcpSwitchboardStubbedEditor';
/** The rooms of `src` that import the editor's API. */
const OF_EDITOR = /\/src\/(?:bridge|platform|ui)\/[^?]+$/;
const COPY = /\?stub=(\d+)$/;
/** Where each copy finds its editor. */
const editors: string[] = [];
let loading: number | undefined;

/**
 * Loads modules that import the editor's API outside of an editor: they see `stub` in its place, with what the tests of
 * one file need. Each call loads its own copies of them, whatever other tests of the process have loaded; what these load
 * later belongs to them.
 */
export async function withStubbedEditor<T>(
  stub: Readonly<Record<string, unknown>>,
  load: () => Promise<T>,
): Promise<T> {
  if (editors.length === 0) registerHooks({ resolve });
  const key = `${KEY}${editors.length}`;
  Object.assign(globalThis, { [key]: stub });
  const code = `export const { ${Object.keys(stub).join(', ')} } = globalThis.${key};`;
  loading = editors.push(`data:text/javascript,${encodeURIComponent(code)}`) - 1;
  try {
    return await load();
  } finally {
    loading = undefined;
  }
}

const resolve: NonNullable<Parameters<typeof registerHooks>[0]['resolve']> = (specifier, context, next) => {
  const ofParent = COPY.exec(context.parentURL ?? '')?.[1];
  const copy = ofParent === undefined ? loading : Number(ofParent);
  if (copy === undefined) return next(specifier, context);
  if (specifier === 'vscode') return { url: editors[copy] ?? '', format: 'module', shortCircuit: true };
  const found = next(specifier, context);
  return OF_EDITOR.test(found.url) ? { ...found, url: `${found.url}?stub=${copy}` } : found;
};
