/** Variables by which a program runs something else than its arguments say, or finds another configuration that says so. */
const NAMES = [
  // Where programs are looked for, and what is loaded into them.
  'PATH|PATHEXT|COMSPEC|PSMODULEPATH|(?:LD|DYLD)_.*|GCONV_PATH|GLIBC_TUNABLES',
  'QT_PLUGIN_PATH|GTK_(?:MODULES|PATH)|GIO_MODULE_DIR|OPENSSL_(?:CONF|MODULES|ENGINES)',
  // Whose certificates count for what is downloaded.
  'SSL_CERT_(?:FILE|DIR)|(?:REQUESTS|CURL)_CA_BUNDLE|NODE_(?:EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)',
  // Where configuration is looked for.
  'HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|(?:LOCAL)?APPDATA|XDG_\\w+_(?:HOME|DIRS)',
  // Shells, and programs that others start.
  'BASH_ENV|SHELLOPTS|BASHOPTS|IFS|ZDOTDIR|FPATH|PROMPT_COMMAND|SHELL|EDITOR|VISUAL|PAGER|BROWSER',
  'GIT_(?:SSH|EXEC|CONFIG|ASKPASS|EDITOR|PAGER|EXTERNAL|PROXY|TEMPLATE|DIR|SEQUENCE).*',
  // Runtimes.
  'NODE_(?:OPTIONS|PATH|REPL_EXTERNAL_MODULE)|TS_NODE_.*|TSX_.*|PYTHON(?!UNBUFFERED|UTF8|IOENCODING|HASHSEED|DONTWRITE).*',
  'VIRTUAL_ENV|CONDA_.*|PERL5.*|RUBY(?:LIB|OPT)|GEM_(?:HOME|PATH)|BUNDLE_.*|LUA_(?:INIT|PATH|CPATH).*',
  'CLASSPATH|.*JAVA_.*OPTIONS|(?:MAVEN|GRADLE|SBT|ANT|JVM)_(?:OPTS|ARGS)|GO(?:FLAGS|PATH|ROOT|PROXY|ENV)|RUSTC?_?\\w*(?:WRAPPER|FLAGS)',
  'DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE|ROOT.*)|(?:CORECLR|COR|COMPLUS)_.*',
  'PHPRC|PHP_INI_SCAN_DIR|R_(?:PROFILE|ENVIRON|LIBS|HOME).*|JULIA_.*(?:PATH|PROJECT)|ERL_.*|ELIXIR_.*',
  // Package runners and version managers.
  '(?:npm_config|uv|pip|pipx|yarn|pnpm|bun|deno|cargo|docker|corepack|volta|nvm|fnm|mise|asdf|pyenv|rbenv|nodenv|poetry|pdm|hatch|composer|direnv)_.*',
];
const CODE_VARIABLE = new RegExp(`^(?:${NAMES.join('|')})$`, 'i');

/** The first variable of an environment that makes an allowed command run something else. What is well known is known here. */
export function codeVariableIn(environment: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(environment).find((name) => CODE_VARIABLE.test(name.trim()));
}
