import { say } from '../../base/say.ts';
import { createScanner, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { ConfigNode } from './configNode.ts';
import { withDoubledBackslashes } from './pathEscapes.ts';
import type { ProblemText, Span } from './sourceText.ts';

/**
 * An error of syntax. `scope` says what it costs: `nothing` (the meaning is clear all the same), `value` (only the value
 * it stands in), `file` (what follows it can't be trusted).
 */
export interface SyntaxFault extends ProblemText {
  readonly code: string;
  readonly span: Span;
  readonly scope: 'nothing' | 'value' | 'file';
}

/** What a syntax makes of a text. */
export interface ParsedText {
  readonly root: ConfigNode | undefined;
  /** In the order of the text. */
  readonly faults: readonly SyntaxFault[];
}

/** As word processors and chats put them in the place of quotes. */
export const TYPOGRAPHIC_QUOTES = /[“”„‟«»‘’‚‛]/u;
export const TYPOGRAPHIC_FIX = say`Replace the typographic quotes with \`"\`.`;

/** The text is nested some thousand levels deep. */
export const tooDeep: SyntaxFault = {
  code: 'too-deep',
  span: { offset: 0, length: 1 },
  scope: 'file',
  message: say`The file is nested too deeply.`,
  fix: say`Check for a run of opening brackets.`,
};

/** Reads JSON with comments and trailing commas. Never throws; `text` has no byte order mark. */
export function readJsonc(text: string): ParsedText {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    return { root, faults: faultsOf(errors, text) };
  } catch (error) {
    // The parser is recursive: a text nested some thousand levels deep exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
    return { root: undefined, faults: [tooDeep] };
  }
}

/** Missing commas told of one text at most: they cost nothing, and nobody reads more. */
const MAX_COMMAS = 500;

/** What comes after an error that costs the rest of the file is only its echo. */
function faultsOf(errors: readonly ParseError[], text: string): SyntaxFault[] {
  const commas = errors.filter(isMissingComma).slice(0, MAX_COMMAS);
  const last = commas.at(-1)?.offset ?? 0;
  const commaPlaces = commas.length > 0 ? tokenEnds(text, last) : new Map<number, number>();
  const faults: SyntaxFault[] = [];
  for (const error of errors) {
    if (isMissingComma(error) && error.offset > last) continue;
    const fault = faultOf(error, text, commaPlaces);
    faults.push(fault);
    if (fault.scope === 'file') break;
  }
  return faults.sort((one, other) => one.span.offset - other.span.offset);
}

function faultOf(error: ParseError, text: string, commaPlaces: ReadonlyMap<number, number>): SyntaxFault {
  const span = { offset: error.offset, length: Math.max(error.length, 1) };
  const found = text.slice(error.offset, error.offset + Math.min(error.length, 20));
  const file = (code: string, message: string, fix: string): SyntaxFault => ({
    code,
    span,
    scope: 'file',
    message,
    fix,
  });
  const value = (code: string, message: string, fix: string): SyntaxFault => ({
    code,
    span,
    scope: 'value',
    message,
    fix,
  });
  switch (printParseErrorCode(error.error)) {
    case 'CommaExpected':
      return {
        code: 'missing-comma',
        span,
        scope: 'nothing',
        message: say`Expected a comma before this.`,
        fix: say`Add a comma after the previous value.`,
        edit: { offset: commaPlaces.get(error.offset) ?? error.offset, length: 0, text: ',' },
      };
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return invalidEscape(text, span);
    case 'InvalidCharacter':
      return value(
        'invalid-character',
        say`This string contains a control character.`,
        say`Write it as an escape, e.g. \`\\t\`.`,
      );
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return value(
        'invalid-number',
        say`\`${found}\` isn't a number.`,
        say`Write a number such as \`30\`, or put it in quotes.`,
      );
    case 'PropertyNameExpected':
      return file(
        'name-expected',
        say`Expected a property name in double quotes.`,
        say`Write \`"name": value\`, or remove this.`,
      );
    case 'ValueExpected':
      return file('value-expected', say`Expected a value.`, say`Add the value, or remove the text before it.`);
    case 'ColonExpected':
      return file('colon-expected', say`Expected a colon between name and value.`, say`Write \`"name": value\`.`);
    case 'CloseBraceExpected':
      return file('unclosed', say`A \`{\` is not closed.`, say`Add the missing \`}\`.`);
    case 'CloseBracketExpected':
      return file('unclosed', say`A \`[\` is not closed.`, say`Add the missing \`]\`.`);
    case 'EndOfFileExpected':
      return file(
        'text-after-end',
        say`Unexpected text after the end of the file’s object.`,
        say`Remove the extra bracket or text.`,
      );
    case 'UnexpectedEndOfComment':
      return file('unclosed', say`A comment is not closed.`, say`Add the missing \`*/\`.`);
    case 'UnexpectedEndOfString':
      return file('unclosed', say`A string is not closed.`, say`Add the missing \`"\` at its end.`);
    case 'InvalidSymbol':
    case 'InvalidCommentToken':
    default: {
      const [code, message, fix] = unexpected(found, text.slice(error.offset, error.offset + 8));
      return file(code, message, fix);
    }
  }
}

/** What stands where no JSON can. */
function unexpected(found: string, start: string): readonly [code: string, message: string, fix: string] {
  const message = say`\`${found}\` isn't JSON.`;
  if (/^(?:<{7}|={7}|>{7})/.test(start))
    return [
      'merge-conflict',
      say`The file has a merge conflict in it.`,
      say`Resolve it: keep one side, and remove the marks.`,
    ];
  if (start.startsWith('<'))
    return ['unexpected-text', say`The file is a web page or XML, not JSON.`, say`Put JSON into it.`];
  if (start.startsWith('#')) return ['unexpected-text', message, say`Begin a comment with \`//\`.`];
  const python = { True: 'true', False: 'false', None: 'null' }[found];
  if (python !== undefined) return ['unexpected-text', message, say`Write \`${python}\`.`];
  return [
    'unexpected-text',
    message,
    TYPOGRAPHIC_QUOTES.test(found) ? TYPOGRAPHIC_FIX : say`Put strings in double quotes.`,
  ];
}

/** @param span of the string that the escape is in */
function invalidEscape(text: string, span: Span): SyntaxFault {
  const literal = text.slice(span.offset, span.offset + span.length);
  const found = /^(?:[^\\]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*(\\.)/s.exec(literal)?.[1] ?? '\\';
  return {
    code: 'invalid-escape',
    span,
    scope: 'value',
    message:
      found === '\\u'
        ? say`\`\\u\` must be followed by four hexadecimal digits.`
        : say`\`${found}\` is no escape sequence, so this string can’t be read.`,
    fix: say`Write \`\\\\\` for one backslash.`,
    edit: { ...span, text: withDoubledBackslashes(literal) },
  };
}

function isMissingComma(error: ParseError): boolean {
  return printParseErrorCode(error.error) === 'CommaExpected';
}

/** Start of each token, up to `last` -> end of the token before it, white space and comments not counted. */
function tokenEnds(text: string, last: number): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const scanner = createScanner(text, true);
  let end = 0;
  while (scanner.getPosition() < text.length && end <= last) {
    scanner.scan();
    ends.set(scanner.getTokenOffset(), end);
    end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return ends;
}
