// Loaded with the first call.
import { sha256, stableStringify } from '../../base/json/json.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { pinTool } from '../../catalog/pinChanges.ts';

/**
 * What grants are bound to: the pin of the tool as its server lists it, and its annotations, since those are what a
 * user judges it by. A tool that is shown as another one, with arguments bound, is pinned as both: what is allowed
 * of one opens nothing of the other.
 */
export class GrantPins {
  readonly #known = new WeakMap<CatalogTool, string>();

  pinOf(entry: CatalogTool): string {
    let pin = this.#known.get(entry);
    if (pin === undefined) {
      const tools = entry.underlying ? [entry.underlying, entry.tool] : [underlyingOf(entry)];
      pin = sha256(stableStringify(tools.map((tool) => [pinTool(tool).hash, tool.annotations])));
      this.#known.set(entry, pin);
    }
    return pin;
  }
}
