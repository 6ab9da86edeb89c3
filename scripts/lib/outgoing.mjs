import { isBuiltin } from 'node:module';
import { parseAst } from 'rolldown/parseAst';

/** Modules of Node that reach out of this process, or load one by a name: with what of them doesn't. */
const MODULES = {
  http: ['createServer', 'IncomingMessage', 'Server', 'ServerResponse', 'STATUS_CODES'],
  https: ['createServer', 'Server'],
  http2: ['constants', 'createServer', 'createSecureServer'],
  net: ['BlockList', 'createServer', 'isIP', 'isIPv4', 'isIPv6', 'Server', 'SocketAddress'],
  tls: ['checkServerIdentity', 'createServer', 'rootCertificates', 'Server'],
  quic: [],
  dgram: [],
  dns: [],
  'dns/promises': [],
  child_process: [],
  cluster: [],
  inspector: [],
  'inspector/promises': [],
  module: ['builtinModules', 'isBuiltin'],
  repl: [],
  vm: [],
  wasi: [],
  worker_threads: ['isMainThread', 'parentPort', 'threadId', 'workerData'],
};

/** Those that all globals are members of. */
const GLOBAL_OBJECTS = ['globalThis', 'global', 'window', 'self', 'parent', 'top', 'frames'];
/** Globals that open connections, load code or run it from a text; and those above, where they aren't there for a member that can be read. */
const REACHING = [
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'WebTransport',
  'RTCPeerConnection',
  'require',
  'importScripts',
  'eval',
  'Function',
  ...GLOBAL_OBJECTS,
];

/** Members that do, whatever they are of. */
const MEMBERS = [
  'openExternal',
  'asExternalUri',
  'getSession',
  'sendBeacon',
  'sendRequest',
  'createTelemetryLogger',
  'getBuiltinModule',
  'mainModule',
  '_linkedBinding',
];

/** Commands of the editor that open an address, install something or connect to another machine. */
const COMMANDS =
  /^(?:vscode\.open(?:With|Folder|IssueReporter)?|simpleBrowser\..*|markdown\.showPreview.*|workbench\.(?:extensions\..*[iI]nstall.*|action\.(?:\w*[bB]rowser\w*|openIssueReporter|url\.openUrl)).*|remote\..*)$/;

/** Of TypeScript's own nodes, those that have code in them; the others are types. */
const WITH_CODE =
  /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ParameterProperty|Enum\w*|Module\w*|ExportAssignment|ImportEqualsDeclaration|ExternalModuleReference)$/;

/**
 * What in code may open a connection, start a program or load something by a name that isn't there to read, each once: `fetch`,
 * `https: request`, `import(…)`. Names that the code itself declares, such as a parameter `fetch`, are what it was given.
 * @param {string} code TypeScript
 * @returns {{ ways: string[], packages: string[] }} sorted; `packages`: the packages that it loads, by what it calls them
 */
