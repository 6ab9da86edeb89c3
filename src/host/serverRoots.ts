// Loaded when a server asks for its roots.
import { isRecord } from '../base/json/json.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ServerQuestion } from '../connection/serverQuestionTypes.ts';
import { rootsFor, type Root } from '../servers/roots.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { HostPorts } from './hostPorts.ts';
import { isNameFor } from './views/viewNamed.ts';

/** The most roots of a client that are passed on. */
const MAX_ROOTS = 256;

/**
 * The folders that a server is told of. Within a request (specification 2026-07-28) they are those of the client whose request it
 * is, where that gives some and the user has set nothing.
 */
export async function rootsOf(
  question: ServerQuestion,
  host: { readonly servers: { readonly definitions: readonly ServerDefinition[] }; readonly catalog: Catalog },
  ports: Pick<HostPorts, 'roots' | 'workspaceFolders' | 'requests'>,
): Promise<readonly Root[]> {
  const { id, name } = question.server;
  const setting = ports.roots?.();
  const isOpen = question.key !== undefined && setting === undefined;
  const given = isOpen ? await ports.requests?.rootsInCall?.(question)?.catch(() => undefined) : undefined;
  if (Array.isArray(given?.['roots'])) return given['roots'].flatMap(rootIn).slice(0, MAX_ROOTS);
  const server = host.servers.definitions.find((definition) => definition.id === id);
  const isMeant = (key: string): boolean => (server ? isNameFor(key, server, host) : key === name);
  return rootsFor(isMeant, setting, ports.workspaceFolders());
}

function rootIn(value: unknown): readonly Root[] {
  if (!isRecord(value) || typeof value['uri'] !== 'string' || !value['uri'].startsWith('file:')) return [];
  const { uri, name } = value;
  return [{ uri, name: typeof name === 'string' ? name : '' }];
}
