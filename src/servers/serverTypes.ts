import type { ConfigProblem, Scope, ServerEntry } from '../config/configTypes.ts';
import type { OpenFolders } from './trust/folderDependence.ts';
import type { PolicyJudge } from './trust/policyVerdict.ts';
import type { ServerPolicy } from './trust/serverPolicy.ts';

/**
 * Where a server stands before anything is started (design: *Config*, *Trust*, *Hand-over*).
 * Only `ready` ones are hosted.
 */
export type ServerStatus =
  | { readonly kind: 'ready' }
  /**
   * `entry`: its own file says so; `user`: by a command here; `editor`: the editor's built-in MCP hosts it; `preset`: the
   * active preset lacks it, which nothing else does; `portable`: it is what agents outside start to get these very servers.
   */
  | {
      readonly kind: 'disabled';
      readonly by: 'entry' | 'user' | 'editor' | 'preset' | 'portable';
      readonly reason: string;
    }
  | {
      readonly kind: 'blocked';
      readonly by: 'untrusted-workspace' | 'rejected' | 'sandboxed' | 'policy';
      readonly reason: string;
      /** Of a policy: the rule, and the file it stands in. */
      readonly rule?: string;
      readonly file?: string;
    }
  | { readonly kind: 'needs-approval'; readonly change: 'new' | 'changed' }
  | { readonly kind: 'problem'; readonly problem: ConfigProblem }
  | {
      readonly kind: 'shadowed';
      /** `name`: it has another name and is the same endpoint (a duplicate); absent: it has the same name. */
      readonly by: { readonly scope: Scope; readonly label: string; readonly name?: string };
    };

/** One server, merged and judged. `id` is what everything above refers to. */
export interface ServerDefinition {
  /** Unique among all definitions, stable over edits: scope, source and name. */
  readonly id: string;
  readonly name: string;
  readonly entry: ServerEntry;
  /** SHA-256 of what would run or be reached; see `fingerprint.ts`. */
  readonly fingerprint: string;
  readonly status: ServerStatus;
}

/** What differs between two moments. `changed` and `moved` give the new definitions. */
export interface ServersChange {
  readonly added: readonly ServerDefinition[];
  readonly changed: readonly ServerDefinition[];
  readonly removed: readonly ServerDefinition[];
  /** Those of which nothing but the place in the file is another: nothing to restart. */
  readonly moved: readonly ServerDefinition[];
}

/** Who hosts the servers that the editor's own MCP support would start, too. */
export type HostingChoice = 'switchboard' | 'editor' | 'undecided';

/** What the user decided, and what the editor says, that status depends on. */
export interface ServerDecisions {
  readonly workspaceTrusted: boolean;
  /** What an untrusted workspace consists of. */
  readonly openFolders?: OpenFolders;
  readonly hosting: HostingChoice;
  /** Whether the editor's own MCP support would start a server of this entry. */
  editorHosts(entry: ServerEntry): boolean;
  /** The fingerprint approved or rejected last for this id; or `fingerprint`, where that one is approved, too. */
  approval(
    id: string,
    fingerprint: string,
  ): { readonly fingerprint: string; readonly verdict: 'approved' | 'rejected' } | undefined;
  isDisabled(id: string): boolean;
  /** Allow and deny lists beside those of the managed file. */
  readonly policies?: readonly ServerPolicy[];
  /** Configured names of all servers. */
  readonly names?: readonly string[];
  /** Judges by the lists; absent until it is loaded: then nothing runs that a list may be about. */
  readonly judge?: PolicyJudge;
}
