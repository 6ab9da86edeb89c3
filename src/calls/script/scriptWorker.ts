// Loaded with the first script. A file of its own, since a process loads it without the editor.
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { endWithParent } from '../endWithParent.ts';
import { ScriptVm } from './scriptVm.ts';
import type { ScriptMessage } from './scriptTypes.ts';

/** Tells this module that it is the process. */
const ROLE = 'mcp-switchboard-script-worker';
/** What the process may hold beside the interpreter's own memory, in MB. */
const MAX_MEMORY_MB = 128;

/**
 * Starts this module in a process of its own. It has no environment of ours, is ended with each question, and can be ended at any
 * time. Its first message says that it is ready; each other one is a `ScriptState`, the answer to a `ScriptMessage`.
 */
export function startScriptWorker(file = fileURLToPath(import.meta.url)): ChildProcess {
  const { SystemRoot } = process.env;
  return fork(file, [ROLE], {
    env: { ELECTRON_RUN_AS_NODE: '1', TZ: 'UTC', ...(SystemRoot === undefined ? {} : { SystemRoot }) },
    execArgv: [`--max-old-space-size=${MAX_MEMORY_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** The interpreter: packed beside this file where it is shipped, the package's own file elsewhere. */
async function loadQuickJs(): Promise<QuickJSWASMModule> {
  const packed = new URL('quickjs.wasm.br', import.meta.url);
  const bytes = existsSync(packed)
    ? brotliDecompressSync(readFileSync(packed))
    : readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
  const wasmBinary = Uint8Array.from(bytes).buffer;
  // Its types are those of its other format, which has a module around it.
  return newQuickJSWASMModuleFromVariant(newVariant(variant as unknown as QuickJSSyncVariant, { wasmBinary }));
}

async function serve(): Promise<void> {
  // A function of the interpreter itself, such as `indexOf`, asks nobody whether it may go on.
  endWithParent();
  const clock = performance.now.bind(performance);
  const quickJs = await loadQuickJs();
  let vm: ScriptVm | undefined;
  process.on('message', (message: ScriptMessage) => {
    if ('task' in message) {
      const { task } = message;
      // All that the interpreter asks for the time: it seeds its random numbers with it, too.
      Date.now = () => task.at;
      performance.now = () => 0;
      vm = new ScriptVm(quickJs, task, clock);
      process.send?.(vm.start());
    } else {
      process.send?.(vm?.goOn(message.round));
    }
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

if (process.argv[2] === ROLE) void serve();
