import type { ConfigSource, Scope, SourceFormat, WorkspaceFolder } from '../../../src/config/configTypes.ts';

/** A source for tests. */
export function sourceOf(
  options: { id?: string; scope?: Scope; format?: SourceFormat; file?: string; folder?: WorkspaceFolder } = {},
): ConfigSource {
  const { scope = 'user', format = 'mcp', file, folder } = options;
  const id = options.id ?? `${scope}:${file ?? 'test'}`;
  return {
    id,
    scope,
    format,
    label: id,
    ...(file === undefined ? {} : { file }),
    ...(folder === undefined ? {} : { folder }),
  };
}
