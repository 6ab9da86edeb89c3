/** The few variables that the MCP SDKs pass on by default. */
const POSIX = 'HOME LOGNAME PATH SHELL TERM USER';
const WINDOWS = [
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES SYSTEMDRIVE',
  'SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR',
  // Where programs are and what the machine is.
  'PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 ALLUSERSPROFILE PUBLIC OS',
  'NUMBER_OF_PROCESSORS COMPUTERNAME USERDOMAIN',
].join(' ');

/** Proxy, locale, time zone, place of temporary files, certificates. */
const EVERYWHERE =
  'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY LANG LANGUAGE TZ TMPDIR NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NIX_SSL_CERT_FILE';

/** Where the screen, the user's folders and the session's runtime folder are: for programs that open windows. */
const DESKTOP = [
  'DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_SESSION_TYPE XDG_CURRENT_DESKTOP XDG_CONFIG_HOME XDG_CONFIG_DIRS',
  'XDG_DATA_HOME XDG_DATA_DIRS XDG_CACHE_HOME XDG_STATE_HOME WSL_DISTRO_NAME WSL_INTEROP',
].join(' ');

/** Where runtimes and their version managers are: without them, their shims don't find what they stand for. */
const RUNTIMES = [
  'NVM_DIR NVM_HOME NVM_SYMLINK VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH N_PREFIX ASDF_DIR ASDF_DATA_DIR ASDF_CONFIG_FILE',
  'MISE_DATA_DIR MISE_CONFIG_DIR NODENV_ROOT PNPM_HOME BUN_INSTALL DENO_DIR DENO_INSTALL COREPACK_HOME PYENV_ROOT PYENV',
  'RBENV_ROOT SDKMAN_DIR JAVA_HOME JDK_HOME JENV_ROOT GOPATH GOROOT CARGO_HOME RUSTUP_HOME DOTNET_ROOT CONDA_PREFIX',
  'HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY NIX_PROFILES NIX_PATH ANDROID_HOME PLAYWRIGHT_BROWSERS_PATH',
].join(' ');

/**
 * What lends access to something (an agent's keys, a daemon that can do everything, an account) is only for a program that
 * the definition names as its command: who approved `docker` approved that it reaches its daemon.
 */
const OF_PROGRAMS: readonly (readonly [program: RegExp, variables: string])[] = [
  [
    /^(?:docker|docker-compose|podman|nerdctl)$/,
    'DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG DOCKER_CERT_PATH DOCKER_TLS_VERIFY DOCKER_API_VERSION CONTAINER_HOST CONTAINERD_ADDRESS',
  ],
  [/^(?:ssh|git)$/, 'SSH_AUTH_SOCK SSH_AGENT_PID'],
];

/**
 * Says which variables pass to a server that the user doesn't own.
 * @param program the name of the program that the definition starts
 */
export function passedTest(windows: boolean, program: string): (name: string) => boolean {
  const exact = new Set((windows ? WINDOWS : POSIX).split(' '));
  const own = OF_PROGRAMS.filter(([pattern]) => pattern.test(program)).map(([, variables]) => variables);
  const inOwnCase = new Set([DESKTOP, RUNTIMES, ...own].join(' ').split(' '));
  const anyCase = new Set(EVERYWHERE.split(' '));
  return (name) => {
    const upper = name.toUpperCase();
    const cased = windows ? upper : name;
    // Proxy variables are spelled in either case on every system.
    return exact.has(cased) || inOwnCase.has(cased) || anyCase.has(upper) || upper.startsWith('LC_');
  };
}
