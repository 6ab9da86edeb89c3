import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SwitchboardError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Scope } from '../../config/configTypes.ts';
import type { Attempt } from './dialPlan.ts';
import { parseEnvFile } from './envFile.ts';
import { buildEnvironment } from './serverEnvironment.ts';
import type { GuardHooks } from '../protocol/guardedTransport.ts';
import { runHeadersHelper } from './headersHelper.ts';
import type { LaunchSpec } from '../stdio/spawnServer.ts';
import type { Link } from '../link.ts';
import { MemoryLink } from '../memoryLink.ts';
import type { ProcessKeeper } from '../process/processGuard.ts';
import { RemoteLink } from '../http/httpLink.ts';
import { SocketLink } from '../webSocket/webSocketLink.ts';
import { StdioLink } from '../stdio/stdioLink.ts';
import type { PoolPorts } from '../poolPorts.ts';
import type { ConnectionSpec, InProcessServer } from '../connectionTypes.ts';
import { STOP_GRACE } from '../process/stopGrace.ts';

/** A specification with everything gathered that one attempt needs: files read, helpers run. */
export type ReadySpec =
  | { readonly type: 'stdio'; readonly launch: LaunchSpec }
  | {
      readonly type: 'remote';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly renewable: boolean;
    }
  | { readonly type: 'sdk'; readonly server: InProcessServer };

export interface GatherContext {
  readonly ports: PoolPorts;
  readonly scope: Scope;
  readonly fetch: typeof fetch;
  readonly keeper: ProcessKeeper;
  /** Told of each line that a local server writes on stderr. */
  readonly onStderr: (line: string) => void;
  /** `PATH` as the login shell has it. */
  readonly loginPath: () => Promise<string | undefined>;
}

/** Where a server in this process is told that it is. */
const IN_PROCESS_URL = 'http://in-process.invalid/mcp';

/** @throws SwitchboardError `unresolved-variable` for an `envFile` or `headersHelper` that fails, `unsupported` for no URL */
export async function gather(spec: ConnectionSpec, context: GatherContext): Promise<ReadySpec> {
  switch (spec.type) {
    case 'stdio':
      await context.keeper.sweep();
      return { type: 'stdio', launch: await launchSpecOf(spec, context) };
    case 'sdk':
      return { type: 'sdk', server: spec.server };
    default: {
      if (!URL.canParse(spec.url)) {
        throw new SwitchboardError('unsupported', `"${spec.url}" is not a URL.`, {
          remedy: 'Write it with its scheme, e.g. https://example.com/mcp.',
        });
      }
      const { headersHelper } = spec;
      const helped = headersHelper === undefined ? {} : await helperHeaders(headersHelper, context);
      const headers = { ...spec.headers, ...helped };
      return { type: 'remote', url: spec.url, headers, renewable: headersHelper !== undefined };
    }
  }
}

/** Makes the link for one attempt. */
export function openLink(
  sdk: typeof import('../protocol/sdk.ts'),
  ready: ReadySpec,
  attempt: Attempt,
  leftOut: string[],
  options: Pick<GatherContext, 'ports' | 'fetch' | 'keeper' | 'onStderr'> & { readonly logger: Logger },
): Link {
  const { ports, logger } = options;
  const hooks: GuardHooks = {
    onLeftOut: (sentences) => leftOut.push(...sentences),
    onStrayAnswer: (id) => logger.log('debug', `The server answered ${JSON.stringify(id)}, which nobody waits for.`),
  };
  const common = { clock: ports.clock, logger, hooks };
  if (ready.type === 'stdio') {
    const { keeper, onStderr } = options;
    return new StdioLink({
      ...common,
      spec: ready.launch,
      platform: ports.platform,
      grace: STOP_GRACE.orderly,
      keeper,
      onStderr,
    });
  }
  if (ready.type === 'sdk') {
    const { server } = ready;
    if (server.kind === 'transport')
      return new MemoryLink(() => sdk.InMemoryTransport.createLinkedPair(), server, hooks);
    const fetch: typeof globalThis.fetch = (input, init) => server.fetch(new Request(input, init));
    return new RemoteLink({ ...common, sdk, kind: 'http', url: IN_PROCESS_URL, headers: {}, fetch, renewable: false });
  }
  const { url, headers, renewable } = ready;
  if (attempt.transport === 'ws') {
    const webSocket = ports.webSocket ?? WebSocket;
    return new SocketLink({ ...common, url, headers, fetch: options.fetch, webSocket });
  }
  const kind = attempt.transport === 'sse' ? 'sse' : 'http';
  return new RemoteLink({ ...common, sdk, kind, url, headers, fetch: options.fetch, renewable });
}

async function launchSpecOf(
  spec: Extract<ConnectionSpec, { type: 'stdio' }>,
  { ports, scope, loginPath }: GatherContext,
): Promise<LaunchSpec> {
  const home = (path: string): string => expandHome(path, ports.homeDir);
  const cwd = spec.cwd === undefined ? ports.homeDir : resolve(ports.homeDir, home(spec.cwd));
  const fromFile = spec.envFile === undefined ? {} : await readEnvFile(resolve(cwd, home(spec.envFile)));
  const path = await loginPath();
  return {
    command: home(spec.command),
    args: spec.args,
    cwd,
    env: buildEnvironment({
      scope,
      inheritance: ports.settings().environment ?? 'byScope',
      platform: ports.platform,
      host: ports.hostEnvironment,
      entry: { ...fromFile, ...spec.env },
      ...(path === undefined ? {} : { loginPath: path }),
    }),
  };
}

async function helperHeaders(
  commandLine: string,
  { ports, scope, loginPath }: GatherContext,
): Promise<Readonly<Record<string, string>>> {
  const path = await loginPath();
  const { clock, platform, homeDir, hostEnvironment: host } = ports;
  const env = buildEnvironment({
    scope,
    inheritance: ports.settings().environment ?? 'byScope',
    platform,
    host,
    entry: {},
    ...(path === undefined ? {} : { loginPath: path }),
  });
  return runHeadersHelper(commandLine, { env, cwd: homeDir, clock, platform });
}

async function readEnvFile(file: string): Promise<Record<string, string>> {
  try {
    return parseEnvFile(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new SwitchboardError('unresolved-variable', `The envFile ${file} can't be read.`, {
      remedy: 'Create it, or correct "envFile" in the server\'s definition.',
      cause,
    });
  }
}

/** `~/x`, as users write it in definitions. */
function expandHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? homeDir + path.slice(1) : path;
}
