import { serverWarning, toolWarning, warningMark } from '../../bridge/warningText.ts';
import { LookAlikeCache, type NamesInUse } from '../../catalog/names/lookAlikeTools.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';

/** What a view says of a name that isn't what it looks like: in a few words, and in sentences. */
export interface NameMark {
  readonly marks: readonly string[];
  readonly sentences: readonly string[];
}

/** What to say of the names of servers and tools. */
export class NameMarks {
  readonly #book: LookAlikeCache;

  constructor(names: NamesInUse) {
    this.#book = new LookAlikeCache(names);
  }

  ofServer(name: string): NameMark {
    const warnings = this.#book.ofServer(name);
    return { marks: warnings.map(warningMark), sentences: warnings.map((warning) => serverWarning(name, warning)) };
  }

  /** Of the tool's own name; its server says the rest. */
  ofTool(tool: CatalogTool): NameMark {
    const warnings = this.#book.of(tool).filter(({ of }) => of === 'tool');
    return {
      marks: warnings.map(({ warning }) => warningMark(warning)),
      sentences: warnings.map((each) => toolWarning(tool.serverName, underlyingOf(tool).name, each)),
    };
  }
}
