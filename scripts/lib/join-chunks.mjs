import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In characters. */
const SMALL = 6_000;
const LARGE = 50_000;
/** What runs when somebody acts, and not with the start of servers or the view of them. */
const LATER =
  /[\\/]src[\\/](?:ui[\\/](?!servers[\\/](?:tree|signs)[\\/])|config[\\/](?:paste|bundles|registry|clients|edit|help)[\\/]|bridge[\\/](?:participant|apps|signIn)[\\/]|doctor[\\/]|connection[\\/]recording[\\/]|calls[\\/]script[\\/])/;
const REQUIRED = /require\((["'`])\.\/([\w-]+\.js)\1\)/g;

/**
 * Puts files of a CommonJS build into two, which a package holds in far fewer bytes than two hundred: those that run when somebody acts, and
 * the small ones of the others. Each stays a module that is run when it is first required, as before.
 * @param {string} folder
 * @param {readonly import('rolldown').OutputChunk[]} chunks whose files are in the folder
 * @returns {Map<string, string>} the files that aren't there any more, and which file holds each
 */
export function joinChunks(folder, chunks) {
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
  /** @type {Map<string, string>} */
  const joined = new Map(chunks.flatMap((chunk) => (holderOf(chunk) ? [[chunk.fileName, holderOf(chunk)]] : [])));
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

/** @param {import('rolldown').OutputChunk} chunk */
function holderOf({ isEntry, code, moduleIds }) {
  if (isEntry || code.includes('__filename')) return undefined;
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
