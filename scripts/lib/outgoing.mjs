import { isBuiltin } from 'node:module';
import { parseAst } from 'rolldown/parseAst';
import { declaredFor } from './declared-names.mjs';
import { COMMANDS, EDITOR, GLOBALS, MODULES, PROCESS } from './harmless-names.mjs';

/** Those that all globals are members of. */
const GLOBAL_OBJECTS = ['globalThis', 'global', 'window', 'self', 'parent', 'top', 'frames'];

/** Members that open connections, start programs, load code or run it from a text, whatever they are of. */
const MEMBERS = new Set(
  `openExternal asExternalUri getSession sendBeacon serviceWorker sendRequest createTelemetryLogger getBuiltinModule mainModule
  _linkedBinding dlopen execve loadExtension setEngine createTerminal executeTask startDebugging invokeTool executeCommand defaultView
  contentWindow insertAdjacentHTML setHTMLUnsafe createContextualFragment exports activate`.split(/\s+/),
);
/** Where functions are, `Function`: as a text that stands anywhere it is the name of a method. */
const CONSTRUCTOR = 'constructor';
/** Classes of VS Code's API that describe something to start or to connect to. */
const DESCRIPTIONS = /^(?:Mcp\w*Definition|\w*Execution|Task|DebugAdapter\w*)$/;
/** Members of elements that load an address or read a text as HTML when they are set. */
const ATTRIBUTES =
  /^(?:src|srcset|srcdoc|href|formAction|poster|background(?:Image)?|cssText|innerHTML|outerHTML|location)$/i;

/** Commands of the editor that open an address, start or install something or connect to another machine, wherever their names stand. */
const REACHING_COMMANDS =
  /^(?:command:)?(?:git\..*|_?workbench\.(?:open|extensions\..*[iI]nstall.*|action\.(?:(?:terminal|tasks|debug|chat)\..*|\w*[bB]rowser\w*|openIssueReporter|url\.openUrl).*)|vscode\.open(?:With|Folder|IssueReporter)?|simpleBrowser\..*|markdown\.showPreview.*|remote\..*)$/;

/** Of TypeScript's own nodes, those that have code in them; the others are types. */
const WITH_CODE =
  /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ParameterProperty|Enum\w*|Module\w*|ExportAssignment|ImportEqualsDeclaration|ExternalModuleReference)$/;

/**
 * What in code may open a connection, start a program or load something by a name that isn't there to read, each once: `fetch`,
 * `https: request`, `import(…)`. Modules of Node, globals and the editor's API are such a way unless harmless-names.mjs has them. Names
 * that the code itself declares, such as a parameter `fetch`, are what it was given.
 * @param {string} code TypeScript
 * @returns {{ ways: string[], packages: string[], files: string[], addresses: string[] }} each sorted; `packages`: what it loads that
 *   is neither Node's nor a file beside it; `files`: those, as it writes them; `addresses`: the beginnings of addresses of the web in its
 *   texts, to the end of the host
 */
