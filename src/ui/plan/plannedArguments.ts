import * as vscode from 'vscode';
import { parseExact, unlessSafeInteger } from '../../base/json/exactJson.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import type { Host } from '../../host/host.ts';

/** Scheme of the documents that hold the arguments of planned calls. */
export const PLAN_SCHEME = 'mcp-switchboard-plan';

/** The document of a planned call's arguments. */
export function planUri({ id, tool }: PlannedCall): vscode.Uri {
  return vscode.Uri.from({ scheme: PLAN_SCHEME, authority: id, path: `/${tool.replaceAll('/', '_')}.json` });
}

/** The call of a document; `undefined` if it is no longer planned. */
export function plannedAt(host: Host, { authority }: vscode.Uri): PlannedCall | undefined {
  return host.calls.plan.queue.find(({ id }) => id === authority);
}

/** The arguments in a text, and a sentence per error. */
export async function checkArguments(
  host: Host,
  { tool }: PlannedCall,
  text: string,
): Promise<{ readonly args?: JsonObject; readonly mistakes: readonly string[] }> {
  let args: unknown;
  try {
    args = parseExact(text, { keeps: unlessSafeInteger });
  } catch (error) {
    return { mistakes: [vscode.l10n.t('Invalid JSON: {0}', error instanceof Error ? error.message : '')] };
  }
  if (!isRecord(args)) return { mistakes: [vscode.l10n.t('Arguments must be a JSON object.')] };
  const schema = host.catalog.find(tool)?.tool.inputSchema;
  return { args: args as JsonObject, mistakes: schema ? await host.validate(schema, args as JsonObject) : [] };
}
