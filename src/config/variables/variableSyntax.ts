/** How to deal with what `scanVariables` finds. */
export interface VariableHandler {
  /** `%VAR%` is a variable, too. */
  readonly percent: boolean;
  lookUp(variable: string): string | undefined;
  onMissing(variable: string): void;
}

/** Defaults inside defaults. */
const MAX_DEPTH = 20;

const PERCENT_NAME = /%([A-Za-z_][A-Za-z0-9_()]*)%/y;

/** The text with its variables replaced; one without a value is told to `onMissing` and stays. */
export function scanVariables(text: string, handler: VariableHandler): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = nextStart(text, at, handler.percent);
    if (start < 0) return result + text.slice(at);
    const variable = variableAt(text, start, handler);
    result += text.slice(at, start) + (variable ? variable.value : text.charAt(start));
    at = variable ? variable.end : start + 1;
  }
}

/** The text with each variable, as it is written, put through `replace`. `before`: the result so far. */
export function replaceVariables(text: string, replace: (written: string, before: string) => string): string {
  const handler = { percent: false, lookUp: () => '', onMissing: () => undefined };
  let result = '';
  let at = 0;
  for (;;) {
    const start = nextStart(text, at, false);
    if (start < 0) return result + text.slice(at);
    const end = variableAt(text, start, handler)?.end;
    result += text.slice(at, start);
    result += end === undefined ? text.charAt(start) : replace(text.slice(start, end), result);
    at = end ?? start + 1;
  }
}

/** Where the next variable may begin; -1 for nowhere. */
function nextStart(text: string, from: number, percent: boolean): number {
  const dollar = text.indexOf('$', from);
  if (!percent) return dollar;
  const sign = text.indexOf('%', from);
  return dollar < 0 || (sign >= 0 && sign < dollar) ? sign : dollar;
}

function variableAt(text: string, at: number, handler: VariableHandler): { value: string; end: number } | undefined {
  if (text.startsWith('${', at)) {
    const end = closingBrace(text, at + 2);
    if (end === undefined) return undefined;
    if (end !== 'too-deep') return { value: braced(text.slice(at + 2, end), handler), end: end + 1 };
    handler.onMissing(text.slice(at + 2, at + 40));
    return { value: '', end: text.length };
  }
  if (handler.percent && text[at] === '%') {
    PERCENT_NAME.lastIndex = at;
    const match = PERCENT_NAME.exec(text);
    const value = match?.[1] === undefined ? undefined : handler.lookUp(`env:${match[1]}`);
    // As in a Windows shell, `%X%` of an unknown X is only text.
    return match && value !== undefined ? { value, end: at + match[0].length } : undefined;
  }
  return undefined;
}

/** The end of a variable that may hold others in its default; `undefined` where there is none. */
function closingBrace(text: string, from: number): number | 'too-deep' | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
    if (depth > MAX_DEPTH) return 'too-deep';
  }
  return undefined;
}

/** @param inner what stands between `${` and `}` */
function braced(inner: string, handler: VariableHandler): string {
  const dash = inner.indexOf(':-');
  // A name has no variables in it: a `:-` after one is that one's.
  if (dash < 0 || inner.lastIndexOf('${', dash) >= 0) return found(inner, handler);
  const value = handler.lookUp(inner.slice(0, dash));
  return value === undefined || value === '' ? scanVariables(inner.slice(dash + 2), handler) : value;
}

function found(variable: string, handler: VariableHandler): string {
  const value = handler.lookUp(variable);
  if (value === undefined) handler.onMissing(variable);
  return value ?? '';
}

/**
 * `~` and `~/` at the start of a path as the home folder.
 * @param written the text before expansion: a `~` that comes out of a variable is only a letter
 */
export function homeExpanded(
  expanded: string,
  written: string,
  context: { readonly userHome: string; readonly platform: NodeJS.Platform },
): string {
  const isHome =
    written === '~' || written.startsWith('~/') || (context.platform === 'win32' && written.startsWith('~\\'));
  return isHome ? context.userHome + expanded.slice(1) : expanded;
}

/** The variables that a text needs or may need (those in defaults, too), each once, in order. */
export function variablesIn(text: string, options: { readonly percent?: boolean } = {}): string[] {
  const names = new Set<string>();
  scanVariables(text, {
    percent: options.percent ?? false,
    lookUp: (variable) => {
      names.add(variable);
      return '';
    },
    onMissing: (variable) => names.add(variable),
  });
  return [...names];
}
