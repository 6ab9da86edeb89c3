import { registerHooks } from 'node:module';

const KEY = 'mcpSwitchboardStubbedEditor';

let instances = 0;

/**
 * Loads modules that import the editor's API outside of an editor: they see `stub` in its place, with what the tests of
 * one file need. The first stub that a module is loaded with stays, also for other files of the same run.
 * @param isOwn loads the modules of ui, bridge and platform anew, for this stub alone
 */
export async function withStubbedEditor<T>(
  stub: Readonly<Record<string, unknown>>,
  load: () => Promise<T>,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): Promise<T> {
  const instance = isOwn ? `?stub=${(instances += 1)}` : '';
  Object.assign(globalThis, { [KEY]: stub });
  const code = `export const { ${Object.keys(stub).join(', ')} } = globalThis.${KEY}; // ${instance}`;
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'vscode') return { url, format: 'module', shortCircuit: true };
      const found = next(specifier, context);
      return /\/src\/(?:ui|bridge|platform)\//.test(found.url) ? { ...found, url: found.url + instance } : found;
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
