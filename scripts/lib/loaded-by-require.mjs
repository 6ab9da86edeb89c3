import { basename } from 'node:path';

/**
 * A module that is loaded on first use by `require('./name.ts')`, where nothing can wait for an `import()`. The bundler splits at
 * `import()` alone: it gets one to see, which becomes a `require` again in what is written.
 * @param {string} file the module's name
 * @returns {import('rolldown').Plugin}
 */
export function loadedByRequire(file) {
  const name = basename(file, '.ts');
  const written = new RegExp(
    `Promise\\.resolve\\(\\)\\.then\\(\\(\\) => (require\\("\\./${name}\\.js"\\))\\)\\.then\\(\\(n\\) => n(\\.\\w+)\\)`,
  );
  const replaced = (/** @type {string} */ code, /** @type {string} */ changed) =>
    // No line moves, so the map stays as it is.
    code === changed ? null : { code: changed, map: null };
  return {
    name: `${name} by require`,
    transform: (code) => replaced(code, code.replace(`require('./${file}')`, `import('./${file}')`)),
    renderChunk(code) {
      const changed = code.replace(written, '$1$2');
      if (changed.includes(`(() => require("./${name}.js"))`)) this.error(`${file} is loaded by import()`);
      return replaced(code, changed);
    },
  };
}
