import type { Event } from '../base/event.ts';
import type { JsonObject } from '../base/json/json.ts';

/** A root that servers may list. */
export interface Root {
  /** `file:` URI. */
  readonly uri: string;
  readonly name: string;
}

/** The server that sends a request. `name` is as configured. */
export interface AskingServer {
  readonly id: string;
  readonly name: string;
}

/** A request of a server, with its parameters as it sent them. */
export interface ServerQuestion {
  readonly server: AskingServer;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
  /** What the server calls it within the request that needs it (specification 2026-07-28); earlier ones have no such name. */
  readonly key?: string;
}

/** Requests of servers that are supported. What is absent is not declared, and refused. */
export interface ServerRequestPorts {
  readonly roots?: (question: ServerQuestion) => readonly Root[] | Promise<readonly Root[]>;
  readonly onRootsChanged?: Event<void>;
  /** `sampling/createMessage`; gives the result as the protocol has it. */
  readonly sample?: (question: ServerQuestion) => Promise<JsonObject>;
  /** The `sampling` capability of a server's connection; `undefined`: none. Without this it is an empty one. */
  readonly samplingFor?: (server: AskingServer) => Promise<JsonObject | undefined>;
  /** `elicitation/create`; gives the result as the protocol has it. */
  readonly elicit?: (question: ServerQuestion) => Promise<JsonObject>;
  /** Extensions of the protocol, by name, that are declared to servers: what shows them is elsewhere. */
  readonly extensions?: Record<string, { mimeTypes: string[] }> | undefined;
  /** What the user began at a URL is complete (`notifications/elicitation/complete`). */
  readonly elicited?: (server: AskingServer, elicitationId: string) => void;
}
