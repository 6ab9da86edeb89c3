import { SwitchboardError } from '../base/errors.ts';
import { isForModels, type CatalogTool } from '../catalog/catalogTool.ts';
import { notAvailable } from '../catalog/unavailableServer.ts';
import type { BrokerPorts } from './brokerTypes.ts';
import type { ToolCall } from './callTypes.ts';

/** The tool that a call names. @throws SwitchboardError `unknown-tool`, or why the server isn't there */
export function resolveTool(
  { name, surface }: Pick<ToolCall, 'name' | 'surface'>,
  ports: Pick<BrokerPorts, 'find' | 'absentOwner' | 'closestNames'>,
): CatalogTool {
  const tool = ports.find(name);
  // An app's calls come from the editor, which draws it.
  if (tool && (surface === 'gateway' || isForModels(tool))) return tool;
  const absent = ports.absentOwner(name);
  if (absent) throw notAvailable(absent);
  const closest = ports.closestNames(name);
  throw new SwitchboardError('unknown-tool', `Unknown tool "${name}".`, {
    remedy: closest.length > 0 ? `Did you mean ${closest.join(', ')}?` : 'Use mcp_tool_search to find the tool.',
  });
}
