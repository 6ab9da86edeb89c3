import { sha256, stableStringify } from '../base/json/json.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import { INSTRUCTIONS } from './pinningModes.ts';

/** What the user approved of a tool: a digest to compare, and the text to show the difference. */
export interface ToolPin {
  readonly hash: string;
  /** Digest without the name: a renamed tool keeps it. */
  readonly bodyHash: string;
  readonly title: string;
  readonly description: string;
  /** Sorted JSON. */
  readonly inputSchema: string;
  /** Sorted JSON of the hints; absent in what an earlier version stored. */
  readonly annotations?: string;
  /** Digest of the output schema; absent in what an earlier version stored. */
  readonly output?: string;
}

/** Of what was approved in a form that can't be read: everything differs from it. */
const UNREADABLE: ToolPin = {
  hash: '',
  bodyHash: '',
  title: '',
  description: '',
  inputSchema: '{}',
  annotations: '',
  output: '',
};

/** The pins of one server's tools, by tool name. */
export type ServerPins = Readonly<Record<string, ToolPin>>;

/** How a server's tools differ from what was pinned. */
export type PinChange =
  | { readonly kind: 'added'; readonly name: string; readonly current: ToolPin }
  | { readonly kind: 'removed'; readonly name: string; readonly pinned: ToolPin }
  | { readonly kind: 'renamed'; readonly name: string; readonly before: string; readonly current: ToolPin }
  | {
      readonly kind: 'changed';
      readonly name: string;
      readonly pinned: ToolPin;
      readonly current: ToolPin;
      /** Its name before, where that is another, too. */
      readonly before?: string;
    };

/** Whether nobody can tell any more what was approved of it. */
export function isUnreadableChange(change: PinChange): boolean {
  return change.kind === 'changed' && change.pinned.hash === '';
}

/**
 * The pin of a tool: SHA-256 over name, title, description and input schema (design: *Catalog*), and its hints. Numbers count
 * with all their digits. It holds the tool and two digests; its texts are made when they are read.
 */
export function pinTool(tool: McpTool): ToolPin {
  const output = tool.exactSchemas?.output ?? (tool.outputSchema && stableStringify(tool.outputSchema));
  return Object.defineProperties({} as ToolPin, {
    ...TEXTS,
    [OF]: { value: tool },
    hash: { value: sha256(stableStringify([tool.name, ...bodyOf(tool)])), enumerable: true },
    output: { value: output === undefined ? '' : sha256(output), enumerable: true },
  });
}

const titleOf = (tool: McpTool): string => tool.title ?? tool.annotations.title ?? '';
const descriptionOf = (tool: McpTool): string => tool.description ?? '';
const inputSchemaOf = (tool: McpTool): string => tool.exactSchemas?.input ?? sortedSchemaOf(tool);
const bodyOf = (tool: McpTool): string[] => [titleOf(tool), descriptionOf(tool), inputSchemaOf(tool)];

/** Texts that were made in this turn of the event loop: who writes a pin reads each several times, to weigh it and to write it. */
const madeNow = new Map<McpTool, string>();

function sortedSchemaOf(tool: McpTool): string {
  let text = madeNow.get(tool);
  if (text === undefined) {
    text = stableStringify(tool.inputSchema);
    if (madeNow.size === 0) setImmediate(() => madeNow.clear());
    madeNow.set(tool, text);
  }
  return text;
}

/** Of a pin that {@link pinTool} made: its tool. */
const OF = Symbol('tool');

/** Members of such a pin, so that it is written and compared as one from the store is. All pins share them. */
const TEXTS = {
  bodyHash: madeBy((tool) => sha256(stableStringify(bodyOf(tool)))),
  title: madeBy(titleOf),
  description: madeBy(descriptionOf),
  inputSchema: madeBy(inputSchemaOf),
  annotations: madeBy(({ annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } }) =>
    stableStringify({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }),
  ),
};

function madeBy(make: (tool: McpTool) => string): PropertyDescriptor & ThisType<{ readonly [OF]: McpTool }> {
  return {
    enumerable: true,
    get() {
      return make(this[OF]);
    },
  };
}

/** Whether a tool is another than was pinned. What an earlier version didn't store counts as the same. */
function differs(pinned: ToolPin, current: ToolPin): boolean {
  const { annotations = current.annotations, output = current.output } = pinned;
  return pinned.hash !== current.hash || annotations !== current.annotations || output !== current.output;
}

/** Whether a tool is pinned as it is, in the form that is stored now. */
export function isAsPinned(pinned: ServerPins, current: ServerPins, name: string): boolean {
  const [old, now] = [Object.hasOwn(pinned, name) ? pinned[name] : undefined, current[name]];
  return old === now || (old?.annotations !== undefined && now !== undefined && !differs(old, now));
}

