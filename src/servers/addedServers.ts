import { say } from '../base/say.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { ConfigSource, InProcessServer, ServerEntry, SourceResult, TransportSpec } from '../config/configTypes.ts';
import type { Approval } from './trust/decisionStore.ts';
import { fingerprintOf } from './trust/fingerprint.ts';
import { definitionId } from './merge/mergeServers.ts';

/** Makes a server in this process, anew for each connection. */
export type ServerFactory = () => Promise<InProcessServer>;

/** An extension that adds a server. */
export interface AddingExtension {
  readonly id: string;
  /** For users. */
  readonly label: string;
}

/** Where servers of the user's for this session stand. */
export const SESSION_SOURCE: ConfigSource = {
  id: 'dynamic:session',
  scope: 'dynamic',
  format: 'mcp',
  label: say`Added for this session`,
};

/** What a server of the session may have beside its name and what it runs. */
export type SessionDetails = Partial<Omit<ServerEntry, 'name' | 'transport'>>;

/**
 * Servers that were added at run time (scope `dynamic`), for as long as this object lasts. What the user adds is
 * approved by that; what an extension adds waits for an approval like any other.
 */
export class AddedServers {
  readonly #entries = new Map<string, { readonly entry: ServerEntry; readonly create?: ServerFactory }>();

  /** Adds a server of the user's; one of the same name is replaced. Returns its id. */
  addForPerson(name: string, transport: TransportSpec, details?: SessionDetails): string {
    return this.#add(SESSION_SOURCE, name, transport, undefined, details);
  }

  /**
   * Adds a server of an extension. Returns its id.
   * @param create makes the server, where it is in this process
   * @throws SwitchboardError `invalid-arguments` where the extension has one of that name
   */
  addForExtension(extension: AddingExtension, name: string, transport: TransportSpec, create?: ServerFactory): string {
    const source: ConfigSource = {
      id: `dynamic:extension:${extension.id}`,
      scope: 'dynamic',
      format: 'mcp',
      label: `Extension ${extension.label}`,
    };
    if (this.#entries.has(definitionId(source, name))) {
      throw new SwitchboardError('invalid-arguments', say`${extension.id} has registered a server “${name}” already.`, {
        remedy: say`Dispose of the first, or choose another name.`,
      });
    }
    return this.#add(source, name, transport, create);
  }

  /** Returns whether there was such a server. */
  remove(id: string): boolean {
    return this.#entries.delete(id);
  }

  /** What the user's adding of it decided. */
  approval(id: string): Approval | undefined {
    const entry = this.#entries.get(id)?.entry;
    return entry?.source === SESSION_SOURCE ? { fingerprint: fingerprintOf(entry), verdict: 'approved' } : undefined;
  }

  factory(id: string): ServerFactory | undefined {
    return this.#entries.get(id)?.create;
  }

  /** What they are to a merge: one more source for each that added any. */
  results(): SourceResult[] {
    const entries = [...this.#entries.values()].map(({ entry }) => entry);
    return [...Map.groupBy(entries, ({ source }) => source.id).values()].flatMap((group): SourceResult[] => {
      const source = group[0]?.source;
      return source ? [{ source, status: 'found', entries: group, problems: [], stale: false }] : [];
    });
  }

  #add(
    source: ConfigSource,
    name: string,
    transport: TransportSpec,
    create?: ServerFactory,
    details?: SessionDetails,
  ): string {
    const range = { sourceId: source.id, line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0, length: 0 };
    const id = definitionId(source, name);
    const entry = { ...details, name, scope: source.scope, source, range, transport, disabled: false };
    this.#entries.set(id, { entry, ...(create ? { create } : {}) });
    return id;
  }
}
