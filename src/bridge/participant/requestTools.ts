import * as vscode from 'vscode';
import {
  decideExposure,
  nativeTools,
  type Exposure,
  type ExposureSetting,
} from '../../catalog/exposure/toolExposure.ts';
import { toolDefinition, definitionText, estimateTokens } from '../../catalog/exposure/toolDefinition.ts';
import type { ScriptSwitch } from '../../calls/script/scriptSwitch.ts';
import { SCRIPT_TOOL } from '../../calls/script/scriptTool.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { Host } from '../../host/host.ts';
import { viewsWithSkills } from '../resources/skills.ts';
import { canSignIn } from '../../host/views/serverView.ts';

/** What is always there: the way to every tool that isn't in the list, and to resources and prompts. */
const FIXED = [
  ...(['mcp_tool_search', 'mcp_tool_list', 'mcp_call_tool'] as const),
  ...(['mcp_list_resources', 'mcp_read_resource', 'mcp_get_prompt'] as const),
] as const;

export interface ToolSet {
  readonly exposure: Exposure;
  readonly tools: vscode.LanguageModelChatTool[];
}

const costs = new WeakMap<CatalogTool, number>();

/**
 * The tools of one request, by the budget that the model's context gives: all of them, or those that are loaded; besides
 * the search, what the user attached to the message, and scripts where they are on.
 */
export function toolSet(
  host: Host,
  setting: ExposureSetting,
  { model, toolReferences }: Pick<vscode.ChatRequest, 'model' | 'toolReferences'>,
  scripts: Pick<ScriptSwitch, 'on'>,
): ToolSet {
  const tools = host.catalog.tools.filter((tool) => !host.loaded.isSearchOnly(tool));
  const decision = decideExposure({
    setting,
    toolCount: tools.length,
    definitionTokens: tools.reduce((sum, tool) => sum + costOf(tool), 0),
    contextTokens: model.maxInputTokens,
  });
  const offered = nativeTools(tools, host.loaded, decision).flatMap((entry): vscode.LanguageModelChatTool[] => {
    const tool = toolDefinition(entry);
    return 'leftOut' in tool ? [] : [{ name: tool.name, description: tool.description, inputSchema: tool.inputSchema }];
  });
  const signIn = host.views.some(canSignIn) ? ['mcp_sign_in'] : [];
  const script = scripts.on ? [SCRIPT_TOOL] : [];
  const skills = viewsWithSkills(host).length > 0 ? ['mcp_load_skill'] : [];
  const names = new Set<string>([...FIXED, ...signIn, ...script, ...skills, ...toolReferences.map(({ name }) => name)]);
  const editors = vscode.lm.tools
    .filter(({ name }) => names.has(name) && (scripts.on || name !== SCRIPT_TOOL))
    .map(({ name, description, inputSchema }) => ({ name, description, ...(inputSchema ? { inputSchema } : {}) }));
  return { exposure: decision.exposure, tools: [...offered, ...editors] };
}

function costOf(tool: CatalogTool): number {
  let cost = costs.get(tool);
  if (cost === undefined) {
    cost = estimateTokens(definitionText(tool));
    costs.set(tool, cost);
  }
  return cost;
}
