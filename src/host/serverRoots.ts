// Loaded when a server asks for its roots.
import type { Catalog } from '../catalog/catalog.ts';
import type { AskingServer } from '../connection/serverQuestionTypes.ts';
import { rootsFor, type Root } from '../servers/roots.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { HostPorts } from './hostPorts.ts';
import { isNameFor } from './views/viewNamed.ts';

/** The folders that a server is told of. */
export function rootsOf(
  { id, name }: AskingServer,
  host: { readonly servers: { readonly definitions: readonly ServerDefinition[] }; readonly catalog: Catalog },
  ports: Pick<HostPorts, 'roots' | 'workspaceFolders'>,
): readonly Root[] {
  const server = host.servers.definitions.find((definition) => definition.id === id);
  const isMeant = (key: string): boolean => (server ? isNameFor(key, server, host) : key === name);
  return rootsFor(isMeant, ports.roots?.(), ports.workspaceFolders());
}
