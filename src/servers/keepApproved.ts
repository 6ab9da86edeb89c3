// Loaded with the first edit of an approved server.
import type { ServerRegistry } from './serverRegistry.ts';

/**
 * Runs an edit of ours of an approved server: as the edit leaves it, it counts as approved from the moment that it is read,
 * so that it isn't stopped in between. As anything else, it waits for an approval like any other.
 * @param edit says, before it writes, what the definition's fingerprint will be
 */
export async function keepApproved(
  servers: ServerRegistry,
  id: string,
  edit: (expect: (fingerprint: string) => void) => Promise<void>,
): Promise<void> {
  try {
    await edit((fingerprint) => servers.expected.set(id, fingerprint));
    const expected = servers.expected.get(id);
    if (expected !== undefined) await servers.approve([id], new Map([[id, expected]]));
  } finally {
    if (servers.expected.delete(id)) servers.refresh();
  }
}
