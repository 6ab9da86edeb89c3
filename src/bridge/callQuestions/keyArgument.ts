import type { JsonObject } from '../../base/json/json.ts';
import { shortened } from '../text/titleNames.ts';
import type { ShownArgument } from './shownArguments.ts';

/** Shorter than this, a value says nothing. */
const MIN_ROOM = 12;
const MAX_LENGTH = 40;
/** Others could read like words of the question. */
const PLAIN_NAME = /^[\w.-]{1,20}$/;

/**
 * The argument that says most of what a call is about, for the title of a question, which is all that a screen reader announces of it: the
 * first that the tool requires, or else the first at all, that is one text, number or switch.
 * @param args as they are shown
 * @param required names of arguments
 * @param room characters that the title has left
 */
export function keyArgument(args: JsonObject, required: unknown, room: number): string | undefined {
  if (room < MIN_ROOM) return undefined;
  const names = [...(Array.isArray(required) ? required.map(String) : []), ...Object.keys(args)];
  const name = names.find((each) => PLAIN_NAME.test(each) && Object.hasOwn(args, each) && isSimple(args[each]));
  return name === undefined
    ? undefined
    : shortened(`${name}: ${JSON.stringify(args[name])}`, Math.min(room, MAX_LENGTH));
}

/**
 * The arguments but for the one that a title shows, if it shows exactly what would stand here: one that was shortened for the title, or has
 * in it what a title shows otherwise, such as blanks in a row, stays.
 * @param key what the title has, by `keyArgument`
 */
export function withoutKey(shown: readonly ShownArgument[], key: string | undefined): readonly ShownArgument[] {
  if (key === undefined || key.includes('  ')) return shown;
  return shown.filter(({ name, lines }) => name === undefined || lines.length > 1 || `${name}: ${lines[0]}` !== key);
}

function isSimple(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' || typeof value === 'boolean';
}
