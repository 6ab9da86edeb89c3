import type { ServerEntry } from '../../config/configTypes.ts';

/** A server, as far as it matters where it is defined. */
interface Defined {
  readonly definition: { readonly entry: Pick<ServerEntry, 'scope' | 'source'> };
}

/** Whether the user can take its definition away: it stands in a file or setting of theirs, or was added for this session. */
export function canBeRemoved({ definition: { entry } }: Defined): boolean {
  const { scope, source } = entry;
  return source.file === undefined ? /^(?:user:setting|dynamic:session)$/.test(source.id) : scope !== 'enterprise';
}

/** Whether it can change places with others of its source: it stands in a file in JSON or a setting of the user's. */
export function canBeMoved(server: Defined): boolean {
  const { source } = server.definition.entry;
  return canBeRemoved(server) && source.id !== 'dynamic:session' && source.file?.endsWith('.toml') !== true;
}

/** Whether it is sent headers, and its definition can be changed here. */
export function canSetHeader(server: {
  readonly definition: { readonly entry: Pick<ServerEntry, 'scope' | 'source' | 'transport'> };
}): boolean {
  return 'headers' in server.definition.entry.transport && canBeMoved(server);
}
