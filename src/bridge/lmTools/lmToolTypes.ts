import type { JsonObject } from '../../base/json.ts';
import type * as vscode from 'vscode';

/** Numbers that shape what the tools answer. */
export interface LmToolSettings {
  readonly maxToolsPerSearch: number;
  /** The longest line about a tool, in characters. */
  readonly summaryDescriptionLimit: number;
  /** Whether the editor is offered tools natively at all. */
  readonly isGatewayEnabled: boolean;
  /** The model is to know every tool by a line. */
  readonly exposesSummaries: boolean;
}

export interface Invocation {
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly token: vscode.ChatParticipantToolToken | undefined;
}
