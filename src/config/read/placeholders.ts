/** What a file says where its reader was to put something of their own. */
export interface Placeholder {
  /** As it stands in the file. */
  readonly written: string;
  /** Another client's spelling of an input, in the one that is read. */
  readonly meant?: string;
}

const INPUT = /\$input:([\w.-]+)/;
/** A value that consists of the placeholder, after a scheme of authorization where there is one. */
const WHOLE = new RegExp(
  `^(?:(?:bearer|basic|token|bot|api-?key) )?(${[
    String.raw`\{\{[^{}]+\}\}`,
    String.raw`<[^<>/]+>`,
    String.raw`\[(?:your|insert|enter|api|token)\b[^\]]*\]`,
    String.raw`(?:insert|enter|add|put|paste)?[-_ ]?your(?:[-_ .][\w.-]+)+`,
    String.raw`[\w-]*[-_](?:goes[-_])?here`,
    String.raw`(?:change|replace)[-_ ]?(?:me|this|with[-_ ][\w -]+)`,
    String.raw`(?:[A-Za-z]{2,8}[-_])?(?:x{4,}|\*{4,})`,
    String.raw`\S{0,12}(?:\.\.\.|…)`,
    String.raw`placeholder|todo|tbd`,
  ].join('|')})$`,
  'i',
);
/** A variable of the editor whose `$` was left out. */
const BRACED = /(?<![$\w{])\{(?:workspaceFolder(?:Basename)?|userHome|input:[\w.-]+)\}(?!\})/;
/** A part of an address, a path or an option. */
const PARTS = [
  /\{\{[^{}]+\}\}/,
  /(?<=[/=.:@]|^)<[A-Za-z][\w -]*>/,
  /(?<![A-Za-z0-9])your[-_](?:\w+[-_])*(?:key|token|secret|password|id|name|host|domain|repo|project|url|path|here)\b/i,
  /(?<=^|=|[A-Za-z]:)[\\/]{1,2}(?:absolute[\\/]+)?path[\\/]+to[\\/]+[^\s"']*/i,
];

/** The placeholder that a value is, or has in it. Variables are none. */
export function placeholderIn(value: string): Placeholder | undefined {
  const input = INPUT.exec(value);
  if (input) return { written: input[0], meant: `\${input:${input[1]}}` };
  const folder = BRACED.exec(value);
  if (folder) return { written: folder[0], meant: `$${folder[0]}` };
  if (value.includes('${')) return undefined;
  const whole = WHOLE.exec(value.trim())?.[1];
  if (whole !== undefined) return { written: whole };
  // A blank makes it a sentence, or a script.
  if (/\s/.test(value)) return undefined;
  for (const part of PARTS) {
    const found = part.exec(value)?.[0];
    if (found !== undefined) return { written: found };
  }
  return undefined;
}

/** `$HOME/x` as a shell has it, which nobody replaces. Lower-case names and a `$` within a word may be part of a password. */
export function bareVariableIn(value: string): Placeholder | undefined {
  const [written, name] = /(?<=^|[=:,/ ])\$([A-Z][A-Z0-9_]{2,})(?![\w(])/.exec(value) ?? [];
  return written === undefined ? undefined : { written, meant: `\${${name}}` };
}
