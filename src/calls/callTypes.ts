import type { Paused } from './scheduling/callScheduler.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { ToolWarning } from '../catalog/names/lookAlikeTools.ts';
import type { CatalogTool } from '../catalog/catalogTool.ts';
import type { CallProgress } from '../connection/connectionTypes.ts';
import type { ResultPart } from './results/resultParts.ts';
import type { TraceContext } from './tracing/traceContext.ts';

/** Where a call came from. `gateway`: the editor's own agent; `outside`: an agent outside the editor; `app`: a server's page. */
export type Surface =
  | 'lm-tool'
  | 'gateway'
  | 'outside'
  | 'participant'
  | 'app'
  | 'editor'
  | 'api'
  | 'test'
  | 'plan-queue'
  | 'dead-letters'
  | 'run-again';

/** Where a call is: hooks and rules are checked, the user is asked, it waits for its turn, its server works on it. */
export type CallPhase = 'checking' | 'asking' | 'queued' | 'running';

export interface ToolCall {
  /** Callable name. */
  readonly name: string;
  readonly args: JsonObject;
  readonly surface: Surface;
  readonly signal: AbortSignal;
  /** What the surface needs to ask in place (the editor's tool invocation token); opaque to the core. */
  readonly surfaceContext?: unknown;
  /**
   * Who calls, where it isn't the editor's agent: another extension, by its id; an agent outside the editor, as it calls
   * itself. The question and the history name it.
   */
  readonly caller?: string;
  /** The caller's own client answers questions about the call, so an answer is for this call alone. */
  readonly isAnsweredByCaller?: boolean;
  /** Gives the call's turn on its server to others while somebody is asked; absent where it has none. */
  readonly paused?: Paused;
  /** Told of the server's progress, its message without what could hide in it. */
  readonly onProgress?: (progress: CallProgress) => void;
  /** Called when the server's question to the user is shown elsewhere than where the call came from. */
  readonly onAskedElsewhere?: () => void;
  /** What the caller's client says of the call (`_meta`), for servers that know what it means. */
  readonly meta?: JsonObject;
  /** The caller follows tasks itself: it gets the handle as soon as the call has become one. */
  readonly asTask?: boolean;
  /** Stands between the questions about the call and the user. */
  readonly asking?: (user: Asker) => Asker;
  /** The script that makes the call. */
  readonly script?: CallingScript;
}

/** A script, as its calls know it. */
export interface CallingScript {
  /** What the history calls it. */
  readonly id: string;
  /** Asks about its calls, together. An answer is for these calls alone. */
  readonly asker: Asker;
  /** The span of the script, which those of its calls are part of; absent: it isn't traced. */
  readonly span?: TraceContext | undefined;
}

/** What a call gives. `protocolResult` makes a result of the protocol of it. */
export interface CallOutcome {
  /** For an agent: texts, images and sounds, cleaned and within the limits. */
  readonly parts: readonly ResultPart[];
  /** The result's own `_meta`; for programs, never for a model. */
  readonly meta?: JsonObject;
  /** For the app of the tool, where an agent gets less. */
  readonly whole?: readonly ResultPart[];
  /** The call goes on as a task, and this is its handle. */
  readonly task?: string;
}

/** What is decided about a call, and why. */
export interface Decision {
  readonly action: 'allow' | 'ask' | 'deny';
  /** A clause for the user and the model, after “because”. */
  readonly reason: string;
  /** `false`: no answer to it can hold for later calls. */
  readonly lasting?: boolean;
  /** The tool is marked read-only, and its name says otherwise. */
  readonly flagged?: boolean;
  /** The tool changed since its server was approved: earlier permissions don't count. */
  readonly changed?: boolean;
  /** It is about what the server may reach: an answer is for all of its reading tools. */
  readonly openWorld?: boolean;
}

/** `alwaysArgs`: always for this tool with these very arguments. */
export const ANSWERS = ['once', 'session', 'always', 'alwaysArgs', 'deny'] as const;
export type Answer = (typeof ANSWERS)[number];

/** The user's answer: one of ours, or a denial with a message to the model. */
export type Reply = Answer | { readonly deny: string };

/** A question to the user about one call. */
export interface Question {
  readonly tool: CatalogTool;
  readonly args: JsonObject;
  /** The arguments as they are shown: without the user's own secrets. */
  readonly shownArgs: JsonObject;
  /** Why it is asked. */
  readonly reason: string;
  /** Whether answers that hold for later calls are offered. */
  readonly lasting: boolean;
  /** Of these, only those that end with the window. */
  readonly sessionOnly?: boolean;
  /** The reason is a warning: the tool’s name says otherwise than the tool, or it changed since it was approved. */
  readonly flagged: boolean;
  /** It is about what the server may reach: a lasting answer is for all of its reading tools. */
  readonly openWorld?: boolean;
  readonly surface: Surface;
  /** Who calls, where it isn't the editor's agent: another extension, by its id; an agent outside the editor. */
  readonly caller?: string;
  /** The account that the server would do it as, by its name, which comes from outside. */
  readonly account?: string;
  /** What may be taken for something else in the names. */
  readonly warnings: readonly ToolWarning[];
  /** It is about several calls of one script, this one first, all or none of which run: what is shown is shown of each. */
  readonly batch?: readonly Question[];
  /** Aborts when the call is cancelled or the question has been open for too long: then it is to be closed. */
  readonly signal: AbortSignal;
  readonly surfaceContext?: unknown;
}

/** Asks the user. `undefined`: dismissed, which counts as a denial. */
export interface Asker {
  ask(question: Question): Promise<Reply | undefined>;
}
