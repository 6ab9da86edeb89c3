import { resolve } from 'node:path';
import { SwitchboardError } from '../../base/errors.ts';
import { SECRET_NAME, type SecretValues } from '../../base/text/secrets.ts';
import { addressFault } from '../../config/read/transport/addressFault.ts';
import type { Scope } from '../../config/configTypes.ts';
import { wslFolderFix } from '../../config/variables/wsl.ts';
import { headerFault } from './headerFault.ts';
import { runHeadersHelper } from './headersHelper.ts';
import { buildEnvironment, withheldFrom } from './serverEnvironment.ts';
import type { LaunchSpec } from '../stdio/spawnServer.ts';
import type { PoolPorts } from '../connectionPoolPorts.ts';
import type { ProcessGuard } from '../process/processGuard.ts';
import type { ConnectionSpec, InProcessServer } from '../connectionTypes.ts';
import { say } from '../../base/say.ts';

/** All that a link needs: helpers have run, the environment is complete. */
export type PreparedLaunch =
  | { readonly type: 'process'; readonly launch: LaunchSpec }
  | {
      readonly type: 'remote';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** A `headersHelper` can give new headers. */
      readonly renewable: boolean;
      /** SHA-256 of the one certificate that is trusted there. */
      readonly fingerprint?: string;
    }
  | { readonly type: 'in-process'; readonly server: InProcessServer };

export interface LaunchOptions {
  readonly ports: PoolPorts;
  readonly scope: Scope;
  readonly guard: ProcessGuard;
  /** Receives what a `headersHelper` and the inherited environment give. */
  readonly secrets: SecretValues;
  /** The folder for a process that gets nothing of the opened one. */
  readonly neutralFolder: () => Promise<string>;
  /** `PATH` of the login shell. */
  readonly loginPath: () => Promise<string | undefined>;
}

/**
 * Prepares what to launch or reach.
 *
 * @throws SwitchboardError `unresolved-variable` for a `headersHelper` that fails, `unsupported` for an
 * invalid URL or a header that can't be sent
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
        throw new SwitchboardError('unsupported', say`The value of "url" is not a URL.`, {
          remedy: say`Write it with its scheme, e.g. https://example.com/mcp.`,
        });
      }
      const fault = addressFault(spec.url);
      if (fault !== undefined) throw new SwitchboardError('unsupported', fault);
      const headers = { ...spec.headers, ...(await helperHeaders(spec.headersHelper, options)) };
      const unsendable = headerFault(headers);
      if (unsendable !== undefined) throw new SwitchboardError('unsupported', unsendable.what, unsendable);
      return {
        type: 'remote',
        url: spec.url,
        headers,
        renewable: spec.headersHelper !== undefined,
        ...(spec.tls === undefined ? {} : { fingerprint: spec.tls.fingerprint }),
      };
    }
  }
}

async function processLaunch(
  spec: Extract<ConnectionSpec, { type: 'stdio' }>,
  options: LaunchOptions,
): Promise<LaunchSpec> {
  const { homeDir } = options.ports;
  const home = (path: string): string => expandHome(path, homeDir);
  const fix = spec.cwd === undefined ? undefined : wslFolderFix(spec.command, spec.cwd, options.ports.platform);
  if (fix !== undefined)
    throw new SwitchboardError('cwd-not-found', say`The working directory ${spec.cwd} is a folder of Linux.`, {
      remedy: fix,
    });
  const cwd = spec.cwd === undefined ? await options.neutralFolder() : resolve(homeDir, home(spec.cwd));
  const command = home(spec.command);
  const env = await environment(spec.env, options, command);
  for (const [name, value] of Object.entries(env)) if (SECRET_NAME.test(name)) options.secrets.add(name, value);
  return { command, args: spec.args, cwd, env, withheld: withheldFrom(env, options.ports.hostEnvironment) };
}

async function helperHeaders(
  commandLine: string | undefined,
  options: LaunchOptions,
): Promise<Readonly<Record<string, string>>> {
  if (commandLine === undefined) return {};
  const { clock, platform } = options.ports;
  const [env, cwd] = await Promise.all([environment({}, options), options.neutralFolder()]);
  const headers = await runHeadersHelper(commandLine, { env, cwd, clock, platform });
  for (const [name, value] of Object.entries(headers)) options.secrets.add(name, value);
  return headers;
}

async function environment(
  entry: Readonly<Record<string, string>>,
  { ports, scope, loginPath }: LaunchOptions,
  command: string = '',
): Promise<Record<string, string>> {
  const path = await loginPath();
  return buildEnvironment({
    scope,
    inheritance: ports.settings().environment ?? 'byScope',
    platform: ports.platform,
    host: ports.hostEnvironment,
    entry,
    command,
    ...(path === undefined ? {} : { loginPath: path }),
  });
}

/** Expands `~` and `~/x`, which definitions may use. */
function expandHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? homeDir + path.slice(1) : path;
}
