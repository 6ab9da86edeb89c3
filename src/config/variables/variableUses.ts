import type { EntryReader } from '../read/entryReader.ts';
import { fieldsOf } from './specFields.ts';
import type { TransportSpec, VariableUse } from '../configTypes.ts';
import { writtenVariable } from './clientVariables.ts';
import { variablesIn } from './variableSyntax.ts';

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
      const found = writtenVariable(written, variable);
      const span = found ? { offset: node.offset + found.at, length: found.text.length } : node;
      const isCommon = !found || found.text.startsWith('${');
      uses.push({ variable, field, range: reader.source.range(span), ...(isCommon ? {} : { written: found.text }) });
    }
  }
  return uses;
}
