import type { ConfigProblem, Server, Tool, ApiError } from '../../api.d.ts';
import { withPlainNumbers } from '../../base/json/exactNumber.ts';
import { effectOf, type CatalogTool, underlyingOf } from '../../catalog/catalogTool.ts';
import { describe } from '../../catalog/exposure/descriptions.ts';
import type { ConfigProblem as OwnProblem } from '../../config/configTypes.ts';
import { describeState } from '../../connection/connectionState.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import { SwitchboardError, messageOf } from '../../base/errors.ts';

/** What other extensions get of anything thrown: a plain error with a code. */
export function apiError(error: unknown): ApiError {
  const code = error instanceof SwitchboardError ? error.code : 'internal';
  const problems =
    typeof error === 'object' && error !== null ? (Reflect.get(error, 'problems') as unknown) : undefined;
  return Object.assign(new Error(messageOf(error), { cause: error }), {
    code,
    ...(Array.isArray(problems) ? { problems: problems as ApiError['problems'] } : {}),
  }) as ApiError;
}

/**
 * An argument that must be a function, as `textOf` has texts.
 * @throws SwitchboardError `invalid-arguments`
 */
export function functionOf<T extends (...args: never[]) => unknown>(value: T, name: string): T {
  if (typeof value === 'function') return value;
  throw new SwitchboardError('invalid-arguments', `\`${name}\` must be a function.`, { remedy: 'See docs/api.md.' });
}

/**
 * An argument that must be a string: another extension may pass anything.
 * @throws SwitchboardError `invalid-arguments`
 */
export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new SwitchboardError('invalid-arguments', `\`${name}\` must be a string.`, { remedy: 'See docs/api.md.' });
}

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
    inputSchema: structuredClone(withPlainNumbers(inputSchema)) as Record<string, unknown>,
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
