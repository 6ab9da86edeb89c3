// Loaded when the host starts: nothing needs it before the first server lists anything.
import { CatalogToolMaker } from '../catalog/catalogToolMaker.ts';
import { PinnedPrompts } from '../catalog/items/pinnedPrompts.ts';
import type { PinningMode } from '../catalog/pinningModes.ts';
import { PinStore } from '../catalog/toolPins.ts';
import type { Host } from './host.ts';
import type { HostPorts } from './hostPorts.ts';

/**
 * Gives the catalog and its feed what was approved of tools and prompts, and the names that tools had.
 * @returns the prompts, which fire when a server's have changed
 */
export function openCatalog(
  { store, toolStore, clock }: Pick<HostPorts, 'store' | 'toolStore' | 'clock'>,
  { catalog, feed, servers }: Pick<Host, 'catalog' | 'feed' | 'servers'>,
  pinning: () => PinningMode,
): PinnedPrompts {
  const pins = toolStore ?? store;
  const prompts = new PinnedPrompts({
    pins: new PinStore(pins, 'prompt'),
    fingerprintOf: (serverId) => servers.get(serverId)?.fingerprint,
    pinning,
    clock,
  });
  feed.open(new PinStore(pins), prompts);
  catalog.open(new CatalogToolMaker(store));
  return prompts;
}
