import { matchesGlob, matchesPathGlob } from '../../base/glob.ts';
import { posix } from 'node:path';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { RuleAction } from '../../config/rules/permissionRules.ts';

/**
 * Holds one call's arguments against rules' globs. What opens is read narrowly: only texts fit, `*` stays within a path's
 * segment, and nothing that climbs out with `..` fits; of a list, each item has to. What tightens is read widely: `*`
 * crosses segments, numbers and booleans count as their text, one item of a list is enough. An argument that isn't there
 * fits nothing.
 */
export class ArgumentReader {
  readonly #args: JsonObject;
  readonly #wide = new Map<string, readonly string[]>();

  constructor(args: JsonObject) {
    this.#args = args;
  }

  /** @param at the argument's name, or a JSON pointer */
  fits(at: string, glob: string, action: RuleAction): boolean {
    if (action !== 'allow') return this.#wideTexts(at).some((text) => matchesGlob(text, glob));
    const value = valueAt(this.#args, at);
    const texts = Array.isArray(value) ? value : [value];
    return texts.length > 0 && texts.every((text) => typeof text === 'string' && opens(text, glob));
  }

  /** Every text at a place, as it is and as a path without detours; worked out once for all rules. */
  #wideTexts(at: string): readonly string[] {
    let texts = this.#wide.get(at);
    if (!texts) {
      texts = [...new Set(scalars(valueAt(this.#args, at)).flatMap(forms))];
      this.#wide.set(at, texts);
    }
    return texts;
  }
}

function opens(text: string, glob: string): boolean {
  return !climbs(text) && matchesPathGlob(text, glob);
}

function forms(text: string): readonly string[] {
  const slashed = text.replaceAll('\\', '/');
  return [text, slashed, posix.normalize(slashed)];
}

/** Every text, number and boolean in a value, however deep. */
function scalars(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(scalars);
  return isRecord(value) ? Object.values(value).flatMap(scalars) : [];
}

function valueAt(args: JsonObject, at: string): unknown {
  if (!at.startsWith('/')) return Object.hasOwn(args, at) ? args[at] : undefined;
  let value: unknown = args;
  for (const step of at.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if ((!isRecord(value) && !Array.isArray(value)) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Whether a text could lead out of the folder that it seems to be in: `..` as a segment, plain or percent-encoded. */
function climbs(text: string): boolean {
  return /(^|[/\\])(\.|%2e)(\.|%2e)($|[/\\])/i.test(text.replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\'));
}
