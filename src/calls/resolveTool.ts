import { SwitchboardError } from '../base/errors.ts';
import type { CatalogTool } from '../catalog/catalogTool.ts';
import { isForApps, isForModels } from '../catalog/toolApp.ts';
import { notAvailable } from '../catalog/unavailableLines.ts';
import type { BrokerPorts } from './brokerTypes.ts';
import type { Surface, ToolCall } from './callTypes.ts';

/** The tool that a call names. @throws SwitchboardError `unknown-tool`, or why the server isn't there */
export function resolveTool(
  call: Pick<ToolCall, 'name' | 'surface' | 'meta'>,
  ports: Pick<BrokerPorts, 'find' | 'absentOwner' | 'closestNames'>,
): CatalogTool {
  const { name } = call;
  const tool = ports.find(name);
  if (tool && mayCall(call, tool)) return tool;
  const absent = ports.absentOwner(name);
  if (absent) throw notAvailable(absent);
  const closest = ports.closestNames(name);
  throw new SwitchboardError('unknown-tool', `Unknown tool "${name}".`, {
    remedy: closest.length > 0 ? `Did you mean ${closest.join(', ')}?` : 'Use mcp_tool_search to find the tool.',
  });
}

/** The user makes a call again that was made before, by whomever. */
const OF_USER: ReadonlySet<Surface> = new Set<Surface>(['plan-queue', 'dead-letters', 'run-again']);

/**
 * Whether a tool is for who calls (MCP Apps: *Visibility*). What an app that the editor draws calls comes from the editor, too, and
 * differs by what its calls don't say: the request of the chat that they belong to.
 */
function mayCall({ surface, meta }: Pick<ToolCall, 'surface' | 'meta'>, tool: CatalogTool): boolean {
  if (surface === 'app') return isForApps(tool);
  const mayBeApp = surface === 'gateway' && meta?.['vscode.requestId'] === undefined;
  return isForModels(tool) || ((mayBeApp || OF_USER.has(surface)) && isForApps(tool));
}
