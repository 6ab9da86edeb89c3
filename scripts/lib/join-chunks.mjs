import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** In characters. */
const SMALL = 6_000;
const LARGE = 50_000;
/** What runs until the first server has its tools: these modules, and what they import. Nothing else is read from disk and compiled for it. */
const START = [
  'configSources.ts',
  'editorGateway.ts',
  'neededTools.ts',
  'openCatalog.ts',
  'openRecorder.ts',
  'parseSource.ts',
  'planSign.ts',
  'readSourceFile.ts',
  'recorder.ts',
  'resolveTransport.ts',
  'scriptSwitch.ts',
  'sdk.ts',
  'signInNotice.ts',
  'startServer.ts',
  'statusBar.ts',
  'walkthroughSteps.ts',
];
/** What runs when somebody acts, and not with the start of servers or the view of them. */
const LATER =
  /[\\/]src[\\/](?:ui[\\/](?!servers[\\/](?:tree|signs)[\\/])|config[\\/](?:paste|bundles|registry|clients|edit|help)[\\/]|bridge[\\/](?:participant|apps|signIn)[\\/]|doctor[\\/]|connection[\\/]recording[\\/]|calls[\\/]script[\\/])/;
const REQUIRED = /require\((["'`])\.\/([\w-]+\.js)\1\)/g;

/**
 * Puts files of a CommonJS build into three, which a package holds in far fewer bytes than two hundred: small ones that run with the first
 * server, those that run when somebody acts, and the small ones of the others. Each stays a module that is run when it is first required, as before.
 * @param {string} folder
 * @param {readonly import('rolldown').OutputChunk[]} chunks whose files are in the folder
 * @returns {Map<string, string>} the files that aren't there any more, and which file holds each
 */
export function joinChunks(folder, chunks) {
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
  /** @type {Map<string, string>} */
  const joined = new Map();
  const started = startedWith(chunks);
  for (const chunk of chunks) {
    const holder = holderOf(chunk, started.has(chunk.fileName));
    if (holder) joined.set(chunk.fileName, holder);
  }
  /** With modules required from the file that holds them, but for those of its own. */
  const linked = (/** @type {string} */ code, /** @type {string | undefined} */ own) =>
    code.replaceAll(REQUIRED, (whole, _quote, name) => {
      const holder = joined.get(name);
      return holder === undefined || holder === own ? whole : `require("./${holder}")("./${name}")`;
    });
  for (const holder of new Set(joined.values())) {
    // Modules of a folder are alike: beside each other, they are packed tighter.
    const names = chunks
      .filter(({ fileName }) => joined.get(fileName) === holder)
      .map(({ fileName, moduleIds }) => ({ fileName, path: `${placeOf(moduleIds.at(-1))} ${fileName}` }))
      .sort((one, other) => (one.path < other.path ? -1 : 1))
      .map(({ fileName }) => fileName);
    const definitions = names.map(
      (name) => `"./${name}"(exports,require,module){${linked(read(name), holder).trimEnd()}\n}`,
    );
    writeFileSync(join(folder, holder), `${LOADER}const modules={${definitions.join(',\n')}};\n`);
  }
  for (const { fileName } of chunks)
    if (joined.has(fileName)) rmSync(join(folder, fileName));
    else writeFileSync(join(folder, fileName), linked(read(fileName), undefined));
  return joined;
}

/** A module's path, the same wherever the repository is. */
function placeOf(id = '') {
  return id.replaceAll('\\', '/').replace(/^.*\/(?=(?:src|node_modules)\/)/, '');
}

/**
 * The files that run until the first server has its tools.
 * @param {readonly import('rolldown').OutputChunk[]} chunks
 */
function startedWith(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  /** @type {Set<string>} */
  const started = new Set();
  const add = (/** @type {string} */ name) => {
    if (started.has(name)) return;
    started.add(name);
    byName.get(name)?.imports.forEach(add);
  };
  for (const module of START) {
    const chunk = chunks.find(({ moduleIds }) =>
      moduleIds.some((id) => placeOf(id).startsWith('src/') && basename(placeOf(id)) === module),
    );
    if (!chunk) throw new Error(`No file has ${module}, which runs with the first server`);
    add(chunk.fileName);
  }
  return started;
}

/** @param {import('rolldown').OutputChunk} chunk @param {boolean} isStarted */
function holderOf({ isEntry, code, moduleIds }, isStarted) {
  if (isEntry || code.includes('__filename')) return undefined;
  if (isStarted) return code.length < SMALL ? 'start.js' : undefined;
  const own = moduleIds.filter((id) => !id.startsWith('\0'));
  if (code.length < LARGE && own.length > 0 && own.every((id) => LATER.test(id))) return 'later.js';
  return code.length < SMALL ? 'common.js' : undefined;
}

/** As Node loads modules: known before it runs, so that a circle ends. */
const LOADER = `const loaded=new Map();
const load=(name)=>{
  if(!Object.hasOwn(modules,name))return require(name);
  let module=loaded.get(name);
  if(!module){
    loaded.set(name,module={exports:{}});
    try{modules[name](module.exports,load,module)}catch(error){loaded.delete(name);throw error}
  }
  return module.exports
};
module.exports=load;
`;
