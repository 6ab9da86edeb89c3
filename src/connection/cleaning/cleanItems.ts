import { hidesSomething } from '../../base/text/showInvisible.ts';
import { numberOf } from '../../base/json/exactNumber.ts';
import { isRecord } from '../../base/json/json.ts';
import { cleanIcons } from './cleanIcons.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';

type Members = Readonly<Record<string, unknown>>;

/** A list that a server answers with: its member, how one item is called, and by what an item is requested. */
interface ListForm {
  readonly list: string;
  readonly what: string;
  readonly id: string;
}

const LISTS: Readonly<Record<string, ListForm>> = {
  'prompts/list': { list: 'prompts', what: 'Prompt', id: 'name' },
  'resources/list': { list: 'resources', what: 'Resource', id: 'uri' },
  'resources/templates/list': { list: 'resourceTemplates', what: 'Resource template', id: 'uriTemplate' },
};

export interface CleanItems {
  readonly result: Members;
  /** One sentence each. */
  readonly leftOut: readonly string[];
}

/** A page has no more; so have all pages together (see `listServerItems`). */
const MAX_ITEMS = 10_000;
const MAX_SENTENCES = 20;

/** The list of tools in a result: the array, or what servers send in its place. */
export function listIn(result: unknown, list: string, tolerate: Tolerate): readonly unknown[] | undefined {
  const value = isRecord(result) ? result[list] : result;
  if (Array.isArray(value)) {
    if (!isRecord(result)) tolerate('list of another form');
    return value;
  }
  if (!isRecord(result) || !isRecord(value)) return undefined;
  tolerate('list of another form');
  // PHP makes an object of an array with gaps; others name the items by their keys.
  return Object.entries(value).map(([key, item]) =>
    isRecord(item) && item['name'] === undefined && !/^\d+$/.test(key) ? { ...item, name: key } : item,
  );
}

/**
 * A page of resources, templates or prompts, item by item: one that can't be requested is left out, and members of the
 * wrong type are. `undefined`: the method has no such list.
 */
export function cleanItemList(method: string, result: unknown, tolerate: Tolerate): CleanItems | undefined {
  const form = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
  if (!form) return undefined;
  const { list, what, id } = form;
  const leftOut: string[] = [];
  const listed = listIn(result, list, tolerate);
  if (!listed) leftOut.push(`The whole list: "${list}" is not an array.`);
  const items = (listed ?? []).slice(0, MAX_ITEMS).flatMap((item, index) => {
    const address = isRecord(item) ? item[id] : undefined;
    if (!isRecord(item) || typeof address !== 'string' || address === '') {
      leftOut.push(`${what} number ${index + 1}: it has no ${id}.`);
      return [];
    }
    if (hidesSomething(address)) {
      leftOut.push(`${what} number ${index + 1}: its ${id} has invisible characters.`);
      return [];
    }
    return [cleanItem(item, address, method, tolerate)];
  });
  if (listed && listed.length > MAX_ITEMS)
    leftOut.unshift(`The rest of the list: it has more than ${MAX_ITEMS} items.`);
  const more = leftOut.length - MAX_SENTENCES;
  return {
    result: { ...(isRecord(result) ? result : {}), [list]: items },
    leftOut: more > 0 ? [...leftOut.slice(0, MAX_SENTENCES), `${more} more of the same list.`] : leftOut,
  };
}

const TEXTS = ['title', 'description', 'mimeType'] as const;

/** The item itself where it is as the protocol has it. */
function cleanItem(item: Members, address: string, method: string, tolerate: Tolerate): Members {
  const clean: Record<string, unknown> = {};
  let isOdd = false;
  for (const [key, value] of Object.entries(item)) {
    const kept = cleanMember(key, value, method);
    if (kept === undefined) isOdd = true;
    else {
      isOdd ||= kept !== value;
      clean[key] = kept;
    }
  }
  if (typeof clean['name'] !== 'string') {
    isOdd = true;
    clean['name'] = address;
  }
  if (!isOdd) return item;
  tolerate('item of another form');
  return clean;
}

/** A member of an item; `undefined`: it is of the wrong type. */
function cleanMember(key: string, value: unknown, method: string): unknown {
  if (value === null) return undefined;
  if ((TEXTS as readonly string[]).includes(key) || key === 'name')
    return typeof value === 'string' ? value : undefined;
  switch (key) {
    case '_meta':
      return isRecord(value) ? value : undefined;
    case 'size':
      return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
    case 'icons':
      return cleanIcons(value).icons;
    case 'annotations':
      return isRecord(value) ? cleanAnnotations(value) : undefined;
    case 'arguments':
      return method === 'prompts/list' ? cleanArguments(value) : value;
    default:
      return value;
  }
}

/** Annotations of resources and blocks; the same object where all are right. */
export function cleanAnnotations(value: Members): Members {
  const { audience, priority: given, lastModified } = value;
  const priority = numberOf(given);
  const roles = Array.isArray(audience) ? audience : typeof audience === 'string' ? [audience] : [];
  const known = roles.filter((role) => role === 'user' || role === 'assistant');
  const isRight =
    (audience === undefined || (Array.isArray(audience) && known.length === roles.length)) &&
    given === priority &&
    (priority === undefined || (priority >= 0 && priority <= 1)) &&
    (lastModified === undefined || typeof lastModified === 'string');
  if (isRight) return value;
  const { audience: _a, priority: _p, lastModified: _l, ...rest } = value;
  return {
    ...rest,
    ...(known.length > 0 ? { audience: known } : {}),
    ...(priority !== undefined ? { priority: Math.min(1, Math.max(0, priority)) } : {}),
    ...(typeof lastModified === 'string' ? { lastModified } : {}),
  };
}

/** A prompt's arguments: an array, or an object by their names; the same array where all are right. */
function cleanArguments(value: unknown): readonly Members[] | undefined {
  if (isRecord(value)) {
    const named = Object.entries(value).map(([name, about]) => ({ name, ...(isRecord(about) ? about : {}) }));
    return cleanArguments(named);
  }
  if (!Array.isArray(value)) return undefined;
  const args = (value as readonly unknown[]).map((each) => (typeof each === 'string' ? { name: each } : each));
  const clean = args.filter(isRecord).flatMap((arg) => {
    const { name, title, description, required, ...rest } = arg;
    if (typeof name !== 'string' || name === '') return [];
    const isRight =
      [title, description].every((text) => text === undefined || typeof text === 'string') &&
      (required === undefined || typeof required === 'boolean');
    if (isRight) return [arg];
    return [
      {
        ...rest,
        name,
        ...(typeof title === 'string' ? { title } : {}),
        ...(typeof description === 'string' ? { description } : {}),
        ...(required === undefined || required === null
          ? {}
          : { required: required === true || required === 'true' || required === 1 }),
      },
    ];
  });
  const isSame = clean.length === value.length && clean.every((arg, index) => arg === value[index]);
  return isSame ? (value as readonly Members[]) : clean;
}
