import { isRecord } from '../../base/json/json.ts';
import { cleanIcons } from './cleanIcons.ts';
import { knownVersion } from '../protocol/legacyVersions.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members of a capability that are true or false. */
const FLAGS = ['listChanged', 'subscribe'] as const;
/** Capabilities that stand for what the server has. */
const LISTS = ['tools', 'resources', 'prompts'] as const;

/** The result of `initialize` as the SDK accepts it: what is absent or of the wrong type is completed or left out. */
export function cleanInitialize(result: Members, tolerate: Tolerate): Members {
  const { protocolVersion, serverInfo, capabilities, instructions, ...rest } = result;
  const version = knownVersion(protocolVersion);
  if (version !== protocolVersion) tolerate('handshake of another form');
  return {
    ...rest,
    protocolVersion: version,
    capabilities: cleanCapabilities(capabilities, tolerate),
    serverInfo: cleanServerInfo(serverInfo, tolerate),
    ...cleanInstructions(instructions, tolerate),
  };
}

/** The same of `server/discover` (specification 2026-07-28). */
export function cleanDiscover(result: Members, tolerate: Tolerate): Members {
  const { capabilities, instructions, supportedVersions, ...rest } = result;
  const versions = [supportedVersions].flat().filter((version) => typeof version === 'string');
  // Without versions it is the answer to something else, which the SDK tells from ours.
  if (versions.length === 0) return result;
  if (!Array.isArray(supportedVersions)) tolerate('handshake of another form');
  return {
    ...rest,
    supportedVersions: versions,
    capabilities: cleanCapabilities(capabilities, tolerate),
    ...cleanInstructions(instructions, tolerate),
  };
}

/** Of a server that says nothing of what it can do, the tools are asked for: an error costs nothing else. */
function cleanCapabilities(value: unknown, tolerate: Tolerate): Members {
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).flatMap((each) => capability(each, tolerate)));
  tolerate('handshake of another form');
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries((names.length > 0 ? names : ['tools']).map((name) => [name, {}]));
}

function capability([name, value]: [string, unknown], tolerate: Tolerate): readonly (readonly [string, unknown])[] {
  if (isRecord(value)) return [[name, withFlags(name, value, tolerate)]];
  tolerate(
    value === null ? 'null for absent' : Array.isArray(value) ? 'array for object' : 'handshake of another form',
  );
  const isThere = value !== null && value !== false && value !== 0 && value !== '';
  return isThere ? [[name, {}]] : [];
}

function withFlags(name: string, value: Members, tolerate: Tolerate): Members {
  const isList = (LISTS as readonly string[]).includes(name);
  const odd = Object.entries(value).filter(([key, member]) =>
    (FLAGS as readonly string[]).includes(key) ? typeof member !== 'boolean' : !isList && !isRecord(member),
  );
  if (odd.length === 0) return value;
  tolerate('handshake of another form');
  const right = odd.flatMap(([key, member]) => {
    if ((FLAGS as readonly string[]).includes(key)) return [[key, member === 'true' || member === 1]];
    return Array.isArray(member) || member === true ? [[key, {}]] : [];
  });
  const kept = Object.entries(value).filter(([key]) => !odd.some(([oddKey]) => oddKey === key));
  return Object.fromEntries([...kept, ...right]) as Members;
}

/** Name and version are shown only. */
function cleanServerInfo(value: unknown, tolerate: Tolerate): Members {
  const given = isRecord(value) ? value : typeof value === 'string' ? { name: value } : {};
  const { name, version, title, websiteUrl, description, icons, ...rest } = given as Members;
  if (!isRecord(value) || typeof name !== 'string' || typeof version !== 'string')
    tolerate('handshake of another form');
  const texts = { title, websiteUrl, description };
  return {
    ...rest,
    name: textOf(name),
    version: textOf(version),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')),
    ...cleanIcons(icons),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function cleanInstructions(value: unknown, tolerate: Tolerate): { readonly instructions?: string } {
  if (value === undefined) return {};
  if (typeof value === 'string') return { instructions: value };
  tolerate(value === null ? 'null for absent' : 'handshake of another form');
  const lines = Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];
  return lines.length > 0 ? { instructions: lines.join('\n') } : {};
}
