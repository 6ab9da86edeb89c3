import { say } from '../../base/say.ts';
import type { ConfigSource } from '../configTypes.ts';
import { plainValue, stringOf, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import type { FieldSchemas } from './fieldSchema.ts';
import { fieldSuggestions, stringSuggestion, valueSuggestions } from './fieldSuggestions.ts';
import { packagesFor } from './knownPackages.ts';
import { ruleSuggestions, type KnownTools } from './ruleSuggestions.ts';
import { isOffered, schemaFieldsBeside, type SchemaFields } from './schemaFields.ts';
import { serverPathOf, type ServerPath } from './serverPath.ts';
import type { Suggestion } from './suggestion.ts';
import { placeAt, type TextPlace } from './textPlace.ts';
import { variableSuggestions, type VariableNames } from './variableSuggestions.ts';

/** What can be named at a place. */
export interface Known extends VariableNames, KnownTools {
  readonly schemas: FieldSchemas;
  readonly schemaFields: SchemaFields;
  /** Programs on the search path. */
  readonly commands: readonly string[];
}

/** What the place is in. */
interface Within {
  readonly text: string;
  readonly syntax: 'jsonc' | 'toml';
  readonly source: ConfigSource;
  /** The file as far as it can be read. */
  readonly root: ConfigNode | undefined;
}

/** What can be written at an offset of a source's text, and the JSON language server doesn't offer already. */
export function suggestionsAt(within: Within, offset: number, known: Known): Suggestion[] {
  const { text, syntax, source } = within;
  const place = placeAt(text, syntax, offset);
  if (!place) return [];
  const server = serverPathOf(place.path, source);
  if (place.part === 'key') return server ? keySuggestions(place, server, within, known) : [];
  const ofRules = ruleSuggestions(place, server, source, known);
  if (!server || server.inside.length === 0) return ofRules;
  const rest = text.slice(offset, place.content.offset + place.content.length);
  return [
    ...ofRules,
    ...(place.isQuoted ? variableSuggestions(place, rest, known) : []),
    ...valuesAt(place, server, within, known),
  ];
}

function keySuggestions(
  place: TextPlace,
  server: ServerPath,
  { text, syntax, root }: Within,
  known: Known,
): Suggestion[] {
  const at = server.inside.slice(0, -1);
  if (server.inside.length === 0) return [];
  if (at[0] === 'toolOverrides' && at.length === 1)
    return known.toolsOf(server.name).map((tool) => ({
      ...stringSuggestion(place, 'tool', tool),
      text: syntax !== 'jsonc' && /^[\w-]+$/.test(tool) ? tool : JSON.stringify(tool),
    }));
  const present = objectAt(root, place.path.slice(0, -1));
  const current = place.path.at(-1);
  const others = Object.keys(present).filter((name) => name !== current);
  const schemaFields = schemaFieldsBeside(others, known.schemaFields);
  const fields = known.schemas
    .fieldsOf('server', at)
    .filter(({ name }) => !isOffered(name, at, schemaFields))
    .filter(({ name }) => name === current || !(name in present));
  const end = place.token.offset + place.token.length;
  const isFollowed = /^[ \t]*[:=]/.test(text.slice(end, end + 20));
  return fieldSuggestions(place, fields, syntax, isFollowed);
}

function valuesAt(place: TextPlace, { inside }: ServerPath, { root }: Within, known: Known): Suggestion[] {
  const [field] = inside;
  const entry = nodeAt(root, place.path.slice(0, place.path.length - inside.length));
  switch (field) {
    case 'command':
      return commandsAt(place, known);
    case 'args': {
      const command = stringOf(valueAt(entry, 'command')) ?? '';
      return packagesFor(command).map(({ name, about }) => stringSuggestion(place, 'package', name, about));
    }
    default: {
      if (isOffered(String(field), [], known.schemaFields)) return [];
      const schema = known.schemas.find('server', inside);
      return schema ? valueSuggestions(place, schema) : [];
    }
  }
}

/** What most servers are started with: offered before anything is written. */
const USUAL = /^(?:npx|bunx|pnpm|uvx|uv|pipx|node|deno|bun|python3?|docker|podman|java|dotnet|go|ruby|php)(?:\.\w+)?$/;
const MAX_COMMANDS = 100;

/** Programs that begin with what is written; those that our schema gives as examples are offered already where it is in force. */
function commandsAt(place: TextPlace, { commands, schemaFields }: Known): Suggestion[] {
  const typed = place.before.toLowerCase();
  if (/[\\/$]/.test(typed)) return [];
  const examples = new Set(schemaFields === 'ours' ? ['npx', 'uvx', 'node', 'python', 'docker'] : []);
  return commands
    .filter((name) => (typed === '' ? USUAL.test(name) : name.toLowerCase().startsWith(typed)) && !examples.has(name))
    .slice(0, MAX_COMMANDS)
    .map((name) => stringSuggestion(place, 'command', name, say`On the search path`));
}

function nodeAt(root: ConfigNode | undefined, path: readonly (string | number)[]): ConfigNode | undefined {
  let node = root;
  for (const step of path) node = typeof step === 'number' ? node?.children?.[step] : valueAt(node, step);
  return node;
}

function objectAt(root: ConfigNode | undefined, path: readonly (string | number)[]): object {
  const node = nodeAt(root, path);
  const value = node?.type === 'object' ? plainValue(node) : undefined;
  return typeof value === 'object' && value !== null ? value : {};
}
