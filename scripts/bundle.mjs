// node scripts/bundle.mjs [--production] [--watch] [--out DIR]: bundles the extension into dist/.
//
// The bundler splits by itself: what activation needs is extension.js, each dynamic import is a file of its own that is
// loaded on first use, and what several of them share is in files that they load. out/dist.json says what is in which.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown, watch } from 'rolldown';
import { buildIdentity } from './lib/build-identity.mjs';
import { emptyBundleFolder } from './lib/bundle-folder.mjs';
import { forNode, sdkAlias } from './lib/bundle-module.mjs';
import { joinChunks } from './lib/join-chunks.mjs';
import { loadedByRequire } from './lib/loaded-by-require.mjs';
import { packedModule } from './lib/packed-module.mjs';
import { packedTexts, writePackedTexts } from './lib/packed-texts.mjs';
import { root } from './lib/paths.mjs';

const { values } = parseArgs({
  options: { production: { type: 'boolean' }, watch: { type: 'boolean' }, out: { type: 'string' } },
});
const isProduction = values.production === true;
const folder = resolve(root, values.out ?? 'dist');

/**
 * Processes of ours: files of their own, since they must load nothing that needs the editor. The first checks schemas, the second runs
 * scripts (its interpreter is beside it, packed), the last ends servers on Windows when the extension host is gone.
 * @type {import('rolldown').InputOptions[]}
 */
const processes = [
  'src/calls/arguments/schemaWorker.ts',
  'src/calls/script/scriptWorker.ts',
  'src/connection/process/windowsWatchdog.ts',
].map((file) => ({ ...forNode, input: file }));
const INTERPRETER = 'quickjs.wasm.br';
/** @param {string} source */
const bundledName = (source) => `${basename(source, '.ts')}.js`;
const processFiles = processes.map(({ input: file }) => bundledName(file));

/** @type {import('rolldown').InputOptions} */
const input = {
  ...forNode,
  input: 'src/extension.ts',
  external: ['vscode'],
  // The activation stays one file: what others share with it is exported there.
  preserveEntrySignatures: 'allow-extension',
  plugins: [
    packedModule('synonymTable.ts'),
    packedTexts(),
    loadedByRequire('api.ts'),
    {
      name: 'short imports',
      // Each `import()` becomes `Promise.resolve().then(…)`, which activation has some eighty times.
      renderChunk: (code, { fileName }) =>
        isProduction && fileName === 'extension.js'
          ? `const later_ = (load) => Promise.resolve().then(load);\n${code.replaceAll('Promise.resolve().then(', 'later_(')}`
          : null,
    },
    {
      name: 'shim of OpenTelemetry',
      // Not an alias: metrics and logs, which aren't bundled, would look for more in it.
      resolveId: (source, importer) =>
        source === '@opentelemetry/api' && importer?.endsWith('protobuf-writer.mjs')
          ? join(root, 'src/calls/tracing/otelShim.ts')
          : undefined,
    },
    {
      name: 'processes',
      resolveId: (source) =>
        processFiles.includes(bundledName(source))
          ? { id: `./${bundledName(source)}`, external: 'relative' }
          : undefined,
    },
  ],
  resolve: { ...forNode.resolve, alias: sdkAlias },
};

/**
 * What agents outside the editor start: a file of its own, since it is copied out of the extension.
 * @type {import('rolldown').InputOptions}
 */
const command = { ...forNode, input: 'src/bridge/gateway/outside/connect.ts' };

/**
 * A recording as a server: a file of its own, since any client may start it, without an editor.
 * @type {import('rolldown').InputOptions}
 */
const replay = { ...forNode, input: 'src/connection/recording/replay/replay.ts' };

/**
 * What runs in each page: for a browser, and loaded when a page is opened.
 * @type {import('rolldown').InputOptions}
 */
const page = { cwd: root, platform: 'browser', input: 'src/ui/pages/front/page.ts' };
/**
 * What stands around an app of a server, in the same way.
 * @type {import('rolldown').InputOptions}
 */
const appView = { cwd: root, platform: 'browser', input: 'src/bridge/apps/front/appView.ts' };
const styles = ['src/ui/pages/front/page.css', 'src/bridge/apps/front/app.css'];

const inputs = [input, command, replay, ...processes, page, appView];

/** @type {import('rolldown').OutputOptions} */
const output = {
  dir: folder,
  // Not ES modules: in the extension host those cost a little more (see CONTRIBUTING).
  format: 'cjs',
  chunkFileNames: '[name].js',
  minify: isProduction,
  sourcemap: !isProduction,
  comments: false,
};

if (values.out === undefined) rmSync(folder, { recursive: true, force: true });
else emptyBundleFolder(folder);
if (values.watch) {
  copyFiles();
  const watcher = watch(inputs.map((each) => ({ ...each, output: outputOf(each) })));
  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_END') console.log(`bundled in ${event.duration} ms`);
    if (event.code === 'ERROR') console.error(event.error);
    if ('result' in event) void event.result?.close();
  });
} else {
  const files = [];
  /** @type {Map<string, string>} */
  let joined = new Map();
  for (const each of inputs) {
    const bundle = await rolldown(each);
    const { output: written } = await bundle.write(outputOf(each));
    files.push(...written);
    // Not for those who debug: each file has its map.
    if (each === input && isProduction)
      joined = joinChunks(
        folder,
        written.filter((file) => file.type === 'chunk'),
      );
    await bundle.close();
  }
  copyFiles();
  if (isProduction)
    writeFileSync(join(folder, 'build.json'), `${JSON.stringify({ commit: buildIdentity().commit })}\n`);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out', `${basename(folder)}.json`), JSON.stringify(contentsOf(files, joined)));
}

/**
 * A page can't load modules, and its program is put into its document, which a map would be useless in.
 * @param {import('rolldown').InputOptions} each
 */
function outputOf(each) {
  if (each === page || each === appView) return { ...output, format: 'iife', sourcemap: false };
  // What a process imports when it is loaded stands in its own file.
  return processes.includes(each) ? { ...output, codeSplitting: false } : output;
}

function copyFiles() {
  mkdirSync(folder, { recursive: true });
  for (const style of styles) copyFileSync(join(root, style), join(folder, basename(style)));
  const interpreter = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  writeFileSync(join(folder, INTERPRETER), packed(readFileSync(interpreter)));
  writePackedTexts(folder);
}

/** Brotli takes a sixth less than a zip file does. @param {Buffer} data */
function packed(data) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const quality = isProduction ? constants.BROTLI_MAX_QUALITY : 5;
  return brotliCompressSync(data, {
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: 22, [BROTLI_PARAM_SIZE_HINT]: data.length },
  });
}

/**
 * By file: the modules in it, what it loads at once and on first use, and which file on disk holds it.
 * @param {readonly import('rolldown').RolldownOutput['output'][number][]} files
 * @param {ReadonlyMap<string, string>} joined
 */
function contentsOf(files, joined) {
  const chunks = files.filter((file) => file.type === 'chunk');
  return Object.fromEntries(
    chunks.map(({ fileName, modules, imports, dynamicImports }) => [
      fileName,
      {
        // The bundler's own helpers are in no file.
        modules: Object.keys(modules)
          .filter((id) => !id.startsWith('\0'))
          .map((id) => relative(root, id).split(sep).join('/')),
        imports,
        dynamicImports: dynamicImports.map((file) => basename(file)),
        file: joined.get(fileName) ?? fileName,
      },
    ]),
  );
}
