import type { JsonObject } from '../base/json/json.ts';
import type { KeyValueStore, ListedStore } from '../base/keyValueStore.ts';
import type { Mask } from '../base/text/secrets.ts';
import type { CatalogTool } from '../catalog/catalogTool.ts';
import type { UnavailableServer } from '../catalog/unavailableLines.ts';
import type { CallSenderPorts } from './scheduling/callSender.ts';
import type { CallsInProgress } from './scheduling/callsInProgress.ts';
import type { History } from './history/callHistory.ts';
import type { FailedCalls } from './history/failedCalls.ts';
import type { HookRegistry } from './hooks/hookRegistry.ts';
import type { ItemRequest, RequestedServer } from './itemRequest.ts';
import type { PlanMode } from './plan/planMode.ts';
import type { CallGatePorts } from './policy/callGate.ts';
import type { Grants } from './policy/permissionGrants.ts';
import type { ScriptSwitch } from './script/scriptSwitch.ts';
import type { StoreResult } from './results/largeResult.ts';
import type { StoreFile } from './results/storedFiles.ts';
import type { TaskServerPorts } from './tasks/runningTask.ts';
import type { CallTracer } from './tracing/openSpanExport.ts';

/** What is asked for in a request other than a call. */
export type AskedItem = Pick<ItemRequest, 'serverId' | 'method' | 'params' | 'signal'>;

/** What the broker needs from the rest of the core. */
export interface BrokerPorts extends CallGatePorts, CallSenderPorts, TaskServerPorts {
  /** The tool that a name means. */
  find(name: string): CatalogTool | undefined;
  /** The server of a tool that isn't found, where it isn't there. */
  absentOwner(name: string): UnavailableServer | undefined;
  closestNames(name: string): readonly string[];
  serverOf(serverId: string): RequestedServer;
  /** Whether the server's own list has this resource. */
  listsResource(serverId: string, uri: string, signal: AbortSignal): Promise<boolean>;
  /** Whether the server has listed a skill at this address; absent: never. */
  listsSkill?(serverId: string, uri: unknown): boolean;
  /** Whether a prompt, or a file of a skill, may be given to a model as its server has it now (`new`: not without an answer of the user's own); absent: always. */
  itemVerdict?(request: AskedItem): Promise<'ok' | 'new' | 'warn' | 'block'>;
  /** The user gave that answer. */
  acknowledgeItem?(request: AskedItem): void;
  /** One sentence per mistake; at once, where the schema is known. */
  validate(schema: JsonObject, args: JsonObject): readonly string[] | Promise<readonly string[]>;
  readonly storeResult: StoreResult;
  readonly storeFile: StoreFile;
  /** Lasts as long as the workspace. */
  readonly store: KeyValueStore;
  /** Lasts as long; for the calls that go on as tasks. Without it, they last as long as the window. */
  readonly taskStore: ListedStore | undefined;
  readonly platform: NodeJS.Platform;
  /** What makes the spans of calls; `undefined`: they aren't traced. */
  tracer?(): Promise<CallTracer | undefined> | undefined;
}

/** The state that calls use and change. */
export interface BrokerState {
  readonly grants: Grants;
  readonly inProgress: CallsInProgress;
  readonly plan: PlanMode;
  readonly hooks: HookRegistry;
  readonly history: History;
  readonly failedCalls: FailedCalls;
  /** Whether models may run scripts. */
  scripts(): Promise<ScriptSwitch>;
  /** For what is kept: masks the secrets that servers were given. */
  readonly mask: Mask;
}
