import { registerHooks } from 'node:module';

const KEY = 'mcpSwitchboardStubbedEditor';

/**
 * Loads modules that import the editor's API outside of an editor: they see `stub` in its place, with what the tests of
 * one file need. The first stub that a module is loaded with stays.
 */
export async function withStubbedEditor<T>(
  stub: Readonly<Record<string, unknown>>,
  load: () => Promise<T>,
): Promise<T> {
  Object.assign(globalThis, { [KEY]: stub });
  const code = `export const { ${Object.keys(stub).join(', ')} } = globalThis.${KEY};`;
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
