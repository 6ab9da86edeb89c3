import { OWN_SCOPES, type ServerEntry, type TransportSpec } from '../configTypes.ts';

type Stdio = Extract<TransportSpec, { type: 'stdio' }>;

/** The folder of the user's home that has what a portable entry starts. */
export const PORTABLE_FOLDER = '.mcp-switchboard';
/** What the script is called there; not a module, whatever is around it. */
export const PORTABLE_SCRIPT = 'connect.cjs';
/** What the entry is called in a file. */
export const PORTABLE_NAME = 'switchboard';

/** Without a path of a machine: in `node -e`, the modules of Node are there by their names. */
const LOADER = `require(os.homedir()+'/${PORTABLE_FOLDER}/${PORTABLE_SCRIPT}')`;

/**
 * The portable entry: what agents that read a file start to get the servers of the window that has their folder open. It is
 * the same on all machines, has no secret, and takes Node on the PATH.
 */
export const PORTABLE_SPEC: Stdio = { type: 'stdio', command: 'node', args: ['-e', LOADER], env: {} };

/**
 * Whether an entry is a portable one of ours: it never runs here. In a folder's file it is one word for word, since others
 * write those; in the user's own, it may name the machine's Node and the path of the script.
 */
export function isPortable({ transport, scope }: Pick<ServerEntry, 'transport' | 'scope'>): boolean {
  if (transport.type !== 'stdio') return false;
  const { command, args, env, cwd, envFile } = transport;
  const isPlain = Object.keys(env).length === 0 && cwd === undefined && envFile === undefined;
  if (isPlain && command === 'node' && args.length === 2 && args[0] === '-e' && args[1] === LOADER) return true;
  return OWN_SCOPES.has(scope) && args.length === 1 && /[\\/]\.mcp-switchboard[\\/]connect\.cjs$/.test(args[0] ?? '');
}
