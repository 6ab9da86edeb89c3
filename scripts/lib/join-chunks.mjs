import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file that holds the small ones. */
export const JOINED = 'common.js';
/** In characters. */
const SMALL = 6_000;
const REQUIRED = /require\((["'`])\.\/([\w-]+\.js)\1\)/g;

/**
 * Puts the small files of a CommonJS build into one, which a package holds in far fewer bytes than two hundred. Each stays a module that is
 * run when it is first required, as before.
 * @param {string} folder
 * @param {readonly import('rolldown').OutputChunk[]} chunks whose files are in the folder
 * @returns {string[]} the files that are in {@link JOINED} now
 */
export function joinSmallChunks(folder, chunks) {
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
  const small = chunks
    .filter(({ isEntry, code }) => !isEntry && code.length < SMALL && !code.includes('__filename'))
    .map(({ fileName }) => fileName)
    .sort();
  const isSmall = new Set(small);
  for (const { fileName } of chunks) {
    if (isSmall.has(fileName)) continue;
    const code = read(fileName).replaceAll(REQUIRED, (whole, _quote, name) =>
      isSmall.has(name) ? `require("./${JOINED}")("./${name}")` : whole,
    );
    writeFileSync(join(folder, fileName), code);
  }
  const definitions = small.map((name) => `"./${name}"(exports,require,module){${read(name).trimEnd()}\n}`);
  writeFileSync(join(folder, JOINED), `${LOADER}const modules={${definitions.join(',\n')}};\n`);
  for (const name of small) rmSync(join(folder, name));
  return small;
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
