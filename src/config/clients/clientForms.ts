import type { ClientId, TransportSpec } from '../configTypes.ts';

type Stdio = Extract<TransportSpec, { type: 'stdio' }>;
type Remote = Exclude<TransportSpec, { type: 'stdio' | 'sdk' }>;
type Members = Record<string, unknown>;

/** How a client writes a definition, as far as it differs from the others. */
export interface ClientForm {
  /** Where its users keep definitions. */
  readonly place: string;
  /** How it writes a variable of the environment; absent: it replaces none. */
  readonly variable?: (name: string) => string;
  /** It takes `${VAR:-default}`. */
  readonly hasDefaults?: true;
  /** Other variables that it replaces. */
  readonly known?: readonly string[];
  /** It has VS Code's `inputs`. */
  readonly hasInputs?: true;
  /** What it calls a time-out of a call, in its own unit; absent: `timeout`. */
  readonly timeout?: string;
  /** What it calls the tools that are offered, and those that aren't; absent: it has no such lists. */
  readonly tools?: readonly [enabled: string | undefined, disabled: string | undefined];
  /** How it says that a server is off; absent: it can't. */
  readonly off?: Readonly<Members>;
  readonly local: (spec: Stdio) => Members;
  readonly remote: (spec: Remote) => Members;
}

const braces = (name: string): string => `\${${name}}`;
const withEnv = (name: string): string => `\${env:${name}}`;
const PREDEFINED = ['workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator', '/'];
const OFF = { disabled: true };

function some(key: string, map: Readonly<Record<string, string>>): Members {
  return Object.keys(map).length > 0 ? { [key]: map } : {};
}

function plainLocal({ command, args, env, cwd, envFile }: Stdio): Members {
  return {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...some('env', env),
    ...(cwd === undefined ? {} : { cwd }),
    ...(envFile === undefined ? {} : { envFile }),
  };
}

/** An address with its type as a client names it. `names`: of Streamable HTTP, also where nobody said which, and of SSE. */
function typedRemote(http: string, sse = 'sse'): ClientForm['remote'] {
  return ({ type, url, headers }) => ({
    type: type === 'sse' ? sse : type === 'ws' ? 'ws' : http,
    url,
    ...some('headers', headers),
  });
}

/** With a type where the definition has one. */
const plainRemote: ClientForm['remote'] = ({ type, url, headers }) => ({
  ...(type === 'url' ? {} : { type }),
  url,
  ...some('headers', headers),
});

const roo: ClientForm = {
  place: '.roo/mcp.json',
  variable: withEnv,
  known: ['workspaceFolder'],
  tools: [undefined, 'disabledTools'],
  off: OFF,
  local: plainLocal,
  remote: typedRemote('streamable-http'),
};

/**
 * What each client's documentation says of its files. Where a client has a single type for addresses, or needs one, a
 * definition that left it open says `http`.
 */
export const CLIENT_FORMS: Readonly<Record<ClientId, ClientForm>> = {
  vscode: {
    place: '.vscode/mcp.json',
    variable: withEnv,
    known: PREDEFINED,
    hasInputs: true,
    local: (spec) => ({ type: 'stdio', ...plainLocal(spec) }),
    remote: typedRemote('http'),
  },
  'claude-code': {
    place: '.mcp.json',
    variable: braces,
    hasDefaults: true,
    local: (spec) => ({ type: 'stdio', ...plainLocal(spec) }),
    // Without a type it takes an entry for one that starts a process.
    remote: (spec) => ({
      ...typedRemote('http')(spec),
      ...(spec.headersHelper ? { headersHelper: spec.headersHelper } : {}),
    }),
  },
  'claude-desktop': { place: 'claude_desktop_config.json', local: plainLocal, remote: plainRemote },
  cursor: {
    place: '.cursor/mcp.json',
    variable: withEnv,
    known: PREDEFINED,
    local: (spec) => ({ type: 'stdio', ...plainLocal(spec) }),
    remote: plainRemote,
  },
  windsurf: {
    place: '~/.codeium/windsurf/mcp_config.json',
    variable: withEnv,
    tools: [undefined, 'disabledTools'],
    off: OFF,
    local: plainLocal,
    remote: ({ type, url, headers }) => ({
      ...(type === 'url' ? {} : { type }),
      serverUrl: url,
      ...some('headers', headers),
    }),
  },
  codex: {
    place: '~/.codex/config.toml',
    timeout: 'tool_timeout_sec',
    tools: ['enabled_tools', 'disabled_tools'],
    off: { enabled: false },
    local: plainLocal,
    remote: codexRemote,
  },
  gemini: {
    place: '.gemini/settings.json',
    variable: braces,
    tools: ['includeTools', 'excludeTools'],
    local: plainLocal,
    remote: ({ type, url, headers }) => ({
      ...(type === 'http' ? { httpUrl: url } : { ...(type === 'url' ? {} : { type }), url }),
      ...some('headers', headers),
    }),
  },
  cline: {
    place: 'cline_mcp_settings.json',
    off: OFF,
    local: (spec) => ({ type: 'stdio', ...plainLocal(spec) }),
    remote: typedRemote('streamableHttp'),
  },
  roo,
  kilo: { ...roo, place: '.kilocode/mcp.json' },
  opencode: {
    place: 'opencode.json',
    variable: (name) => `{env:${name}}`,
    off: { enabled: false },
    local: ({ command, args, env, cwd }) => ({
      type: 'local',
      command: [command, ...args],
      ...some('environment', env),
      ...(cwd === undefined ? {} : { cwd }),
    }),
    remote: ({ url, headers }) => ({ type: 'remote', url, ...some('headers', headers) }),
  },
  zed: {
    place: '~/.config/zed/settings.json',
    off: { enabled: false },
    local: plainLocal,
    remote: ({ url, headers }) => ({ url, ...some('headers', headers) }),
  },
  'amazon-q': {
    place: '.amazonq/mcp.json',
    variable: withEnv,
    off: OFF,
    local: plainLocal,
    remote: typedRemote('http'),
  },
  kiro: {
    place: '.kiro/settings/mcp.json',
    variable: braces,
    tools: [undefined, 'disabledTools'],
    off: OFF,
    local: plainLocal,
    remote: plainRemote,
  },
  // Whether one is on, it keeps in its settings. A list of tools, even of all, is for the hosts that need one.
  copilot: {
    place: '~/.copilot/mcp-config.json',
    variable: braces,
    hasDefaults: true,
    tools: ['tools', undefined],
    local: (spec) => ({ type: 'local', ...plainLocal(spec), args: spec.args, tools: ['*'] }),
    remote: (spec) => ({ ...typedRemote('http')(spec), tools: ['*'] }),
  },
};

/** Codex replaces no variables: it names those of the environment that hold a bearer token and further headers. */
function codexRemote({ url, headers }: Remote): Members {
  const named: Record<string, string> = {};
  const fixed: Record<string, string> = {};
  let bearer: string | undefined;
  for (const [name, value] of Object.entries(headers)) {
    const [, scheme = '', variable] = /^(Bearer )?\$\{(?:env:)?([A-Za-z_]\w*)\}$/.exec(value) ?? [];
    if (variable !== undefined && scheme !== '' && /^authorization$/i.test(name)) bearer = variable;
    else if (variable !== undefined && scheme === '') named[name] = variable;
    else fixed[name] = value;
  }
  return {
    url,
    ...(bearer === undefined ? {} : { bearer_token_env_var: bearer }),
    ...some('env_http_headers', named),
    ...some('http_headers', fixed),
  };
}
