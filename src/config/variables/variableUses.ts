import type { EntryReader } from '../read/entryReader.ts';
import type { TransportSpec, VariableUse } from '../configTypes.ts';
import { variablesIn } from './variableSyntax.ts';

/** Every field of a spec that is a text: its name, as in `MissingVariable`, and the text. */
export function fieldsOf(spec: TransportSpec): readonly (readonly [field: string, text: string])[] {
  const one = (field: string, text: string | undefined): [string, string][] =>
    text === undefined ? [] : [[field, text]];
  const map = (field: string, texts: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(texts).map(([name, text]) => [`${field}.${name}`, text]);
  if (spec.type === 'sdk') return [];
  return spec.type === 'stdio'
    ? [
        ...one('command', spec.command),
        ...spec.args.map((text, index) => [`args[${index}]`, text] as const),
        ...map('env', spec.env),
        ...one('cwd', spec.cwd),
        ...one('envFile', spec.envFile),
      ]
    : [...one('url', spec.url), ...map('headers', spec.headers), ...one('headersHelper', spec.headersHelper)];
}

/** Variables told of one entry at most; all of them are expanded, and shown before an approval. */
const MAX_USES = 100;

/** The variables of an entry and where they stand. */
export function variableUsesOf(reader: EntryReader, spec: TransportSpec): VariableUse[] {
  const uses: VariableUse[] = [];
  for (const [field, text] of fieldsOf(spec)) {
    if (uses.length >= MAX_USES) break;
    if (!text.includes('$')) continue;
    const node = reader.places.get(field) ?? reader.node;
    const written = reader.written(node);
    for (const variable of variablesIn(text).slice(0, MAX_USES)) {
      const length = variable.length + 2;
      const at = written.indexOf(`\${${variable}`);
      const end = written[at + length] === '}' ? length + 1 : length;
      const span = at < 0 ? node : { offset: node.offset + at, length: end };
      uses.push({ variable, field, range: reader.source.range(span) });
    }
  }
  return uses;
}
