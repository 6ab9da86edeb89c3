import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import { hasSkills, SKILLS_EXTENSION } from '../../../catalog/skills/skillEntry.ts';
import { SERVER_LOG_LEVELS, type ServerLogLevel } from '../../../base/log.ts';

/** What is spoken to clients in sessions, newest first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The version of the session: the client's, where it is known here, else the newest (specification: *Lifecycle*). */
export function versionFor(asked: unknown): string {
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? PROTOCOL_VERSIONS[0];
}

/** Whether a request may name this version in its header (specification: *Protocol Version Header*; it needn't). */
export function isSpoken(version: unknown): boolean {
  return version === undefined || PROTOCOL_VERSIONS.some((each) => each === version);
}

/** The capability that a server must have for a method to be offered. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'resources/list': ['resources'],
  'resources/templates/list': ['resources'],
  'resources/read': ['resources'],
  'resources/subscribe': ['resources', 'subscribe'],
  'resources/unsubscribe': ['resources', 'subscribe'],
  'skills/list': ['extensions', SKILLS_EXTENSION],
  'skills/get': ['extensions', SKILLS_EXTENSION],
  'resources/directory/read': ['extensions', SKILLS_EXTENSION, 'directoryRead'],
  'prompts/list': ['prompts'],
  'prompts/get': ['prompts'],
  'completion/complete': ['completions'],
  'logging/setLevel': ['logging'],
};

/** Whether an endpoint with these capabilities has a method that goes to its server. */
export function isOffered(method: string, capabilities: JsonObject): boolean {
  const path = Object.hasOwn(NEEDED, method) ? NEEDED[method] : undefined;
  let found: unknown = capabilities;
  for (const name of path ?? []) found = isRecord(found) ? found[name] : undefined;
  return path !== undefined && found !== undefined && found !== false;
}

/**
 * The capabilities of an endpoint: tools always, and what the server has of the rest. An endpoint outlives its server's
 * sessions, so that its lists may always change.
 */
export function capabilitiesOf(upstream: JsonObject): JsonObject {
  const { resources, prompts, completions, logging } = upstream;
  const subscribe = isRecord(resources) && resources['subscribe'] === true;
  return {
    tools: { listChanged: true },
    ...(isRecord(resources) ? { resources: { listChanged: true, ...(subscribe ? { subscribe } : {}) } } : {}),
    ...(isRecord(prompts) ? { prompts: { listChanged: true } } : {}),
    ...(isRecord(completions) ? { completions: {} } : {}),
    ...(isRecord(logging) ? { logging: {} } : {}),
    ...(hasSkills(upstream) ? { extensions: { [SKILLS_EXTENSION]: skillsOf(upstream) } } : {}),
  };
}

/** What an endpoint declares of skills: as the server does. */
function skillsOf({ extensions }: JsonObject): JsonObject {
  const declared = isRecord(extensions) ? extensions[SKILLS_EXTENSION] : undefined;
  return isRecord(declared) && declared['directoryRead'] === true ? { directoryRead: true } : {};
}

export function isLogLevel(value: unknown): value is ServerLogLevel {
  return SERVER_LOG_LEVELS.some((level) => level === value);
}

/** Whether an entry of a log belongs to what was asked for; all do where nothing was. */
export function isWanted(entryLevel: unknown, wanted: ServerLogLevel | undefined): boolean {
  if (wanted === undefined || !isLogLevel(entryLevel)) return true;
  return SERVER_LOG_LEVELS.indexOf(entryLevel) >= SERVER_LOG_LEVELS.indexOf(wanted);
}

/** The one that lets everything through that any of them wants. */
export function mostOf(levels: readonly ServerLogLevel[]): ServerLogLevel | undefined {
  return SERVER_LOG_LEVELS.find((level) => levels.includes(level));
}

/** What a client is called that doesn't say. */
const UNKNOWN = '(unknown)';
/** The longest name of a client that is kept whole, in UTF-16 units. */
const MAX_NAME = 100;

/** What a client is called, by what it says of itself. */
export function clientNameOf(clientInfo: unknown): string {
  const name = isRecord(clientInfo) ? clientInfo['name'] : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name.slice(0, MAX_NAME) : UNKNOWN;
}

/** Whether a client shows forms (specification: an empty object means forms). */
export function canElicit({ elicitation }: JsonObject): boolean {
  return isRecord(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}
