import { serverWarning, toolWarning, warningMark } from '../../../bridge/text/warningText.ts';
import { underlyingOf, type CatalogTool } from '../../../catalog/catalogTool.ts';
import { LookAlikeCache } from '../../../catalog/names/lookAlikeTools.ts';
import type { Host } from '../../../host/host.ts';
import { NameIndex } from '../../../servers/trust/lookAlikeNames.ts';
import type { ServerDefinition } from '../../../servers/serverTypes.ts';

/** Warnings about a misleading name: as a few words, and as sentences. */
export interface NameMark {
  readonly marks: readonly string[];
  readonly sentences: readonly string[];
}

const NO_MARK: NameMark = { marks: [], sentences: [] };

function markOf(name: string, index: NameIndex): NameMark {
  const warnings = index.warningsOf(name);
  return { marks: warnings.map(warningMark), sentences: warnings.map((warning) => serverWarning(name, warning)) };
}

/** Warnings about the names of servers and tools. */
export class NameMarks {
  readonly #book: LookAlikeCache;
  readonly #host: Host;
  /** Of all servers, for as long as they are the same: with hundreds, each would be compared with all others at each change. */
  #servers: { readonly of: readonly ServerDefinition[]; readonly marks: Map<string, NameMark> } | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#book = new LookAlikeCache(host.namesInUse);
  }

  ofServer(name: string): NameMark {
    const { definitions } = this.#host.servers;
    if (this.#servers?.of !== definitions) {
      const index = new NameIndex(this.#host.namesInUse.servers());
      const marks = new Map(definitions.map(({ entry }) => [entry.name, markOf(entry.name, index)]));
      this.#servers = { of: definitions, marks };
    }
    return this.#servers.marks.get(name) ?? NO_MARK;
  }

  /** Warnings about the tool's own name; those about its server's name show there. */
  ofTool(tool: CatalogTool): NameMark {
    const warnings = this.#book.of(tool).filter(({ of }) => of === 'tool');
    return {
      marks: warnings.map(({ warning }) => warningMark(warning)),
      sentences: warnings.map((each) => toolWarning(tool.serverName, underlyingOf(tool).name, each)),
    };
  }
}
