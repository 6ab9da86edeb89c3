import type { ServerDefinition } from '../../api.d.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import type { TransportSpec } from '../../config/configTypes.ts';
import type { ServerFactory } from '../../servers/addedServers.ts';

/** A definition of another extension, looked through. */
export interface CheckedDefinition {
  readonly name: string;
  readonly transport: TransportSpec;
  readonly create?: ServerFactory;
}

/**
 * Looks through what another extension gave as a definition: nothing makes sure that it has the type that it should.
 * @param extension the extension's id
 * @throws SwitchboardError `invalid-arguments`, naming the member and what it must be
 */
export function checkDefinition(definition: ServerDefinition, extension: string): CheckedDefinition {
  const given: unknown = definition;
  if (!isRecord(given)) throw wrong('A definition must be an object.');
  const { name, command, url, createServer } = given;
  if (typeof name !== 'string' || name.trim() === '') throw wrong('`name` must be a non-empty string.');
  const kinds = [command, url, createServer].filter((member) => member !== undefined);
  if (kinds.length !== 1) throw wrong(`“${name}” has to have one of \`command\`, \`url\` and \`createServer\`.`);
  if (createServer !== undefined) {
    if (typeof createServer !== 'function') throw wrong('`createServer` must be a function.');
    const make = createServer as () => unknown;
    return {
      name,
      transport: { type: 'sdk', extension, server: name },
      create: async () =>
        (await import('./inProcessServer.ts')).inProcessServer(() => make.call(given), extension, name),
    };
  }
  return { name, transport: command === undefined ? remote(given) : local(given) };
}

function local({ command, args = [], env = {}, cwd }: Record<string, unknown>): TransportSpec {
  if (typeof command !== 'string' || command === '') throw wrong('`command` must be a non-empty string.');
  // A copy: a list of another extension may give others each time.
  const words: readonly unknown[] | undefined = Array.isArray(args) ? Array.from<unknown>(args) : undefined;
  if (!words?.every(isText)) throw wrong('`args` must be an array of strings.');
  if (cwd !== undefined && !isText(cwd)) throw wrong('`cwd` must be a string.');
  return { type: 'stdio', command, args: words, env: texts('env', env), ...(cwd === undefined ? {} : { cwd }) };
}

function remote({ url, type = 'url', headers = {} }: Record<string, unknown>): TransportSpec {
  if (!isText(url) || url === '') throw wrong('`url` must be a non-empty string.');
  if (type !== 'url' && type !== 'http' && type !== 'sse' && type !== 'ws')
    throw wrong('`type` must be `http`, `sse` or `ws`.');
  return { type, url, headers: texts('headers', headers) };
}

function texts(member: string, value: unknown): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : undefined;
  if (!entries?.every((entry): entry is [string, string] => isText(entry[1])))
    throw wrong(`\`${member}\` must be an object of strings.`);
  return Object.fromEntries(entries);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function wrong(message: string): SwitchboardError {
  return new SwitchboardError('invalid-arguments', message, { remedy: 'See docs/api.md.' });
}
