/** A value in a template's `{…}`. */
interface Variable {
  readonly name: string;
  /** `{name:3}`: so many characters of it. */
  readonly prefix?: number;
}

type Part = string | { readonly operator: string; readonly variables: readonly Variable[] };

/** RFC 6570, 2.2 and appendix A: what comes first, between, whether names are written, and whether reserved ones stay. */
const OPERATORS: Readonly<Record<string, { first: string; between: string; named?: boolean; reserved?: boolean }>> = {
  '': { first: '', between: ',' },
  '+': { first: '', between: ',', reserved: true },
  '#': { first: '#', between: ',', reserved: true },
  '.': { first: '.', between: '.' },
  '/': { first: '/', between: '/' },
  ';': { first: ';', between: ';', named: true },
  '?': { first: '?', between: '&', named: true },
  '&': { first: '&', between: '&', named: true },
};

function partsOf(template: string): readonly Part[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) => {
      const [, operator = '', list] = /^\{([+#./;?&]?)([^{}]+)\}$/.exec(text) ?? [];
      return list === undefined ? text : { operator, variables: list.split(',').map(variableOf) };
    });
}

function variableOf(text: string): Variable {
  const [, name = text, prefix] = /^([^:*]+)(?::(\d+))?\*?$/.exec(text.trim()) ?? [];
  return prefix === undefined ? { name } : { name, prefix: Number(prefix) };
}

/** The names of a template's variables, each once, in their order. */
export function templateVariables(template: string): readonly string[] {
  const names = partsOf(template).flatMap((part) =>
    typeof part === 'string' ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}

/**
 * A template with its variables filled in (RFC 6570, level 3 and prefixes, for text values). A variable without a value is
 * left out; an empty text is a value.
 */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return partsOf(template)
    .map((part) => {
      if (typeof part === 'string') return part;
      const { first, between, named, reserved } = OPERATORS[part.operator] ?? { first: '', between: ',' };
      const texts = part.variables.flatMap(({ name, prefix }) => {
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        if (value === undefined) return [];
        const encoded = encode(
          prefix === undefined ? value : Array.from(value).slice(0, prefix).join(''),
          reserved === true,
        );
        if (!named) return [encoded];
        return [encoded === '' && part.operator === ';' ? name : `${name}=${encoded}`];
      });
      return texts.length === 0 ? '' : first + texts.join(between);
    })
    .join('');
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const RESERVED = /[:/?#[\]@!$&'()*+,;=]/;

function encode(text: string, reserved: boolean): string {
  const pieces = reserved ? text.split(/(%[0-9A-Fa-f]{2})/) : [text];
  return pieces
    .map((piece, index) => {
      if (index % 2 === 1) return piece;
      return Array.from(piece.toWellFormed())
        .map((char) => (UNRESERVED.test(char) || (reserved && RESERVED.test(char)) ? char : percent(char)))
        .join('');
    })
    .join('');
}

function percent(char: string): string {
  return [...Buffer.from(char, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
