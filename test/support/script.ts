/** One step of the scripted model; a turn ends with a text. */
export type Step =
  | { readonly call: ScriptedCall }
  /** Several in one step. */
  | { readonly calls: readonly ScriptedCall[] }
  | { readonly text: string }
  /** Answers requests that aren't the agent's, by how many results they have; `waits`: until they are cancelled. */
  | { readonly sampled: { readonly text?: string; readonly calls?: readonly ScriptedCall[]; readonly waits?: true } };

export interface ScriptedCall {
  readonly name: string;
  readonly input: object;
}

/** What the model was sent in one request. */
export interface ModelRequest {
  readonly offered: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
  readonly results: readonly { readonly text: string; readonly data: readonly string[] }[];
  readonly prompt: string;
  /** Types of images in the message. */
  readonly data: readonly string[];
  /** And their sizes in bytes. */
  readonly sizes: readonly number[];
  /** The editor cancelled the request before it was answered. */
  readonly cancelled?: true;
  /** How many results of earlier turns went along. */
  readonly earlierResults: number;
  /** The text of every message, the agent's own instructions first. */
  readonly messages: readonly string[];
  readonly modelOptions?: object;
}

/** A call through `mcp_call_tool`; `tool` is the callable name without `mcp__`. */
export function callTool(tool: string, args: object = {}): Step {
  return { call: { name: 'mcp_call_tool', input: { name: `mcp__${tool}`, arguments: args } } };
}

export function offeredNames({ offered }: ModelRequest): readonly string[] {
  return offered.map(({ name }) => name);
}
