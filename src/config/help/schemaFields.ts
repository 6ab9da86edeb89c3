import { clientOf } from '../clients/clientConventions.ts';
import type { ConfigSource } from '../configTypes.ts';

/** Which fields the editor's JSON language server completes and describes by itself in a file, by a schema. */
export type SchemaFields = 'ours' | 'editors' | 'none';

/** Fields that VS Code's own schema of `mcp.json` has. */
const EDITORS_FIELDS = new Set(['type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', 'dev', 'oauth']);

/**
 * Whose schema is in force at a place of a source: ours, by the manifest (`jsonValidation`, and the setting `servers`), or
 * VS Code's own.
 * @param section the first key of the path to the place
 */
export function schemaFieldsOf(source: ConfigSource, section: unknown): SchemaFields {
  const file = (source.file ?? '').replaceAll('\\', '/');
  if (section === 'mcpSwitchboard.servers') return 'ours';
  if (/(?:^|\/)(?:\.mcp|managed-mcp)\.json$|\/mcp-switchboard\.mcp-switchboard\/(?:.*\/)?mcp\.json$/.test(file))
    return 'ours';
  return clientOf(source) === 'vscode' && file.endsWith('/mcp.json') ? 'editors' : 'none';
}

/**
 * Whether the editor offers and describes a field already.
 * @param at the path from the server's entry to the object that the field is in
 */
export function isOffered(field: string, at: readonly unknown[], schemaFields: SchemaFields): boolean {
  return schemaFields === 'ours' || (schemaFields === 'editors' && at.length === 0 && EDITORS_FIELDS.has(field));
}

/**
 * Whose schema offers fields in an entry that has others already: VS Code’s offers none beside one that it doesn’t know, as each of
 * ours is (microsoft/vscode#268904).
 * @param others names of the fields that are there
 */
export function schemaFieldsBeside(others: readonly string[], schemaFields: SchemaFields): SchemaFields {
  return schemaFields === 'editors' && others.some((name) => !EDITORS_FIELDS.has(name)) ? 'none' : schemaFields;
}
