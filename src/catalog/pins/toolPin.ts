import { sha256, stableStringify } from '../../base/json.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';

/** What a person approved of a tool: a digest to compare by, and the text to show the difference with. */
export interface ToolPin {
  readonly hash: string;
  /** Digest without the name: a renamed tool keeps it. */
  readonly bodyHash: string;
  readonly title: string;
  readonly description: string;
  /** Sorted JSON. */
  readonly inputSchema: string;
}

/** The pins of one server's tools, by tool name. */
export type ServerPins = Readonly<Record<string, ToolPin>>;

/** How a server's tools differ from what was pinned. */
export type PinChange =
  | { readonly kind: 'added'; readonly name: string }
  | { readonly kind: 'removed'; readonly name: string; readonly pinned: ToolPin }
  | { readonly kind: 'renamed'; readonly name: string; readonly before: string }
  | { readonly kind: 'changed'; readonly name: string; readonly pinned: ToolPin; readonly current: ToolPin };

/** The pin of a tool: SHA-256 over name, title, description and input schema (design: *Catalog*). */
export function pinTool(tool: McpTool): ToolPin {
  const title = tool.title ?? tool.annotations.title ?? '';
  const description = tool.description ?? '';
  const inputSchema = stableStringify(tool.inputSchema);
  return {
    hash: sha256(stableStringify([tool.name, title, description, inputSchema])),
    bodyHash: sha256(stableStringify([title, description, inputSchema])),
    title,
    description,
    inputSchema,
  };
}

export function pinAll(tools: readonly McpTool[]): ServerPins {
  return Object.fromEntries(tools.map((tool) => [tool.name, pinTool(tool)]));
}

/**
 * What changed since the tools were pinned, by name. A tool that is gone and one that is new with the same body are one
 * rename, where no other tool has that body.
 */
export function comparePins(pinned: ServerPins, current: ServerPins): PinChange[] {
  const gone = Object.keys(pinned).filter((name) => !Object.hasOwn(current, name));
  const fresh = Object.keys(current).filter((name) => !Object.hasOwn(pinned, name));
  const renames = findRenames(gone, fresh, pinned, current);
  const before = new Set(renames.values());
  const changes: PinChange[] = [];
  for (const [name, pin] of Object.entries(current)) {
    const old = Object.hasOwn(pinned, name) ? pinned[name] : undefined;
    const oldName = renames.get(name);
    if (oldName !== undefined) changes.push({ kind: 'renamed', name, before: oldName });
    else if (old === undefined) changes.push({ kind: 'added', name });
    else if (old.hash !== pin.hash) changes.push({ kind: 'changed', name, pinned: old, current: pin });
  }
  for (const name of gone) {
    const old = pinned[name];
    if (old !== undefined && !before.has(name)) changes.push({ kind: 'removed', name, pinned: old });
  }
  return changes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** New name to old name. */
function findRenames(
  gone: readonly string[],
  fresh: readonly string[],
  pinned: ServerPins,
  current: ServerPins,
): Map<string, string> {
  const renames = new Map<string, string>();
  for (const name of fresh) {
    const body = current[name]?.bodyHash;
    const olds = gone.filter((old) => pinned[old]?.bodyHash === body);
    const news = fresh.filter((other) => current[other]?.bodyHash === body);
    if (olds.length === 1 && news.length === 1 && olds[0] !== undefined) renames.set(name, olds[0]);
  }
  return renames;
}

/** What the setting `toolPinning` may be. */
export const PINNING_MODES = ['off', 'warn', 'block'] as const;
export type PinningMode = (typeof PINNING_MODES)[number];

/**
 * Whether a tool may be offered and called as it is now. Under `warn` a change is shown; under `block` a changed tool
 * waits for the person, and one that is new or renamed, whose body nobody approved otherwise, is shown.
 */
export function judgePin(mode: PinningMode, change: PinChange | undefined): 'ok' | 'warn' | 'block' {
  if (mode === 'off' || change === undefined) return 'ok';
  switch (change.kind) {
    case 'changed':
      return mode;
    case 'renamed':
      return 'warn';
    case 'added':
      return mode === 'block' ? 'warn' : 'ok';
    case 'removed':
      return 'ok';
  }
}
