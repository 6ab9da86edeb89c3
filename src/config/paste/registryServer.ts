import { isRecord } from '../../base/json/json.ts';
import { serverOptions, shortName } from '../registry/serverJson.ts';
import type { Members } from '../registry/valueFiller.ts';
import type { RawServer, RawServers } from './rawServers.ts';

/** Whether a value is a `server.json` of the MCP registry, or an entry of its API, which has one in it. */
export function isRegistryServer(value: unknown): value is Members {
  const server = serverIn(value);
  return (
    server !== undefined && typeof server['name'] === 'string' && (has(server, 'packages') || has(server, 'remotes'))
  );
}

/**
 * The servers of a `server.json` (MCP registry): one for each address and each package that can be run. What its user has to
 * give, e.g. a key, becomes an input.
 */
export function serversOfRegistry(value: Members): RawServers {
  const server = serverIn(value) ?? value;
  const name = shortName(server);
  const built = serverOptions(server, name)
    .filter(({ refusal, kind }) => refusal === undefined && kind !== 'mcpb')
    .map((option) => option.build());
  const inputs = new Map(built.flatMap((each) => each.inputs.map((input) => [input['id'], input])));
  const servers = built.map((each, index): RawServer => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    value: each.value,
  }));
  return { servers, inputs: [...inputs.values()] };
}

/** The `server.json` in a value: the value itself, or its member `server`. */
export function serverIn(value: unknown): Members | undefined {
  if (!isRecord(value)) return undefined;
  return isRecord(value['server']) && !has(value, 'packages') ? value['server'] : value;
}

function has(value: Members, key: string): boolean {
  return Array.isArray(value[key]);
}
