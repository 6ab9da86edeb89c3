import { isRecord, type JsonObject } from '../../base/json/json.ts';

/** What a schema says of one field. */
export interface FieldSchema {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  readonly types: readonly string[];
  /** The values that it can have, where they are few, each with what it means. */
  readonly values: readonly { readonly value: string; readonly description?: string }[];
}

/** The fields of a file of servers, as `schemas/mcp.schema.json` has them: the one place that describes them. */
export class FieldSchemas {
  readonly #root: JsonObject;

  /** @param root a JSON schema (draft 7) with `definitions/server` and `definitions/inputs` */
  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** The field that a path leads to, from a server's entry or from an item of `inputs`. */
  find(of: 'server' | 'input', path: readonly (string | number)[]): FieldSchema | undefined {
    const name = path.at(-1);
    const parent = this.#objectAt(of, path.slice(0, -1));
    const schema = typeof name === 'string' ? this.#member(parent, name) : undefined;
    return typeof name === 'string' && schema ? fieldOf(name, schema) : undefined;
  }

  /** The fields of the object that a path leads to. */
  fieldsOf(of: 'server' | 'input', path: readonly (string | number)[]): readonly FieldSchema[] {
    const properties = this.#objectAt(of, path)?.['properties'];
    return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) =>
      isRecord(schema) ? [fieldOf(name, this.#resolved(schema))] : [],
    );
  }

  #objectAt(of: 'server' | 'input', path: readonly (string | number)[]): JsonObject | undefined {
    let schema = this.#definition(of === 'server' ? 'server' : 'inputs');
    if (of === 'input') schema = this.#inner(schema, 'items');
    for (const step of path) {
      if (!schema) return undefined;
      schema = typeof step === 'number' ? this.#inner(schema, 'items') : this.#member(schema, step);
    }
    return schema;
  }

  #member(schema: JsonObject | undefined, name: string): JsonObject | undefined {
    const properties = schema?.['properties'];
    if (isRecord(properties) && Object.hasOwn(properties, name)) return this.#inner(properties, name);
    return undefined;
  }

  #inner(schema: JsonObject | undefined, key: string): JsonObject | undefined {
    const inner = schema?.[key];
    return isRecord(inner) ? this.#resolved(inner) : undefined;
  }

  /** What a reference or a choice stands for: of several forms, the object. */
  #resolved(schema: Readonly<Record<string, unknown>>): JsonObject {
    const { $ref, anyOf } = schema;
    if (typeof $ref === 'string') return this.#definition($ref.replace('#/definitions/', '')) ?? {};
    const forms = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [];
    const best = forms.find((form) => form['properties'] ?? form['enum']) ?? {};
    return { ...best, ...schema } as JsonObject;
  }

  #definition(name: string): JsonObject | undefined {
    const definitions = this.#root['definitions'];
    return this.#inner(isRecord(definitions) ? definitions : undefined, name);
  }
}

function fieldOf(name: string, schema: JsonObject): FieldSchema {
  const { type, markdownDescription, enumDescriptions } = schema;
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const meanings: readonly unknown[] = Array.isArray(enumDescriptions) ? enumDescriptions : [];
  return {
    name,
    description: typeof markdownDescription === 'string' ? markdownDescription : '',
    types: (Array.isArray(type) ? type : [type]).filter((each): each is string => typeof each === 'string'),
    values: values.flatMap((value, index) => {
      const description = meanings[index];
      if (typeof value !== 'string') return [];
      return [{ value, ...(typeof description === 'string' ? { description } : {}) }];
    }),
  };
}
