import type { ConfigProblem, Server, Tool } from '../../api.d.ts';
import { effectOf, type CatalogTool, underlyingOf } from '../../catalog/catalogTool.ts';
import { describe } from '../../catalog/exposure/descriptions.ts';
import type { ConfigProblem as OwnProblem } from '../../config/configTypes.ts';
import { describeState } from '../../connection/connectionState.ts';
import type { ServerView } from '../../host/serverView.ts';

/** A server as other extensions see it: nothing of its environment, headers or arguments. */
export function serverShape({ definition, state, tools }: ServerView): Server {
  const { id, name, entry } = definition;
  const { label, file } = entry.source;
  return {
    id,
    name,
    scope: entry.scope,
    origin: { label, ...(file === undefined ? {} : { file, line: entry.range.line }) },
    transport: entry.transport.type,
    state: {
      kind: state.kind,
      text: describeState(state),
      needsApproval: state.kind === 'blocked' && state.needsApproval,
    },
    toolCount: tools.length,
  };
}

/** A tool as other extensions see it; the schema is a copy. */
export function toolShape(entry: CatalogTool): Tool {
  const { title, inputSchema, annotations } = entry.tool;
  return {
    name: entry.name,
    serverName: entry.serverName,
    toolName: underlyingOf(entry).name,
    ...(title === undefined ? {} : { title }),
    description: describe(entry),
    inputSchema: structuredClone(inputSchema) as Record<string, unknown>,
    effect: effectOf(annotations),
  };
}

export function problemShape({ code, severity, message, fix, range, serverName }: OwnProblem): ConfigProblem {
  return {
    code,
    severity,
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(range.file === undefined ? {} : { file: range.file }),
    line: range.line,
    column: range.column,
    ...(serverName === undefined ? {} : { serverName }),
  };
}
