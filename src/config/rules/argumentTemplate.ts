import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';

const PARAMETER = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** The parameters that a template uses, each once. */
export function parametersIn(template: unknown): string[] {
  return [
    ...new Set(textsIn(template).flatMap((text) => [...text.matchAll(PARAMETER)].map((match) => match[1] ?? ''))),
  ];
}

function textsIn(template: unknown): string[] {
  if (typeof template === 'string') return [template];
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(textsIn) : [];
}

/**
 * The arguments that a template makes of a call's. A text that is one parameter and nothing else becomes the
 * parameter's value, of whatever type; members and items whose parameter wasn't given are left out.
 */
export function fillTemplate(template: JsonObject, args: JsonObject): JsonObject {
  return fillObject(template, args);
}

function fill(template: JsonValue, args: JsonObject): JsonValue | undefined {
  if (typeof template === 'string') return fillText(template, args);
  if (Array.isArray(template)) {
    return template.map((item: JsonValue) => fill(item, args)).filter((item) => item !== undefined);
  }
  return isRecord(template) ? fillObject(template, args) : template;
}

function fillObject(template: JsonObject, args: JsonObject): JsonObject {
  const members = Object.entries(template).map(([key, value]) => [key, fill(value, args)] as const);
  return Object.fromEntries(members.filter((member): member is [string, JsonValue] => member[1] !== undefined));
}

function fillText(text: string, args: JsonObject): JsonValue | undefined {
  const whole = /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(text);
  if (whole) return valueOf(whole[1] ?? '', args);
  return text.replaceAll(PARAMETER, (_match, parameter: string) => {
    const value = valueOf(parameter, args);
    return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  });
}

function valueOf(parameter: string, args: JsonObject): JsonValue | undefined {
  return Object.hasOwn(args, parameter) ? args[parameter] : undefined;
}
