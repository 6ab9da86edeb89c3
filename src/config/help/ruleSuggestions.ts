import { say } from '../../base/say.ts';
import { isClaudeSettings } from '../rules/claudeSettings.ts';
import type { ConfigSource } from '../configTypes.ts';
import { stringSuggestion } from './fieldSuggestions.ts';
import { pathWithin, type ServerPath } from './serverPath.ts';
import type { Suggestion } from './suggestion.ts';
import type { TextPlace } from './textPlace.ts';

/** The servers and tools that rules can be about. */
export interface KnownTools {
  /** Configured names of servers. */
  readonly servers: readonly string[];
  /** Callable names of all tools, `mcp__server__tool`. */
  readonly callable: readonly string[];
  /** A server's own names of its tools, by its configured name. */
  toolsOf(server: string): readonly string[];
}

/** Fields of an entry that are lists of its server's tools. */
const TOOL_LISTS = new Set([
  ...['enabledTools', 'disabledTools', 'includeTools', 'excludeTools', 'allowedTools', 'disallowedTools'],
  ...['autoApprove', 'alwaysAllow', 'enabled_tools', 'disabled_tools', 'blockedTools'],
]);
const SETTINGS = 'mcpSwitchboard.';

/** Names of tools and servers where a rule, a list of tools or a setting of ours is being written. */
export function ruleSuggestions(
  place: TextPlace,
  server: ServerPath | undefined,
  source: ConfigSource,
  known: KnownTools,
): Suggestion[] {
  if (server) return ofEntry(place, server, known);
  const [section = '', ...rest] = pathWithin(place.path, source.within);
  if (typeof section !== 'string') return [];
  const setting = section.startsWith(SETTINGS) ? section.slice(SETTINGS.length) : undefined;
  if (setting !== undefined) return ofSetting(place, setting, rest, known);
  if (isClaudeSettings(source) && section === 'permissions' && /^(?:allow|deny|ask)$/.test(String(rest[0])))
    return toolSuggestions(place, known);
  if (/^(?:en|dis)abledMcpjsonServers$/.test(section)) return serverSuggestions(place, known);
  return [];
}

function ofEntry(place: TextPlace, { name, inside }: ServerPath, known: KnownTools): Suggestion[] {
  const [field, , , member] = inside;
  const isList = inside.length === 2 && TOOL_LISTS.has(String(field));
  const isRule = field === 'permissions' && inside.length === 4 && member === 'tool';
  if (!isList && !isRule) return [];
  return known.toolsOf(name).map((tool) => stringSuggestion(place, 'tool', tool, name));
}

function ofSetting(
  place: TextPlace,
  setting: string,
  rest: readonly (string | number)[],
  known: KnownTools,
): Suggestion[] {
  switch (setting) {
    case 'permissions.rules':
      if (rest[1] === 'tool') return toolSuggestions(place, known);
      return rest[1] === 'server' ? serverSuggestions(place, known) : [];
    case 'alwaysLoadTools':
    case 'searchOnlyTools':
    case 'planMode.writePatterns':
      return toolSuggestions(place, known);
    case 'presets':
      return rest[1] === 'tools' && rest.length === 3 ? presetSuggestions(place, known) : [];
    case 'allowedServers':
    case 'deniedServers':
      return rest.length === 1 || rest[1] === 'name' ? serverSuggestions(place, known) : [];
    default:
      return [];
  }
}

/** Every tool, and all tools of each server. */
function toolSuggestions(place: TextPlace, { callable }: KnownTools): Suggestion[] {
  const all = new Set(callable.map((name) => name.replace(/^(mcp__.+?__).*$/s, '$1*')));
  return [
    ...[...all].map((pattern) => stringSuggestion(place, 'tool', pattern, say`All tools of this server`)),
    ...callable.map((name) => stringSuggestion(place, 'tool', name)),
  ];
}

/** Every server, and each of its tools. */
function presetSuggestions(place: TextPlace, known: KnownTools): Suggestion[] {
  return [
    ...known.servers.map((name) => stringSuggestion(place, 'server', name, say`All of this server`)),
    ...known.servers.flatMap((name) =>
      known.toolsOf(name).map((tool) => stringSuggestion(place, 'tool', `${name}/${tool}`)),
    ),
  ];
}

function serverSuggestions(place: TextPlace, { servers }: KnownTools): Suggestion[] {
  return servers.map((name) => stringSuggestion(place, 'server', name));
}
