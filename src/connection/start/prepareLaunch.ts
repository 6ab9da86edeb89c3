import { resolve } from 'node:path';
import { SwitchboardError } from '../../base/errors.ts';
import { MAX_FOLDER_FILE_BYTES, readRegularFile } from '../../base/regularFile.ts';
import type { Scope } from '../../config/configTypes.ts';
import { runHeadersHelper } from './headersHelper.ts';
import { buildEnvironment } from './serverEnvironment.ts';
import type { LaunchSpec } from '../stdio/spawnServer.ts';
import type { PoolPorts } from '../poolPorts.ts';
import type { ProcessGuard } from '../process/processGuard.ts';
import type { ConnectionSpec, InProcessServer } from '../connectionTypes.ts';

/** All that a link needs: files are read, helpers have run, the environment is complete. */
export type PreparedLaunch =
  | { readonly type: 'process'; readonly launch: LaunchSpec }
  | {
      readonly type: 'remote';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** A `headersHelper` can give new headers. */
      readonly renewable: boolean;
    }
  | { readonly type: 'in-process'; readonly server: InProcessServer };

export interface LaunchOptions {
  readonly ports: PoolPorts;
  readonly scope: Scope;
  readonly guard: ProcessGuard;
  /** The folder for a process that gets nothing of the opened one. */
  readonly neutralFolder: () => Promise<string>;
  /** `PATH` of the login shell. */
  readonly loginPath: () => Promise<string | undefined>;
}

/**
 * Prepares what to launch or reach.
 *
 * @throws SwitchboardError `unresolved-variable` for an `envFile` or `headersHelper` that fails, `unsupported` for an
 * invalid URL
 */
export async function prepareLaunch(spec: ConnectionSpec, options: LaunchOptions): Promise<PreparedLaunch> {
  switch (spec.type) {
    case 'stdio':
      // Leftovers of a crash may hold a lock or a port that the server needs.
      await options.guard.sweep();
      return { type: 'process', launch: await processLaunch(spec, options) };
    case 'sdk':
      return { type: 'in-process', server: spec.server };
    default: {
      if (!URL.canParse(spec.url)) {
        throw new SwitchboardError('unsupported', `"${spec.url}" is not a URL.`, {
          remedy: 'Write it with its scheme, e.g. https://example.com/mcp.',
        });
      }
      const headers = { ...spec.headers, ...(await helperHeaders(spec.headersHelper, options)) };
      return { type: 'remote', url: spec.url, headers, renewable: spec.headersHelper !== undefined };
    }
  }
}

const END_OF_LINE = String.raw`(?=[^\S\n]*(?:#.*)?$)`;
const VARIABLE = new RegExp(
  String.raw`^[^\S\n]*(?:export[^\S\n]+)?([A-Za-z_][\w.-]*)[^\S\n]*=[^\S\n]*(` +
    String.raw`'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|'[^']*'${END_OF_LINE}|"(?:[^"\\]|\\[^])*"${END_OF_LINE}|.*)`,
  'gm',
);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * The variables in the text of an `envFile`: an optional `export`, single quotes without escapes, double quotes with
 * `\n`, `\r`, `\t`, `\"` and `\\`, both over several lines, and ` #` comments. Other lines are skipped. Not
 * `util.parseEnv`: that cuts values at `\"` and at each `#`, as in `PASSWORD=a#b`.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return Object.fromEntries([...lines.matchAll(VARIABLE)].map(([, name = '', raw = '']) => [name, unquote(raw)]));
}

function unquote(raw: string): string {
  const single = /^'([^']*)'/.exec(raw);
  if (single) return single[1] ?? '';
  const double = /^"((?:[^"\\]|\\[^])*)"/.exec(raw);
  if (double) return (double[1] ?? '').replace(/\\([^])/g, (_all, char: string) => ESCAPES[char] ?? char);
  return raw.replace(/\s+#.*$/, '').trimEnd();
}

async function processLaunch(
  spec: Extract<ConnectionSpec, { type: 'stdio' }>,
  options: LaunchOptions,
): Promise<LaunchSpec> {
  const { homeDir } = options.ports;
  const home = (path: string): string => expandHome(path, homeDir);
  const cwd = spec.cwd === undefined ? await options.neutralFolder() : resolve(homeDir, home(spec.cwd));
  const fromFile = spec.envFile === undefined ? {} : await readEnvFile(resolve(cwd, home(spec.envFile)));
  const env = await environment({ ...fromFile, ...spec.env }, options);
  return { command: home(spec.command), args: spec.args, cwd, env };
}

async function helperHeaders(
  commandLine: string | undefined,
  options: LaunchOptions,
): Promise<Readonly<Record<string, string>>> {
  if (commandLine === undefined) return {};
  const { clock, platform } = options.ports;
  const [env, cwd] = await Promise.all([environment({}, options), options.neutralFolder()]);
  return runHeadersHelper(commandLine, { env, cwd, clock, platform });
}

async function environment(
  entry: Readonly<Record<string, string>>,
  { ports, scope, loginPath }: LaunchOptions,
): Promise<Record<string, string>> {
  const path = await loginPath();
  return buildEnvironment({
    scope,
    inheritance: ports.settings().environment ?? 'byScope',
    platform: ports.platform,
    host: ports.hostEnvironment,
    entry,
    ...(path === undefined ? {} : { loginPath: path }),
  });
}

async function readEnvFile(file: string): Promise<Record<string, string>> {
  try {
    const text = await readRegularFile(file, { maxBytes: MAX_FOLDER_FILE_BYTES });
    if (text === undefined) throw new Error('it does not exist');
    return parseEnvFile(text);
  } catch (cause) {
    throw new SwitchboardError('unresolved-variable', `The envFile ${file} can't be read.`, {
      remedy: 'Create it, or correct "envFile" in the server\'s definition.',
      cause,
    });
  }
}

/** Expands `~` and `~/x`, which definitions may use. */
function expandHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? homeDir + path.slice(1) : path;
}
