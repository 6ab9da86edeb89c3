/**
 * The scopes that a node opens, each with the names that are declared there and the children that are in it: those of the cases of
 * a `switch` don't count for what it looks at, those of the body of a function not for its parameters.
 * @param node of the syntax tree
 * @returns {(child: object) => string[]} the names that the node declares for one of its children
 */
export function declaredFor(node) {
  if (node.type !== 'SwitchStatement') {
    const names = declaredIn(node);
    return () => names;
  }
  const names = node.cases.flatMap(({ consequent }) => consequent.flatMap(declaredBy));
  return (child) => (child === node.discriminant ? [] : names);
}

/** The names that a node declares for what is in it; what is only declared for types (`declare`) isn't there. */
function declaredIn(node) {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      return node.body.flatMap(declaredBy);
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
    case 'TSModuleDeclaration':
      return namesIn(statement.id);
    case 'TSImportEqualsDeclaration':
      return statement.importKind === 'type' ? [] : namesIn(statement.id);
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
