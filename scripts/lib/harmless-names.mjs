/**
 * What code may name and yet reach nothing outside of its process but files: what isn't here is a way out until somebody has looked at it.
 * Used by outgoing.mjs.
 */

/** Modules of Node, each with what of it is harmless; `true`: all. */
export const MODULES = {
  async_hooks: true,
  buffer: true,
  crypto: true,
  diagnostics_channel: true,
  events: true,
  fs: true,
  'fs/promises': true,
  os: true,
  path: true,
  readline: true,
  stream: true,
  'stream/promises': true,
  string_decoder: true,
  'timers/promises': true,
  url: true,
  util: true,
  zlib: true,
  http: ['createServer', 'IncomingMessage', 'Server', 'ServerResponse', 'STATUS_CODES'],
  https: ['createServer', 'Server'],
  http2: ['constants', 'createServer', 'createSecureServer'],
  module: ['builtinModules', 'isBuiltin'],
  net: ['BlockList', 'createServer', 'isIP', 'isIPv4', 'isIPv6', 'Server', 'SocketAddress'],
  tls: ['checkServerIdentity', 'createServer', 'rootCertificates', 'Server'],
  worker_threads: ['isMainThread', 'parentPort', 'threadId', 'workerData'],
};

/** Names that nothing declares. */
export const GLOBALS = new Set(
  `AbortController AbortSignal AggregateError Array BigInt Boolean Buffer DOMException Date Error Float64Array Headers Infinity Int32Array Intl
  JSON Map Math NaN Number Object Promise Proxy RangeError Reflect RegExp Request Response Set String Symbol SyntaxError TextDecoder
  TextEncoder TransformStream TypeError URL URLSearchParams Uint16Array Uint32Array Uint8Array WeakMap WeakSet clearInterval clearTimeout
  crypto decodeURI decodeURIComponent encodeURI encodeURIComponent parseInt performance queueMicrotask setImmediate setInterval setTimeout
  structuredClone undefined
  CSS Element HTMLElement HTMLInputElement HTMLTextAreaElement MutationObserver ResizeObserver acquireVsCodeApi addEventListener document
  getComputedStyle navigator origin requestAnimationFrame`.split(/\s+/),
);

/** Members of `process`. */
export const PROCESS = new Set(
  `arch argv cpuUsage cwd env execPath exit getuid kill nextTick on pid platform ppid send stderr stdin stdout uptime versions`.split(
    ' ',
  ),
);

/** Members of the namespaces of VS Code's API; those that aren't here are ways out as a whole. */
export const EDITOR = {
  authentication: /^(?:getAccounts|onDid\w+)$/,
  chat: /^createChatParticipant$/,
  commands: /^(?:getCommands|registerCommand)$/,
  env: /^(?:app(?:Host|Name)|clipboard|language|remoteName|uiKind|uriScheme)$/,
  extensions: /^(?:all|getExtension)$/,
  languages: /^(?:create|register)\w+$/,
  lm: /^(?:onDid\w+|registerMcpServerDefinitionProvider|registerTool|selectChatModels|tools)$/,
  window:
    /^(?:active(?:ColorTheme|TextEditor)|create(?:InputBox|OutputChannel|QuickPick|StatusBarItem|TreeView|WebviewPanel)|onDid\w+|registerUriHandler|setStatusBarMessage|show\w+|tabGroups|visibleTextEditors|withProgress)$/,
  workspace:
    /^(?:applyEdit|asRelativePath|createFileSystemWatcher|findFiles|fs|getConfiguration|getWorkspaceFolder|isTrusted|onDid\w+|openTextDocument|registerFileSystemProvider|registerTextDocumentContentProvider|textDocuments|workspaceFile|workspaceFolders)$/,
};

/** Commands of the editor that may be run: those of this extension and those that show what is here. */
export const COMMANDS =
  /^(?:mcpSwitchboard\.[\w.]+|list\.toggleSelection|noop|revealFileInOS|setContext|vscode\.diff|welcome\.markStepComplete|workbench\.action\.(?:closeQuickOpen|openSettings|openSettingsJson|openWalkthrough|openWorkspaceSettingsFile|revertAndCloseActiveEditor)|workbench\.trust\.manage|workbench\.mcp\.(?:resetCachedTools|serverOptions|startServer|stopServer))$/;
