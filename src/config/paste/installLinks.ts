import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import type { PasteFault } from './pasteFault.ts';
import { plainValue } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { serversInJson } from './pastedData.ts';
import type { RawServers } from './rawServers.ts';

const LINK =
  /^(?:vscode(?:-insiders)?:mcp\/(?:install|by-name)|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install|lmstudio:\/\/add_mcp|goose:\/\/extension|(?!https?:|wss?:)[a-z][a-z0-9+.-]*:(?:\/\/)?\S*mcp\S*\?)|^https:\/\/(?:insiders\.)?vscode\.dev\/redirect|^https:\/\/(?:www\.)?cursor\.com\/(?:\w\w\/)?(?:install-mcp|link\/mcp)|^https:\/\/lmstudio\.ai\/install-mcp|^https:\/\/kiro\.dev\/launch\/mcp/i;

/** The address in a text, where it is one that installs a server: a badge of a README, alone or in Markdown. */
export function installLinkIn(text: string): string | undefined {
  const alone = /^[^\s[!]\S*$/.test(text) ? text : undefined;
  const found = alone ?? /\]\(\s*<?([^\s)>]+)/.exec(text.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, 'badge'))?.[1];
  return found !== undefined && LINK.test(found) ? found : undefined;
}

/** The server that such a link carries. Nothing is fetched. */
export function serversOfLink(link: string): RawServers | PasteFault {
  const target = targetOf(link);
  const at = target.indexOf('?');
  const query = at < 0 ? '' : target.slice(at + 1);
  if (/mcp\/by-name/i.test(target))
    return {
      message: say`This link names a server of a gallery, and not what it runs.`,
      fix: say`Paste the configuration that the server’s page shows.`,
    };
  const parameters = new URLSearchParams(query);
  if (/^goose:/i.test(target)) return ofGoose(parameters);
  const json = jsonOf(parameters, query);
  const found = json === undefined ? undefined : serversInJson(json);
  if (found === undefined || 'message' in found)
    return {
      message: say`The configuration in this link can’t be read${found ? `: ${found.message}` : '.'}`,
      fix: say`Copy the whole link again, or paste the configuration.`,
    };
  const name = parameters.get('name');
  const inputs = serversInputs(parameters.get('inputs'));
  const [only] = found.servers;
  const servers = name && only && found.servers.length === 1 ? [{ ...only, name: only.name ?? name }] : found.servers;
  return { servers, inputs: [...found.inputs, ...inputs] };
}

function serversInputs(text: string | null): readonly unknown[] {
  const { root } = readJsonc(decoded(text ?? '') ?? '');
  const value = root && plainValue(root);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The link behind a page that only leads on. */
function targetOf(link: string): string {
  if (!/^https:/i.test(link) || !URL.canParse(link)) return link;
  return new URL(link).searchParams.get('url') ?? link;
}

/** VS Code has percent-encoded JSON as the query, or as `config`; Cursor has it in base64. */
function jsonOf(parameters: URLSearchParams, query: string): string | undefined {
  const config = parameters.get('config') ?? parameters.get('servers');
  if (config !== null) return /^\s*[{%]/.test(config) ? decoded(config) : fromBase64(config);
  const text = decoded(query);
  return text?.startsWith('{') ? text : undefined;
}

function decoded(text: string): string | undefined {
  // A second time, since pages that lead on encode what is encoded.
  let result = text;
  for (let times = 0; times < 2 && /^\s*%/.test(result); times += 1) {
    try {
      result = decodeURIComponent(result);
    } catch {
      return undefined;
    }
  }
  return result;
}

/** A blank in a query stands for `+`. */
function fromBase64(text: string): string | undefined {
  const plain = text.replaceAll(' ', '+');
  return /^[\w+/=-]+$/.test(plain) ? Buffer.from(plain, 'base64').toString('utf8') : undefined;
}

function ofGoose(parameters: URLSearchParams): RawServers | PasteFault {
  const command = parameters.get('cmd');
  const url = parameters.get('url');
  const value = command === null ? { url: url ?? '' } : { command, args: parameters.getAll('arg') };
  const environment = parameters.getAll('env').map((each) => [each.split('=', 1)[0] ?? '', '']);
  if (command === null && url === null)
    return { message: say`The link has neither \`cmd\` nor \`url\`.`, fix: say`Copy the whole link again.` };
  const env = Object.fromEntries(environment) as unknown;
  const name = parameters.get('name') ?? parameters.get('id');
  const withEnv = isRecord(env) && environment.length > 0 ? { ...value, env } : value;
  return { servers: [{ ...(name === null ? {} : { name }), value: withEnv }], inputs: [] };
}
