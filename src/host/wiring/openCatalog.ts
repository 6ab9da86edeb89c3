// Loaded when the host starts: nothing needs it before the first server lists anything.
import { CatalogToolMaker } from '../../catalog/catalogToolMaker.ts';
import type { Opened } from '../../catalog/catalogFeed.ts';
import { PinnedItems } from '../../catalog/items/pinnedItems.ts';
import { PROMPTS } from '../../catalog/items/promptKind.ts';
import { SKILLS } from '../../catalog/skills/skillKind.ts';
import type { PinningMode } from '../../catalog/pinningModes.ts';
import { PinStore } from '../../catalog/toolPins.ts';
import type { Host } from '../host.ts';
import type { HostPorts } from '../hostPorts.ts';

/**
 * Gives the catalog and its feed what was approved of tools, prompts and skills, and the names that tools had.
 * @returns the prompts and skills, which fire when a server's have changed
 */
export function openCatalog(
  { store, toolStore, clock }: Pick<HostPorts, 'store' | 'toolStore' | 'clock'>,
  { catalog, feed, servers }: Pick<Host, 'catalog' | 'feed' | 'servers'>,
  pinning: () => PinningMode,
): Opened {
  const pins = toolStore ?? store;
  const ports = { fingerprintOf: (serverId: string) => servers.get(serverId)?.fingerprint, pinning, clock };
  const opened = {
    pins: new PinStore(pins),
    prompts: new PinnedItems({ ...ports, pins: new PinStore(pins, 'prompt') }, PROMPTS),
    skills: new PinnedItems({ ...ports, pins: new PinStore(pins, 'skill') }, SKILLS),
  };
  feed.open(opened);
  catalog.open(new CatalogToolMaker(store));
  return opened;
}
