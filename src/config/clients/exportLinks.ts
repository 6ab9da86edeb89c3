// Loaded when servers are exported.
import type { ServerEntry } from '../configTypes.ts';
import { exportEntries } from './exportServers.ts';
import { inputAsJson } from './importServers.ts';

/** Links that add a server: to VS Code itself, to Cursor, and to this extension. */
export const LINK_KINDS = ['vscode', 'cursor', 'switchboard'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export interface ExportedLink {
  readonly link: string;
  readonly notes: readonly string[];
}

/**
 * A link that adds a server, without its secrets.
 * @param place of this extension's links: the editor's scheme and the extension's id, e.g. `vscode://publisher.name`
 * @returns `undefined` for a server that no file can define
 */
export function exportLink(entry: ServerEntry, kind: LinkKind, place: string): ExportedLink | undefined {
  const [exported] = exportEntries([entry], kind === 'cursor' ? 'cursor' : 'vscode');
  if (!exported) return undefined;
  const { name, value, inputs, notes } = exported;
  const whole = { name, ...value, ...(inputs.length > 0 ? { inputs: inputs.map(inputAsJson) } : {}) };
  return { link: linkOf(kind, place, whole), notes };
}

function linkOf(kind: LinkKind, place: string, { name, ...value }: Readonly<Record<string, unknown>>): string {
  switch (kind) {
    case 'vscode':
      return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...value }))}`;
    case 'cursor': {
      const config = Buffer.from(JSON.stringify(value)).toString('base64');
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(String(name))}&config=${encodeURIComponent(config)}`;
    }
    case 'switchboard':
      // In letters that nothing on the way encodes again.
      return `${place}/add?config=${Buffer.from(JSON.stringify({ name, ...value })).toString('base64url')}`;
  }
}
