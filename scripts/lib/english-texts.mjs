import { parseAst } from 'rolldown/parseAst';

/** Two words, one after the other. */
const PROSE = /\p{L}{2,}[,;:.!?”’)]* [(“‘]*\p{L}{2,}/u;
/** Paths and media types. */
const NO_PROSE = /^(?:\/|[A-Z]:\\|[a-z]+\/[\w.+-]+[,;])/;
/** What is called with texts that are translated, or that no user reads: logs, answers to programs, faults of a programmer, patterns. */
const HANDLED =
  /^(?:t|(?:vscode\.)?l10n\.t|say``|String\.raw``|RegExp|RpcError|TypeError|RangeError|.*\blog(?:ger)?(?:\(\))?\.log|.*\.(?:abort|cancel|matches|countTokens|startsWith)|.*tolerate|.*LanguageModelTextPart|.*stderr\.write|.*join)$/i;

/**
 * The texts in code that aren't handed on to be translated, `{}` for each value. What only programs read isn't told apart from what users
 * do: the test that calls this says where that is.
 * @param {string} code TypeScript
 * @returns {{ line: number, text: string }[]}
 */
export function englishTexts(code) {
  const texts = [];
  visit(parseAst(code, { lang: 'ts' }), '', (node, user) => {
    const text = textOf(node);
    if (text === undefined || !PROSE.test(text) || NO_PROSE.test(text) || HANDLED.test(user)) return;
    texts.push({ line: code.slice(0, node.start).split('\n').length, text });
  });
  return texts;

  /** @param user what is called with the node, or the tag before it */
  function visit(node, user, seen) {
    seen(node, user);
    for (const [key, child] of Object.entries(node)) {
      const called = userOf(node, key);
      for (const each of Array.isArray(child) ? child : [child])
        if (typeof each?.type === 'string' && !IGNORED.has(each.type)) visit(each, called, seen);
    }
  }

  function userOf(node, key) {
    if ((node.type === 'CallExpression' || node.type === 'NewExpression') && key === 'arguments')
      return code.slice(node.callee.start, node.callee.end);
    return node.type === 'TaggedTemplateExpression' && key === 'quasi'
      ? `${code.slice(node.tag.start, node.tag.end)}\`\``
      : '';
  }
}

/** Types have texts, too. */
const IGNORED = new Set([
  'TSTypeAnnotation',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSLiteralType',
  'ImportDeclaration',
]);

function textOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('{}');
}