export function outgoingIn(code) {
  const ways = new Set();
  const packages = new Set();
  const files = new Set();
  const addresses = new Set();
  const program = parseAst(code, { lang: 'ts' });
  const constants = constantsOf(program);
  visit(program, []);
  return { ways: sorted(ways), packages: sorted(packages), files: sorted(files), addresses: sorted(addresses) };

  /** @param scopes the names that are declared around the node, from the outermost */
  function visit(node, scopes) {
    if ((node.type.startsWith('TS') && !WITH_CODE.test(node.type)) || node.declare === true) return;
    const namesFor = declaredFor(node);
    const inner = [...scopes, new Set(namesFor())];
    const isFree = (name) => !inner.some((scope) => scope.has(name));
    // The outermost scope is the file's.
    const isOfFile = (name) => !inner.slice(1).some((scope) => scope.has(name));
    for (const child of childrenToVisit(node, isFree, isOfFile)) visit(child, [...scopes, new Set(namesFor(child))]);
  }

  /** Looks at a node, and gives those of its children that still are to be. */
  function childrenToVisit(node, isFree, isOfFile) {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (node.exportKind === 'type' || node.importKind === 'type') return [];
        if (!node.source) break;
        imported(node.source.value, node.specifiers);
        return [];
      case 'ExportSpecifier':
        return node.exportKind === 'type' ? [] : [node.local];
      case 'LabeledStatement':
        return [node.body];
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        return [];
      case 'TSExternalModuleReference':
        loaded(node.expression, 'require');
        return [];
      case 'ImportExpression':
        loaded(node.source, 'import');
        break;
      case 'CallExpression':
        return called(node, isOfFile);
      case 'AssignmentExpression':
        if (node.left.type === 'MemberExpression') assigned(node.left.property, node.left.computed);
        break;
      case 'Identifier':
        if (node.name === 'vscode' || (isFree(node.name) && !GLOBALS.has(node.name))) ways.add(node.name);
        return [];
      case 'MemberExpression':
        return member(node, isFree);
      case 'VariableDeclarator':
        return [...new Set([node.id, ...(node.init ? taken(node.id, node.init, isFree) : [])])];
      case 'ObjectPattern':
        for (const { key, computed } of node.properties) if (key) namedMember(nameOf(key, computed));
        break;
      case 'Literal':
      case 'TemplateLiteral':
      case 'BinaryExpression':
        written(node);
    }
    return Object.entries(node).flatMap(([key, child]) => {
      // Names of members aren't values.
      if ((key === 'property' || key === 'key') && !node.computed) return [];
      return (Array.isArray(child) ? child : [child]).filter((each) => typeof each?.type === 'string');
    });
  }

  function called({ callee, arguments: values }, isOfFile) {
    const name = callee.type === 'MemberExpression' ? nameOf(callee.property, callee.computed) : callee.name;
    if (name === 'require' && callee.type === 'Identifier') {
      loaded(values[0], 'require');
      return values;
    }
    if (name === 'executeCommand') {
      for (const command of commandsOf(values[0], isOfFile))
        if (!COMMANDS.test(command ?? '')) ways.add(command ?? 'executeCommand(…)');
      return callee.type === 'MemberExpression' && namespaceOf(callee.object) === 'commands'
        ? values
        : [callee.object ?? callee, ...values];
    }
    if (name === 'setAttribute' || name === 'setAttributeNS') {
      const of = values.at(-2);
      const attribute = of && nameOf(of, true);
      if (attribute === undefined || ATTRIBUTES.test(attribute)) ways.add(`${name}(${attribute ?? '…'})`);
    }
    // `Object.assign(image, { src })` sets what it is given.
    if (name === 'assign')
      for (const { key, computed } of values.slice(1).flatMap(({ properties = [] }) => properties))
        if (key) assigned(key, computed);
    if (callee.object?.name === 'Reflect' && values[1] && nameOf(values[1], true) === CONSTRUCTOR)
      ways.add(CONSTRUCTOR);
    return [callee, ...values];
  }

  /** A member that is set. */
  function assigned(property, computed) {
    const name = nameOf(property, computed);
    if (name !== undefined && ATTRIBUTES.test(name)) ways.add(name);
  }

  /** What a command is called: each that it can be; `undefined`: not to be read. */
  function commandsOf(node, isOfFile) {
    if (node?.type === 'ConditionalExpression')
      return [node.consequent, node.alternate].flatMap((each) => commandsOf(each, isOfFile));
    if (node?.type === 'Identifier') return [isOfFile(node.name) ? constants.get(node.name) : undefined];
    const start = node?.type === 'TemplateLiteral' ? node.quasis[0].value.cooked : '';
    return [start.startsWith('mcpSwitchboard.') ? 'mcpSwitchboard.it' : node && nameOf(node, true)];
  }

  /** What is taken out of a value: `const { fetch } = globalThis` is a member of it. */
  function taken(pattern, object, isFree) {
    if (pattern.type !== 'ObjectPattern' || pattern.properties.some(({ key }) => !key)) return [object];
    return pattern.properties.flatMap(({ key, computed }) => member({ object, property: key, computed }, isFree));
  }

  function member({ object, property, computed }, isFree) {
    const name = nameOf(property, computed);
    const rest = computed ? [property] : [];
    const namespace = namespaceOf(object);
    if (namespace !== undefined && Object.hasOwn(EDITOR, namespace)) {
      if (!namedMember(name) && !EDITOR[namespace].test(name)) ways.add(`${namespace}.${name ?? '[…]'}`);
      return rest;
    }
    if (object.name === 'vscode') {
      // Classes begin with a capital letter, namespaces don't.
      if (name === undefined) ways.add('vscode[…]');
      else if (/^[A-Z]/.test(name) ? DESCRIPTIONS.test(name) : !/^(?:l10n|version)$/.test(name)) ways.add(name);
      return rest;
    }
    const isKnown = namedMember(name);
    const isGlobal = object.type === 'Identifier' && isFree(object.name);
    if (isGlobal && object.name === 'process') {
      if (!isKnown && !PROCESS.has(name)) ways.add(name === undefined ? 'process[…]' : `process.${name}`);
      return rest;
    }
    if (isGlobal && object.name === 'document' && name === 'location') ways.add(name);
    if (!isGlobal || !GLOBAL_OBJECTS.includes(object.name)) return [object, ...rest];
    // `globalThis.window.fetch`, and what is computed.
    if (name === undefined || !GLOBALS.has(name)) ways.add(name ?? `${object.name}[…]`);
    return rest;
  }

  function namedMember(name) {
    const isWay = MEMBERS.has(name) || name === CONSTRUCTOR;
    if (isWay) ways.add(name);
    return isWay;
  }

  function written(node) {
    const text = nameOf(node, true);
    if (text !== undefined && (MEMBERS.has(text) || REACHING_COMMANDS.test(text))) ways.add(text);
    const texts =
      text === undefined && node.type === 'TemplateLiteral'
        ? node.quasis.map(({ value }) => value.cooked)
        : [text ?? ''];
    for (const each of texts)
      for (const [address] of each.matchAll(/(?:https?|wss?):\/\/[\w.:[\]-]*/gi)) addresses.add(address);
  }

  /** @param specifiers what of it is named; `undefined`: all of it */
  function imported(source, specifiers) {
    const named = (specifiers?.length ? specifiers : [{ type: 'all' }]).filter(
      ({ importKind, exportKind }) => (importKind ?? exportKind) !== 'type',
    );
    if (named.length === 0) return;
    if (source === 'vscode') return void named.forEach(importedFromEditor);
    if (/^\.\.?\//.test(source)) return void files.add(source);
    if (!isBuiltin(source) && !source.startsWith('node:')) return void packages.add(source);
    const name = source.replace(/^node:/, '');
    const harmless = Object.hasOwn(MODULES, name) ? MODULES[name] : [];
    for (const specifier of named) {
      const what = importedName(specifier);
      if (MEMBERS.has(what) || (harmless !== true && !harmless.includes(what))) ways.add(`${name}: ${what}`);
    }
  }

  function importedFromEditor(specifier) {
    const name = importedName(specifier);
    if (name === '*' ? specifier.local?.name !== 'vscode' : !/^[A-Z]/.test(name) || DESCRIPTIONS.test(name))
      ways.add(`vscode: ${name}`);
  }

  /** What is loaded when the code runs. */
  function loaded(source, how) {
    const name = source && nameOf(source, true);
    if (name === undefined) ways.add(`${how}(…)`);
    else imported(name, undefined);
  }
}