/** Of tools with one name, the first counts, as in the catalog. */
export function pinAll(tools: readonly McpTool[], pinOf = pinTool): ServerPins {
  const pins = new Map<string, ToolPin>();
  for (const tool of tools) if (!pins.has(tool.name)) pins.set(tool.name, pinOf(tool));
  return Object.fromEntries(pins);
}

/** The pins of these where nobody can tell what was approved: each waits for a review but instructions that say nothing. */
export function unreadablePins(current: ServerPins): ServerPins {
  return Object.fromEntries(
    Object.entries(current).map(([name, pin]) => [
      name,
      name === INSTRUCTIONS && pin.description === '' ? pin : UNREADABLE,
    ]),
  );
}

/**
 * What changed since the tools were pinned, by name. A tool that is gone and one that is new with the same body are one
 * rename, where no other tool has that body; with a similar body, the new one is a change of the other.
 */
export function comparePins(pinned: ServerPins, current: ServerPins): PinChange[] {
  const gone = Object.keys(pinned).filter((name) => !Object.hasOwn(current, name));
  const fresh = Object.keys(current).filter((name) => !Object.hasOwn(pinned, name));
  const renames = findRenames(gone, fresh, pinned, current);
  const before = new Set(renames.values());
  const likestOf = likestAmong(gone, pinned);
  const changes: PinChange[] = [];
  for (const [name, pin] of Object.entries(current)) {
    const old = Object.hasOwn(pinned, name) ? pinned[name] : undefined;
    const oldName = renames.get(name);
    if (oldName !== undefined) changes.push({ kind: 'renamed', name, before: oldName, current: pin });
    else if (old === undefined) {
      const likest = likestOf(name, pin);
      const was = likest === undefined ? undefined : pinned[likest];
      if (likest === undefined || was === undefined) changes.push({ kind: 'added', name, current: pin });
      else changes.push({ kind: 'changed', name, pinned: was, current: pin, before: likest });
    } else if (differs(old, pin)) changes.push({ kind: 'changed', name, pinned: old, current: pin });
  }
  for (const name of gone) {
    const old = pinned[name];
    if (old !== undefined && !before.has(name)) changes.push({ kind: 'removed', name, pinned: old });
  }
  return changes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** How many of the words of two tools have to be the same for one to be the other, renamed and edited. */
const ALIKE = 0.5;

/** How many pairs of tools are compared. */
const MAX_PAIRS = 1_000;

/**
 * Finds the tool that is gone which a new one may be, renamed and edited: they share their description, their parameters,
 * or most of their words. Where too many went and came at once to compare them, any may be.
 */
function likestAmong(gone: readonly string[], pinned: ServerPins): (name: string, pin: ToolPin) => string | undefined {
  let words: readonly ReadonlySet<string>[] | undefined;
  let pairs = 0;
  return (name, pin) => {
    pairs += gone.length;
    if (pairs > MAX_PAIRS) return gone[0];
    words ??= gone.map((old) => wordsOf(old, pinned[old]));
    const own = [...wordsOf(name, pin)];
    return gone.find((old, at) => isAlike(pinned[old], pin) || sharesWords(words?.[at], own));
  };
}

function isAlike(old: ToolPin | undefined, { description, inputSchema }: ToolPin): boolean {
  if (description !== '' && description === old?.description) return true;
  return inputSchema === old?.inputSchema && /"properties":\{"/.test(inputSchema);
}

function sharesWords(old: ReadonlySet<string> = new Set(), own: readonly string[]): boolean {
  const shared = own.filter((word) => old.has(word)).length;
  return shared > 0 && shared / (old.size + own.length - shared) >= ALIKE;
}

/** Of a longer text only the beginning is compared, in characters. */
const MAX_COMPARED = 8_000;

function wordsOf(name: string, pin?: ToolPin): ReadonlySet<string> {
  const said = `${pin?.title} ${pin?.description} ${pin?.inputSchema}`.slice(0, MAX_COMPARED);
  const text = `${name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')} ${said}`;
  const common = new Set(['type', 'object', 'properties', 'string', 'required', 'description', 'the', 'a', 'of']);
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !common.has(word)));
}

/** New name to old name. */
function findRenames(
  gone: readonly string[],
  fresh: readonly string[],
  pinned: ServerPins,
  current: ServerPins,
): Map<string, string> {
  const byBody = (names: readonly string[], pins: ServerPins): Map<string | undefined, string[]> =>
    Map.groupBy(names, (name) => pins[name]?.bodyHash);
  const olds = byBody(gone, pinned);
  const renames = new Map<string, string>();
  for (const [body, news] of byBody(fresh, current)) {
    const [name, secondNew] = news;
    const [old, secondOld] = olds.get(body) ?? [];
    if (name !== undefined && old !== undefined && secondNew === undefined && secondOld === undefined)
      renames.set(name, old);
  }
  return renames;
}
