import { isRecord } from '../../base/json/json.ts';
import type { RawServer, RawServers } from './rawServers.ts';

type Members = Readonly<Record<string, unknown>>;

/** Whether a value is a `server.json` of the MCP registry, or an entry of its API, which has one in it. */
export function isRegistryServer(value: unknown): value is Members {
  const server = serverIn(value);
  return (
    server !== undefined && typeof server['name'] === 'string' && (has(server, 'packages') || has(server, 'remotes'))
  );
}

/**
 * The servers of a `server.json` (MCP registry): one for each package that can be run and each address. What its user has to
 * give, e.g. a key, becomes an input.
 */
export function serversOfRegistry(value: Members): RawServers {
  const server = serverIn(value) ?? value;
  const name = textOf(server['name'])?.split('/').at(-1) ?? '';
  const inputs: Members[] = [];
  const asked = (about: Members, id: string): string => {
    if (inputs.every((input) => input['id'] !== id)) inputs.push(inputOf(about, id));
    return `\${input:${id}}`;
  };
  const found = [
    ...listOf(server['remotes']).map((each) => remoteOf(each, asked)),
    ...listOf(server['packages']).map((each) => packageOf(each, asked)),
  ].filter((each) => each !== undefined);
  const servers = found.map((each, index): RawServer => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    value: each,
  }));
  return { servers, inputs };
}

/** Makes an input, and gives what stands for it. */
type Ask = (about: Members, id: string) => string;

function remoteOf(remote: Members, ask: Ask): Members | undefined {
  const url = textOf(remote['url']);
  if (url === undefined) return undefined;
  const headers = pairsOf(remote['headers'], ask);
  return { type: remote['type'] ?? remote['transport_type'], url: filled(url, remote, ask), headers };
}

function packageOf(given: Members, ask: Ask): Members | undefined {
  const identifier = textOf(given['identifier'] ?? given['name']);
  const kind = textOf(given['registryType'] ?? given['registry_type'] ?? given['registry_name']);
  if (identifier === undefined) return undefined;
  const env = pairsOf(given['environmentVariables'] ?? given['environment_variables'], ask);
  const own = wordsOf(given['runtimeArguments'] ?? given['runtime_arguments'], ask);
  const args = wordsOf(given['packageArguments'] ?? given['package_arguments'], ask);
  const version = textOf(given['version']);
  const at = (separator: string): string => (version === undefined ? identifier : identifier + separator + version);
  switch (kind) {
    case 'npm':
      return { command: 'npx', args: [...own, ...(own.includes('-y') ? [] : ['-y']), at('@'), ...args], env };
    case 'pypi':
      return { command: 'uvx', args: [...own, at('=='), ...args], env };
    case 'nuget':
      return { command: 'dnx', args: [...own, at('@'), '--yes', ...args], env };
    case 'oci':
    case 'docker': {
      const image = /[:@][^/]+$/.test(identifier) ? identifier : at(':');
      const passed = Object.keys(env).flatMap((name) => ['-e', name]);
      return { command: 'docker', args: ['run', '-i', '--rm', ...own, ...passed, image, ...args], env };
    }
    default:
      return undefined;
  }
}

/** Names with their values; what may be left out and has no value, is. */
function pairsOf(list: unknown, ask: Ask): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listOf(list).flatMap((each) => {
      const name = textOf(each['name']);
      const value = name === undefined ? undefined : valueOf(each, name, ask);
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

function wordsOf(list: unknown, ask: Ask): readonly string[] {
  return listOf(list).flatMap((each) => {
    const name = textOf(each['name']);
    const value = valueOf(
      each,
      (name ?? textOf(each['valueHint'] ?? each['value_hint']) ?? 'argument').replace(/^-+/, ''),
      ask,
    );
    if (name === undefined || each['type'] === 'positional') return value === undefined ? [] : [value];
    return value === undefined ? (isRequired(each) ? [name] : []) : value === '' ? [name] : [name, value];
  });
}

function valueOf(each: Members, id: string, ask: Ask): string | undefined {
  const given = textOf(each['value']) ?? textOf(each['default']);
  if (given !== undefined) return filled(given, each, ask);
  return isRequired(each) || each['isSecret'] === true || each['is_secret'] === true ? ask(each, id) : undefined;
}

/** A text whose `{variables}` are inputs. */
function filled(text: string, { variables }: Members, ask: Ask): string {
  return text.replaceAll(/\{([\w-]+)\}/g, (whole, name: string) => {
    const about = isRecord(variables) ? variables[name] : undefined;
    return isRecord(about) ? (valueOf({ isRequired: true, ...about }, name, ask) ?? whole) : whole;
  });
}

function inputOf(about: Members, id: string): Members {
  const isSecret = about['isSecret'] === true || about['is_secret'] === true;
  const description = textOf(about['description']) ?? id;
  return { id, type: 'promptString', description, ...(isSecret ? { password: true } : {}) };
}

function isRequired(each: Members): boolean {
  return each['isRequired'] === true || each['is_required'] === true;
}

function serverIn(value: unknown): Members | undefined {
  if (!isRecord(value)) return undefined;
  return isRecord(value['server']) && !has(value, 'packages') ? value['server'] : value;
}

function has(value: Members, key: string): boolean {
  return Array.isArray(value[key]);
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
}
