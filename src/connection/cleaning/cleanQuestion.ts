import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { resolveReference } from '../../base/json/schemaRefs.ts';

type Members = Readonly<Record<string, unknown>>;

const ASKS = 'elicitation/create';
/** A heavier form is refused anyway; see `jsonWeight`. */
const MAX_FORM_WEIGHT = 64 * 1024;
/** How many references and wrappers are followed from one field. */
const MAX_STEPS = 8;

/** The parameters of a server's request: a form in the protocol's form, so that the SDK takes it. */
export function cleanQuestion(method: string, params: Members | undefined): Members | undefined {
  const form = params?.['requestedSchema'];
  if (method !== ASKS || !isRecord(form) || jsonWeight(form, MAX_FORM_WEIGHT) > MAX_FORM_WEIGHT) return params;
  return { ...params, requestedSchema: plainForm(form as JsonObject) };
}

/** A result that says what the server needs first (specification 2026-07-28), with such forms. */
export function withCleanQuestions(result: Members): Members {
  const { inputRequests } = result;
  if (!isRecord(inputRequests)) return result;
  const asksForms = Object.values(inputRequests).some((request) => isRecord(request) && request['method'] === ASKS);
  if (!asksForms) return result;
  const clean = (request: unknown): unknown => {
    const { method, params } = isRecord(request) ? request : {};
    return typeof method === 'string' && isRecord(params)
      ? { ...(request as Members), params: cleanQuestion(method, params) }
      : request;
  };
  const all = Object.entries(inputRequests).map(([key, request]) => [key, clean(request)]);
  return { ...result, inputRequests: Object.fromEntries(all) };
}

/**
 * A form's schema as the specification has it (elicitation, *Requested Schema*), of what libraries make of their language's
 * types: references are resolved, a value that may be `null` is the value, and a type that goes without saying is said.
 */
export function plainForm(requestedSchema: JsonObject): JsonObject {
  const { properties, $defs: _defs, definitions: _definitions, ...rest } = requestedSchema;
  if (!isRecord(properties)) return requestedSchema;
  const required: readonly unknown[] = Array.isArray(rest['required']) ? rest['required'] : [];
  const plain = Object.entries(properties)
    .map(([name, field]) => [name, plainField(field, requestedSchema)] as const)
    .filter(([name, field]) => required.includes(name) || hasForm(field));
  return { ...rest, properties: Object.fromEntries<JsonValue>(plain) };
}

/** Whether a form can ask for it: what it can't, and nobody requires, would make the whole form none. */
function hasForm(field: JsonValue): boolean {
  return isRecord(field) && FORMS.has(field['type']);
}

const FORMS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array']);

/** @param isItem of a list: lists are of choices, so that there is no list in it */
function plainField(given: JsonValue, root: JsonObject, isItem = false): JsonValue {
  let field: unknown = given;
  for (let step = 0; step < MAX_STEPS && isRecord(field); step += 1) {
    const next = unwrapped(field, root);
    if (!next) break;
    field = next;
  }
  if (!isRecord(field)) return given;
  const { items } = field;
  return {
    ...Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null)),
    ...typeOf(field),
    ...(isRecord(items) && !isItem ? { items: plainField(items as JsonObject, root, true) } : {}),
  };
}

/** What a reference, or a choice that only adds `null`, stands for, with what stands beside it; `undefined`: it is neither. */
function unwrapped(field: Record<string, unknown>, root: JsonObject): Record<string, unknown> | undefined {
  const { $ref: reference, allOf, anyOf, oneOf, type, ...beside } = field;
  if (typeof reference === 'string') {
    const target = resolveReference(root, reference);
    return isRecord(target) ? { ...target, ...beside } : undefined;
  }
  if (Array.isArray(type)) {
    const [only, ...others] = type.filter((each) => each !== 'null');
    return typeof only === 'string' && others.length === 0 ? { ...field, type: only } : undefined;
  }
  const ways = [allOf, anyOf, oneOf].filter((each) => Array.isArray(each));
  const [only, ...others] = (ways.length === 1 ? (ways[0] ?? []) : []).filter(
    (way: unknown) => !(isRecord(way) && way['type'] === 'null'),
  ) as unknown[];
  return isRecord(only) && others.length === 0 && !('const' in only) ? { ...only, ...beside } : undefined;
}

/** The type of choices that don't say it; those of texts are the only ones that forms have. */
function typeOf({ type, enum: values, oneOf, anyOf, items }: Record<string, unknown>): { readonly type?: string } {
  if (type !== undefined) return {};
  const titled = [oneOf, anyOf].find((each) => Array.isArray(each)) as readonly unknown[] | undefined;
  const chosen = titled ? titled.map((each) => (isRecord(each) ? each['const'] : undefined)) : values;
  if (Array.isArray(chosen) && chosen.length > 0 && chosen.every((each) => typeof each === 'string'))
    return { type: 'string' };
  return isRecord(items) ? { type: 'array' } : {};
}
