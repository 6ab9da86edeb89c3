import { isRecord } from '../base/json/json.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import { underlyingOf, type CatalogTool } from './catalogTool.ts';

/** What a tool's `_meta` says of the app that its result is drawn by (MCP Apps: *Tools*). */
function appOf({ meta }: McpTool): Readonly<Record<string, unknown>> {
  const ui = meta?.['ui'];
  return isRecord(ui) ? ui : {};
}

/** Address of the server's page that draws the tool's results, also where servers had it before 2026-01-26. */
export function appUriOf(tool: McpTool): string | undefined {
  const uri = appOf(tool)['resourceUri'] ?? tool.meta?.['ui/resourceUri'];
  return typeof uri === 'string' && /^ui:\/\//i.test(uri) ? uri : undefined;
}

/** Whether the server has a page that draws the tool's results. */
export function hasApp({ tool }: CatalogTool): boolean {
  return appUriOf(tool) !== undefined;
}

/** Whether a tool is for models. The server may keep one for its app alone. */
export function isForModels(entry: CatalogTool): boolean {
  return isFor(entry, 'model');
}

/** Whether the server's app may call a tool. */
export function isForApps(entry: CatalogTool): boolean {
  return isFor(entry, 'app');
}

/** A list that names none of the two is for nobody. */
function isFor(entry: CatalogTool, who: 'model' | 'app'): boolean {
  const { visibility } = appOf(underlyingOf(entry));
  return !Array.isArray(visibility) || visibility.includes(who);
}
