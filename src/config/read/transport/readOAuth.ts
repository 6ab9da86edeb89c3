import { say } from '../../../base/say.ts';
import type { OAuthOptions } from '../../oauthOptions.ts';
import { kindOf, membersOf, plainValue, stringOf, type ConfigNode, type Member } from '../../syntax/configNode.ts';
import type { EntryReader } from '../entryReader.ts';
import { isComment } from '../serverMaps.ts';

type TextField =
  | 'clientId'
  | 'clientSecret'
  | 'redirectUri'
  | 'issuer'
  | 'metadataUrl'
  | 'resource'
  | 'clientMetadataUrl'
  | 'privateKey'
  | 'idpIssuer'
  | 'idpTokenUrl'
  | 'idpClientId'
  | 'idpClientSecret'
  | 'idToken'
  | 'assertion'
  | 'algorithm';

/** What the products call the members of `oauth`, lower-case and without `-` and `_`. */
const TEXTS: Readonly<Record<string, TextField>> = {
  clientid: 'clientId',
  clientsecret: 'clientSecret',
  redirecturi: 'redirectUri',
  redirecturl: 'redirectUri',
  callbackurl: 'redirectUri',
  issuer: 'issuer',
  authservermetadataurl: 'metadataUrl',
  resource: 'resource',
  clientmetadataurl: 'clientMetadataUrl',
  privatekey: 'privateKey',
  idpissuer: 'idpIssuer',
  idptokenurl: 'idpTokenUrl',
  idpclientid: 'idpClientId',
  idpclientsecret: 'idpClientSecret',
  idtoken: 'idToken',
  assertion: 'assertion',
  algorithm: 'algorithm',
};

/** Members of a whole entry that belong to its sign-in: of Codex, Kiro, mcporter and GitHub Copilot. */
const OF_ENTRY: readonly (readonly [key: string, as: string])[] = [
  ['scopes', 'scopes'],
  ['oauthScopes', 'scopes'],
  ['oauth_resource', 'resource'],
  ['oauthRedirectUrl', 'redirectUri'],
  ['oauthClientId', 'clientId'],
];

/**
 * How a remote server is signed in to: `oauth` of Claude Code, VS Code, Codex, Gemini, opencode and Kiro, `auth` of Cursor.
 * `false`: the entry wants none. What is wrong in it is a warning, since the server may work without.
 */
export function readOAuth(reader: EntryReader): OAuthOptions | false | undefined {
  const member = reader.first(['oauth']) ?? cursorsAuth(reader);
  const value = member?.value;
  if (value?.type === 'boolean') return value.value === true ? undefined : false;
  if (member && value?.type !== 'object') {
    reader.report(member.value, 'invalid-oauth', 'warning', {
      message: say`\`${member.key}\` must be an object or \`false\`, not ${kindOf(member.value)}.`,
      fix: say`Write \`{ "clientId": "…" }\`, or remove it: most servers need nothing here.`,
    });
  }
  const options: Writable<OAuthOptions> = {};
  for (const [key, as] of OF_ENTRY) {
    const node = reader.value(key);
    if (node && node.type !== 'null') readMember(reader, as, node, options);
  }
  for (const each of value?.type === 'object' ? membersOf(value) : []) {
    if (isComment(each.key) || each.value.type === 'null') continue;
    if (plain(each.key) === 'enabled' && each.value.value === false) return false;
    if (!readMember(reader, plain(each.key), each.value, options)) reportUnread(reader, each);
  }
  return Object.keys(options).length > 0 ? options : undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** `auth` means many things; with a client in it, it is Cursor's. */
function cursorsAuth(reader: EntryReader): Member | undefined {
  const member = reader.first(['auth']);
  const isClient = member && membersOf(member.value).some(({ key }) => plain(key) === 'clientid');
  return isClient ? member : undefined;
}

/** @returns whether the member is known */
function readMember(reader: EntryReader, key: string, node: ConfigNode, options: Writable<OAuthOptions>): boolean {
  const field = TEXTS[plain(key)];
  if (field) {
    const text = stringOf(node);
    if (text === undefined || text.trim() === '') return warn(reader, node, field, say`a string`);
    const fault = URL_FIELDS.has(field) && !text.includes('$') ? addressFaultOf(text) : undefined;
    if (fault !== undefined) return warn(reader, node, field, fault);
    options[field] = reader.note(`oauth.${field}`, text, node);
    return true;
  }
  switch (plain(key)) {
    case 'scope':
    case 'scopes': {
      const scopes = scopesIn(plainValue(node));
      if (!scopes) return warn(reader, node, 'scopes', say`scopes with blanks between them, or an array of them`);
      if (scopes.length > 0) options.scopes = scopes;
      return true;
    }
    case 'callbackport': {
      const port = Number(node.value);
      if (node.type !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
        return warn(reader, node, 'callbackPort', say`a port, from 1 to 65535`);
      options.callbackPort = port;
      return true;
    }
    case 'grant':
    case 'granttype': {
      const grant = plain(stringOf(node) ?? '');
      if (grant === 'clientcredentials') options.grant = 'client_credentials';
      else if (grant === 'crossappaccess') options.grant = 'cross_app_access';
      else if (JWT_BEARER.has(grant)) options.grant = 'jwt_bearer';
      else if (grant !== 'authorizationcode')
        warn(reader, node, 'grant', say`\`client_credentials\`, \`cross_app_access\` or \`jwt_bearer\``);
      return true;
    }
    case 'dpop':
      if (typeof node.value !== 'boolean') return warn(reader, node, 'dpop', say`\`true\` or \`false\``);
      if (node.value) options.dpop = true;
      return true;
    case 'enabled':
      return true;
    default:
      return false;
  }
}

/** Also by its name in a request (RFC 7523, section 2.1). */
const JWT_BEARER: ReadonlySet<string> = new Set(['jwtbearer', 'urn:ietf:params:oauth:granttype:jwtbearer']);

const URL_FIELDS: ReadonlySet<TextField> = new Set([
  'metadataUrl',
  'redirectUri',
  'issuer',
  'clientMetadataUrl',
  'idpIssuer',
  'idpTokenUrl',
]);

function addressFaultOf(text: string): string | undefined {
  const url = URL.parse(text);
  const isLocal = url?.protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url?.protocol === 'https:' || isLocal ? undefined : say`an address that begins with \`https://\``;
}

/** Codex and Cursor write a list, Claude Code one text. */
function scopesIn(value: unknown): readonly string[] | undefined {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  return [...new Set(texts.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean))];
}

function warn(reader: EntryReader, node: ConfigNode, field: string, expected: string): true {
  reader.report(node, 'invalid-oauth', 'warning', {
    message: say`\`${field}\` of the sign-in must be ${expected}; it is ignored.`,
    fix: say`Correct it, or remove it.`,
  });
  return true;
}

function reportUnread(reader: EntryReader, { key, keyNode }: Member): void {
  reader.report(keyNode, 'unknown-field', 'hint', {
    message: say`\`${key.slice(0, 60)}\` of the sign-in isn’t read: where to sign in is found out at the server.`,
    fix: say`Remove it.`,
  });
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[-_ ]/g, '');
}