export function outgoingIn(code) {
  /** @type {Set<string>} */
  const ways = new Set();
  /** @type {Set<string>} */
  const packages = new Set();
  visit(parseAst(code, { lang: 'ts' }), []);
  return { ways: [...ways].sort(), packages: [...packages].sort() };

  /** @param scopes the names that are declared around the node, from the outermost */
  function visit(node, scopes) {
    if ((node.type.startsWith('TS') && !WITH_CODE.test(node.type)) || node.declare === true) return;
    const names = declaredIn(node);
    const inner = names.length > 0 ? [...scopes, new Set(names)] : scopes;
    const isFree = (name) => !inner.some((scope) => scope.has(name));
    for (const child of childrenToVisit(node, isFree)) visit(child, inner);
  }

  /** Looks at a node, and gives those of its children that still are to be. */
  function childrenToVisit(node, isFree) {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (!node.source) break;
        if (node.importKind !== 'type' && node.exportKind !== 'type') imported(node.source.value, node.specifiers);
        return [];
      case 'TSExternalModuleReference':
        loaded(node.expression, 'require');
        return [];
      case 'ImportExpression':
        loaded(node.source, 'import');
        break;
      case 'CallExpression':
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') break;
        loaded(node.arguments[0], 'require');
        return node.arguments;
      case 'Identifier':
        if (isFree(node.name) && REACHING.includes(node.name)) ways.add(node.name);
        break;
      case 'MemberExpression': {
        const name = nameOf(node.property, node.computed);
        if (MEMBERS.includes(name)) ways.add(name);
        if (!isGlobalObject(node.object, isFree)) break;
        // `globalThis.window.fetch`, and what is computed.
        if (name === undefined || REACHING.includes(name)) ways.add(name ?? `${node.object.name}[…]`);
        return node.computed ? [node.property] : [];
      }
      case 'ObjectPattern':
        for (const { key, computed } of node.properties)
          if (key && MEMBERS.includes(nameOf(key, computed))) ways.add(nameOf(key, computed));
        break;
      case 'Literal':
      case 'TemplateLiteral':
        if (COMMANDS.test(nameOf(node, true))) ways.add(nameOf(node, true));
    }
    return Object.entries(node).flatMap(([key, child]) => {
      // Names of members aren't values.
      if ((key === 'property' || key === 'key') && !node.computed) return [];
      return (Array.isArray(child) ? child : [child]).filter((each) => typeof each?.type === 'string');
    });
  }

  /** @param specifiers what of it is named; `undefined`: all of it */
  function imported(source, specifiers) {
    const name = source.replace(/^node:/, '');
    if (!(name in MODULES)) return void (isPackage(source) && hasValues(specifiers) && packages.add(source));
    const harmless = MODULES[name];
    for (const specifier of specifiers?.length ? specifiers : [{ type: 'all' }]) {
      if (specifier.importKind === 'type' || specifier.exportKind === 'type') continue;
      const of = specifier.imported ?? (specifier.type === 'ExportSpecifier' ? specifier.local : undefined);
      const what = of === undefined ? '*' : (of.name ?? of.value);
      if (!harmless.includes(what)) ways.add(`${name}: ${what}`);
    }
  }

  /** What is loaded when the code runs. */
  function loaded(source, how) {
    const name = source && nameOf(source, true);
    if (name === undefined) ways.add(`${how}(…)`);
    else imported(name, undefined);
  }
}

/** Whether any of these is more than a type. */
function hasValues(specifiers) {
  return !specifiers?.length || specifiers.some(({ importKind, exportKind }) => (importKind ?? exportKind) !== 'type');
}

function isPackage(source) {
  return !/^[./#]/.test(source) && !source.startsWith('node:') && !isBuiltin(source) && source !== 'vscode';
}

function isGlobalObject(node, isFree) {
  return node.type === 'Identifier' && GLOBAL_OBJECTS.includes(node.name) && isFree(node.name);
}

/** The name that stands there, as an identifier or as a text; `undefined` where it is computed. */
function nameOf(node, computed) {
  if (!computed && (node.type === 'Identifier' || node.type === 'PrivateIdentifier')) return node.name;
  if (node.type === 'Literal') return String(node.value);
  return node.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : undefined;
}

/** The names that a node declares for what is in it; what is only declared for types (`declare`) isn't there. */
function declaredIn(node) {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      return node.body.flatMap(declaredBy);
    case 'SwitchStatement':
      return node.cases.flatMap(({ consequent }) => consequent.flatMap(declaredBy));
    case 'ForStatement':
      return node.init ? declaredBy(node.init) : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return declaredBy(node.left);
    case 'CatchClause':
      return namesIn(node.param);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [...namesIn(node.id), ...node.params.flatMap(namesIn)];
    case 'ClassExpression':
      return namesIn(node.id);
    default:
      return [];
  }
}

function declaredBy(statement) {
  if (statement.declare === true) return [];
  switch (statement.type) {
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return statement.declaration ? declaredBy(statement.declaration) : [];
    case 'ImportDeclaration':
      return statement.importKind === 'type'
        ? []
        : statement.specifiers.flatMap(({ importKind, local }) => (importKind === 'type' ? [] : namesIn(local)));
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => namesIn(id));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'TSImportEqualsDeclaration':
      return namesIn(statement.id);
    default:
      return [];
  }
}

/** The names in a pattern. */
function namesIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => namesIn(each.type === 'RestElement' ? each.argument : each.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    case 'TSParameterProperty':
      return namesIn(pattern.parameter);
    default:
      return [];
  }
}
