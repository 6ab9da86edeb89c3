import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { KeyValueStore } from '../base/keyValueStore.ts';
import type { BackoffSettings } from './reconnectPolicy.ts';
import type { ConnectionState, McpTool } from './connectionTypes.ts';
import type { ConnectionTimings } from './connectionTimings.ts';
import type { ServerRequestPorts } from './serverQuestionTypes.ts';
import type { ReadStartedTree } from './process/startedTree.ts';
import type { Recorder } from './recording/recorder.ts';
import type { Starter } from './start/startServer.ts';

/** `byScope`: the user scope inherits, others get the safe list; the other two hold for every scope. */
export const ENVIRONMENT_INHERITANCE = ['byScope', 'inherit', 'minimal'] as const;
export type EnvironmentInheritance = (typeof ENVIRONMENT_INHERITANCE)[number];

/** Settings of the user; read on each use. */
export interface PoolSettings {
  /** How many local servers (processes) start at a time. */
  readonly localConcurrency: number;
  /** How many remote servers connect at a time. */
  readonly remoteConcurrency: number;
  readonly handshakeTimeoutMs: number;
  readonly discoveryTimeoutMs: number;
  /** What a local server inherits of the extension host's environment; `byScope` when absent. */
  readonly environment?: EnvironmentInheritance;
  /** Reconnection, where it isn't the default. */
  readonly reconnect?: Partial<BackoffSettings>;
  /** Timings, where they aren't the default. */
  readonly timings?: Partial<ConnectionTimings>;
}

/** What the pool needs from outside. */
export interface PoolPorts {
  readonly clock: Clock;
  /** The log of one server, its stderr included. */
  log(serverName: string): Logger;
  readonly platform: NodeJS.Platform;
  readonly hostEnvironment: NodeJS.ProcessEnv;
  readonly fetch: typeof fetch;
  readonly homeDir: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Remembers protocol eras; without it, they are forgotten with the pool. */
  readonly store?: KeyValueStore;
  /** `PATH` as the login shell has it; by default the shell is asked. */
  readonly loginPath?: () => Promise<string | undefined>;
  /** By default the system is asked. */
  readonly readStartedTree?: ReadStartedTree;
  /** A folder of this extension's own on this machine, shared by all windows; without it, nothing outlasts a window. */
  readonly stateDir?: string;
  /** Without it, servers can send no requests. */
  readonly requests?: ServerRequestPorts;
  /** Called with each list before it is a connection's, which waits for it. */
  readonly prepareTools?: (tools: readonly McpTool[]) => Promise<unknown>;
  /** Told of what passes each connection. */
  readonly recorder?: () => Promise<Recorder>;
  settings(): PoolSettings;
}

/** What a connection needs of its pool. */
export interface ConnectionPorts {
  readonly ports: PoolPorts;
  /** Loads what starts servers. */
  starter(): Promise<Starter>;
  onState(previous: ConnectionState): void;
  onTools(): void;
}
