const LINE = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/;

/**
 * Reads the lines `NAME=value` of an `envFile`: `#` comments, an optional `export`, single quotes taken as they are,
 * double quotes with `\n`, `\r`, `\t`, `\"` and `\\`, and a comment after an unquoted value. Other lines are skipped.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const match = LINE.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) continue;
    values[match[1]] = unquote(match[2]);
  }
  return values;
}

function unquote(raw: string): string {
  const single = /^'([^']*)'/.exec(raw);
  if (single) return single[1] ?? '';
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(raw);
  if (double) return (double[1] ?? '').replace(/\\(.)/g, (_all, char: string) => ESCAPES[char] ?? char);
  return raw.replace(/\s+#.*$/, '');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
