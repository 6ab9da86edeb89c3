import type { ConfigSource, ServerEntry } from '../../config/configTypes.ts';
import type { HostingChoice, ServerDecisions, ServerStatus } from '../serverTypes.ts';

/** One entry on its way to a definition. */
export interface Candidate {
  readonly entry: ServerEntry;
  readonly id: string;
  readonly fingerprint: string;
  /** See `endpointSignature`; absent for an entry that can't be used. */
  readonly facts?: { readonly signature: string };
  readonly status: ServerStatus;
  /** See `isBacked`. */
  readonly backed: boolean;
}

/**
 * Says which candidates are hidden by one above them (design: *Scopes*): by one of the same name, or, if they would run,
 * by one of another scope that is the same endpoint.
 * @param candidates highest precedence first
 */
export function settleShadows(candidates: readonly Candidate[], { hosting }: ServerDecisions): Candidate[] {
  const byName = new Map<string, Candidate[]>();
  const byEndpoint = new Map<string, ServerEntry>();
  return candidates.map((candidate) => {
    const { entry, status, facts } = candidate;
    if (status.kind === 'problem') return candidate;
    const namesakes = byName.get(entry.name) ?? [];
    const above = namesakes.find((winner) => covers(winner.entry.source, entry.source));
    if (above) return { ...candidate, status: shadowedBy(above.entry) };
    const shadows = canShadow(candidate, hosting);
    if (facts && shadows && !(status.kind === 'disabled' && status.by !== 'editor')) {
      const { signature } = facts;
      const same = byEndpoint.get(signature);
      if (same && same.scope !== entry.scope) return { ...candidate, status: duplicateOf(same) };
      byEndpoint.set(signature, same ?? entry);
    }
    if (shadows) byName.set(entry.name, [...namesakes, candidate]);
    return candidate;
  });
}

/** Entries of two different folders stand side by side; all else of one name competes. */
function covers(winner: ConfigSource, other: ConfigSource): boolean {
  return !winner.folder || !other.folder || winner.folder.path === other.folder.path;
}

function shadowedBy({ scope, source }: ServerEntry): ServerStatus {
  return { kind: 'shadowed', by: { scope, label: source.label } };
}

function duplicateOf({ name, scope, source }: ServerEntry): ServerStatus {
  return { kind: 'shadowed', by: { scope, label: source.label, name } };
}

/**
 * Only what the user stands behind hides another entry, also where it is disabled. One that is disabled because the editor
 * may host it hides only when the user has left it to the editor.
 */
function canShadow({ status, backed }: Candidate, hosting: HostingChoice): boolean {
  if (status.kind === 'disabled') return backed && (status.by !== 'editor' || hosting === 'editor');
  return status.kind === 'ready';
}
