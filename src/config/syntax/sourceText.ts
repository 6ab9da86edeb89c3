import type { ConfigProblem, ConfigSource, ProblemSeverity, SourceRange, TextEdit } from '../configTypes.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** A stretch of text, in UTF-16 units from 0. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** What a problem says beside its code, severity and place. */
export interface ProblemText {
  readonly message: string;
  readonly fix?: string;
  readonly edit?: TextEdit;
}

/** The text of one source, without its byte order mark, and the way from offsets to lines and columns. */
export class SourceText {
  readonly source: ConfigSource;
  readonly text: string;
  readonly syntax: 'jsonc' | 'toml';
  /** Where its servers would run. */
  readonly platform: NodeJS.Platform;
  readonly #lineStarts: readonly number[];

  constructor(source: ConfigSource, text: string, platform: NodeJS.Platform = process.platform) {
    this.source = source;
    this.platform = platform;
    this.syntax = syntaxOf(source);
    this.text = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    this.#lineStarts = lineStartsOf(this.text);
  }

  /** The place of `span`, cut to the text. */
  range(span: Span): SourceRange {
    const offset = Math.min(Math.max(span.offset, 0), this.text.length);
    const end = Math.min(offset + Math.max(span.length, 0), this.text.length);
    const start = this.#position(offset);
    const stop = this.#position(end);
    return {
      sourceId: this.source.id,
      ...(this.source.file === undefined ? {} : { file: this.source.file }),
      line: start.line,
      column: start.column,
      endLine: stop.line,
      endColumn: stop.column,
      offset,
      length: end - offset,
    };
  }

  /** A problem at `span`. */
  problem(span: Span, code: string, severity: ProblemSeverity, text: ProblemText, serverName?: string): ConfigProblem {
    return {
      code,
      severity,
      ...text,
      range: this.range(span),
      ...(serverName === undefined ? {} : { serverName }),
    };
  }

  #position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }
}

/** What a source is written in. */
export function syntaxOf({ file }: ConfigSource): 'jsonc' | 'toml' {
  return file?.endsWith('.toml') ? 'toml' : 'jsonc';
}

/** Lines end with CRLF, LF or CR, as in the editor. */
function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}
