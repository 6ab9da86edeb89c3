import type { JsonObject } from '../../base/json/json.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';

/** An argument as a question shows it. */
export interface ShownArgument {
  /** Absent for the line that says how many more there are. */
  readonly name?: string;
  /** JSON; several lines for an object or a list. */
  readonly lines: readonly string[];
}

/** A call's arguments one by one, so that none needs the braces around all of them. See `argumentText`. */
export function shownArguments(args: JsonObject): readonly ShownArgument[] {
  const shown: { readonly name?: string; readonly lines: string[] }[] = [];
  const inner = argumentText(args).split('\n').slice(1, -1);
  for (const line of inner.map((each) => each.slice(2))) {
    const [, name, value = ''] = /^"((?:[^"\\]|\\.)*)": (.*)$/.exec(line) ?? [];
    const last = shown.at(-1);
    if (name !== undefined) shown.push({ name, lines: [value] });
    else if (last && !/^… \(\d+ more:/.test(line)) last.lines.push(line);
    else shown.push({ lines: [line] });
  }
  for (const { lines } of shown) lines.push((lines.pop() ?? '').replace(/,$/, ''));
  return shown;
}
