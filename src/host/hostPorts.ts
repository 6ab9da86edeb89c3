import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/event.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { Logger } from '../base/log.ts';
import type { KeyValueStore, LoadedStore } from '../base/keyValueStore.ts';
import type { CallServicesOptions } from '../calls/callServices.ts';
import type { Asker } from '../calls/callTypes.ts';
import type { ToolNameFormat } from '../catalog/names/toolNamePrefix.ts';
import type { LoadingRules } from '../catalog/exposure/loadedTools.ts';
import type { PinningMode } from '../catalog/pinningModes.ts';
import type { PresetSettings } from '../catalog/presets/readPresets.ts';
import type { ConfigPorts } from '../config/configLoaderPorts.ts';
import type { Scope, StartMode, WorkspaceFolder } from '../config/configTypes.ts';
import type { PoolSettings } from '../connection/connectionPoolPorts.ts';
import type { SignInPorts } from '../connection/auth/signInPorts.ts';
import type { ServerQuestion, ServerRequestPorts } from '../connection/serverQuestionTypes.ts';
import type { ServerPolicy } from '../servers/trust/serverPolicy.ts';
import type { EditorPort } from '../servers/serverRegistry.ts';
import type { ValuePorts } from '../servers/inputAnswers.ts';

/** Settings of the host. Times in milliseconds. */
export interface HostSettings extends PoolSettings {
  readonly callTimeoutMs: number;
  /** When a server is connected; `eager` when absent. */
  readonly startMode?: StartMode;
  readonly toolNameFormat?: ToolNameFormat;
  /** What happens to a tool that changed after it was approved; `warn` when absent. */
  readonly toolPinning?: PinningMode;
  /** How much of what passes is kept in memory for *Save What Just Happened*; as `DEFAULT_RING` when absent. */
  readonly ring?: { readonly minutes: number; readonly megabytes: number };
  /** Where the spans of calls are sent by OTLP, as the setting says; no text: nothing is traced. */
  readonly tracing?: unknown;
  /** What is in the model's own list for itself; nothing when absent. */
  readonly loading?: LoadingRules;
}

/** Everything that the core needs from its environment. */
export interface HostPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly serverLog: (serverName: string) => Logger;
  readonly config: ConfigPorts;
  readonly store: KeyValueStore;
  /** Keeps what servers listed, which is much; loaded before anything starts. `store` where absent. */
  readonly toolStore?: LoadedStore;
  readonly editor: EditorPort;
  readonly asker: Asker;
  readonly calls?: CallServicesOptions;
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly fetch: typeof fetch;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Who is asked for `${input:…}` and runs `${command:…}`; without it, they have no value. */
  readonly values?: ValuePorts;
  /** A folder of this extension's own on this machine, shared by all windows: what may outlast a window is noted there. */
  readonly stateDir?: string;
  workspaceFolders(): readonly WorkspaceFolder[];
  /** The setting for the roots of servers, by server. */
  roots?(): unknown;
  /** Fires when servers may be told of other folders. */
  readonly onDidChangeRoots?: Event<void>;
  /** Answers the requests of servers to the user or a model; without it, they are refused. */
  readonly requests?: Omit<ServerRequestPorts, 'roots' | 'onRootsChanged'> & {
    /** Has the client answer whose call needs roots (`roots/list`); `undefined`: no client does. */
    readonly rootsInCall?: (question: ServerQuestion) => Promise<JsonObject> | undefined;
  };
  /** Whom sign-ins ask, and where tokens are kept; without it, nobody can sign in. */
  readonly signIn?: () => Promise<SignInPorts>;
  settings(): HostSettings;
  /** Allow and deny lists beside those of the managed file. */
  policies?(): readonly ServerPolicy[];
  /** The scopes, highest first. */
  scopeOrder?(): readonly Scope[];
  /** The presets of the user's and the workspace's settings. */
  presets?(): PresetSettings;
}
