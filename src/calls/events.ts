import type { HistoryEntry } from './history.ts';
import type { Surface } from './types.ts';

/** What happens here, as other parts and other extensions are told of it. */
export type SwitchboardEvent =
  | {
      readonly type: 'tool.call';
      readonly name: string;
      readonly serverName: string;
      readonly surface: Surface;
      /** The extension that calls, by its id, where it isn't the agent. */
      readonly caller?: string;
    }
  | {
      readonly type: 'tool.result';
      readonly name: string;
      readonly serverName: string;
      readonly surface: Surface;
      readonly caller?: string;
      readonly ok: boolean;
      readonly durationMs: number;
      /** Why it isn't ok, by code. */
      readonly error?: HistoryEntry['result'];
    }
  | { readonly type: 'tool.search'; readonly resultCount: number; readonly total: number }
  | { readonly type: 'tool.dynamicLoad'; readonly names: readonly string[] }
  | { readonly type: 'server.connected'; readonly serverName: string; readonly toolCount: number }
  | { readonly type: 'server.disconnected'; readonly serverName: string; readonly state: string };