/** Of names: by their characters. */
function sorted(names) {
  return [...names].sort((a, b) => (a < b ? -1 : 1));
}

/** Which of VS Code's API a node is: `window` for `vscode.window`. */
function namespaceOf(node) {
  return node.type === 'MemberExpression' && node.object.name === 'vscode'
    ? nameOf(node.property, node.computed)
    : undefined;
}

function importedName(specifier) {
  const of = specifier.imported ?? (specifier.type === 'ExportSpecifier' ? specifier.local : undefined);
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  return of === undefined ? '*' : (of.name ?? of.value);
}

/** The texts that the top of a file gives names. */
function constantsOf({ body }) {
  const statements = body.map((each) => (each.type === 'ExportNamedDeclaration' ? each.declaration : each));
  return new Map(
    statements.flatMap((each) =>
      each?.type !== 'VariableDeclaration' || each.kind !== 'const'
        ? []
        : each.declarations.map(({ id, init }) => [id.name, init ? nameOf(init, true) : undefined]),
    ),
  );
}

/** The name that stands there, as an identifier or as a text, also one that is put together; `undefined` where it is computed. */
function nameOf(node, computed) {
  if (!computed && (node.type === 'Identifier' || node.type === 'PrivateIdentifier')) return node.name;
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'TemplateElement') return node.value.cooked;
  if (node.type === 'BinaryExpression' && node.operator === '+') return joined([node.left, node.right]);
  if (node.type !== 'TemplateLiteral') return undefined;
  return joined(node.quasis.flatMap((quasi, at) => [quasi, ...node.expressions.slice(at, at + 1)]));
}

function joined(nodes) {
  const texts = nodes.map((each) => nameOf(each, true));
  return texts.includes(undefined) ? undefined : texts.join('');
}
