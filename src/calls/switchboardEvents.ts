import type { ErrorCode } from '../base/errors.ts';
import type { ServerEvent } from '../connection/serverEvents.ts';
import type { HistoryEntry } from './history/callHistory.ts';
import type { Surface } from './callTypes.ts';

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
  | { readonly type: 'server.connecting'; readonly serverName: string }
  | {
      readonly type: 'server.connected';
      readonly serverName: string;
      readonly toolCount: number;
      /** How long it took. */
      readonly durationMs: number;
    }
  | {
      readonly type: 'server.disconnected';
      readonly serverName: string;
      /** How long it was connected. */
      readonly durationMs: number;
    }
  | {
      readonly type: 'server.error';
      readonly serverName: string;
      /** By code. */
      readonly error: ErrorCode;
      readonly durationMs: number;
    };

/** What happened to a connection, as others are told of it: never the words of a server or its stderr. */
export function serverEvent(event: ServerEvent): SwitchboardEvent {
  const { kind, name: serverName } = event;
  switch (kind) {
    case 'server.connecting':
      return { type: kind, serverName };
    case 'server.connected':
      return { type: kind, serverName, toolCount: event.toolCount, durationMs: event.durationMs };
    case 'server.disconnected':
      return { type: kind, serverName, durationMs: event.durationMs };
    case 'server.error':
      return { type: kind, serverName, error: event.failure.code, durationMs: event.durationMs };
  }
}
