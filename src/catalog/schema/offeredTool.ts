import type { JsonObject } from '../../base/json.ts';
import { normalizeSchema } from './normalizeSchema.ts';
import type { SchemaProblem } from './schemaNode.ts';
import { cutAtWord, DESCRIPTION_LIMIT, describe } from '../exposure/descriptions.ts';
import type { CatalogTool } from '../catalogTypes.ts';

/** A tool as a model is offered it. Calls are validated by the tool's own schema. */
export interface OfferedTool {
  readonly name: string;
  /** At most 2,048 characters, the schema's notes included. */
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly problems: readonly SchemaProblem[];
}

/** The tool in the form that every provider accepts, or why there is none: such a tool is left out alone. */
export function offerTool(entry: CatalogTool): OfferedTool | { readonly leftOut: readonly SchemaProblem[] } {
  const { schema, note, problems, isUsable } = normalizeSchema(entry.tool.inputSchema);
  if (!isUsable) return { leftOut: problems };
  const room = note === '' ? DESCRIPTION_LIMIT : Math.max(DESCRIPTION_LIMIT - note.length - 1, DESCRIPTION_LIMIT / 2);
  const text = describe(entry, room);
  const description = note === '' ? text : `${text} ${cutAtWord(note, DESCRIPTION_LIMIT - text.length - 1)}`;
  return { name: entry.name, description, inputSchema: schema, problems };
}
