import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Keeps the texts that a module exports packed: it becomes a file of its name beside the bundles, a tenth smaller than in the package's
 * own compression, which the module reads when it is loaded.
 * @param {string} name of the module's file, which exports nothing but texts
 * @returns {import('rolldown').Plugin}
 */
export function packedModule(name) {
  const fileName = `${basename(name, '.ts')}.br`;
  return {
    name: 'packed',
    async load(id) {
      if (basename(id) !== name) return undefined;
      const texts = { .../** @type {Record<string, string>} */ (await import(pathToFileURL(id).href)) };
      const packed = brotliCompressSync(JSON.stringify(texts), { params: { [constants.BROTLI_PARAM_LGWIN]: 22 } });
      this.emitFile({ type: 'asset', fileName, source: packed });
      return [
        "import { readFileSync } from 'node:fs';",
        "import { brotliDecompressSync } from 'node:zlib';",
        `const texts = JSON.parse(brotliDecompressSync(readFileSync(new URL(${JSON.stringify(`./${fileName}`)}, import.meta.url))).toString());`,
        ...Object.keys(texts).map((key) => `export const ${key} = texts.${key};`),
      ].join('\n');
    },
  };
}
