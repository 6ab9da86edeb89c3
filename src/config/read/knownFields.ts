import { say } from '../../base/say.ts';
import type { EntryReader } from './entryReader.ts';
import { HANDSHAKE_FIELDS, TIMING_FIELDS } from './readConnectionOptions.ts';
import { isComment, LAUNCH_KEYS } from './serverMaps.ts';
import { REQUEST_OPTIONS } from './transport/readUrl.ts';
import { unreadField } from './unreadKeys.ts';

/** What products call the tools that are offered, and those that aren't. */
export const ENABLED_TOOLS = [
  'enabledTools',
  'includeTools',
  'enabled_tools',
  'allowedTools',
  'allowed_tools',
  'tools',
] as const;
export const DISABLED_TOOLS = [
  ...(['disabledTools', 'excludeTools', 'disabled_tools', 'disallowedTools', 'deniedTools'] as const),
  ...(['blockedTools', 'blocked_tools', 'disallowed_tools'] as const),
];

/** Fields that have a meaning here or in another client; any other is a hint. */
const KNOWN_FIELDS = new Set([
  ...LAUNCH_KEYS,
  ...['type', 'transport', 'transportType', 'args', 'env', 'environment', 'cwd', 'envFile', 'headers', 'http_headers'],
  ...['headersHelper', 'disabled', 'enabled', 'timeout', 'autoApprove', 'alwaysAllow', 'disabledTools', 'enabledTools'],
  ...[
    'sandboxEnabled',
    'sandbox',
    'description',
    'name',
    'title',
    'icon',
    'gallery',
    'version',
    'dev',
    'oauth',
    'auth',
    'tls',
  ],
  ...['trust', 'tools', 'includeTools', 'excludeTools', 'id', 'note', 'source', 'settings', 'watchPaths', 'remote'],
  ...['bearer_token_env_var', 'env_http_headers', 'env_vars', 'enabled_tools', 'disabled_tools', 'required', 'scopes'],
  ...['toolOverrides', 'customTools', 'permissions', 'alwaysLoad', 'inputs'],
  ...['registry', 'startMode', 'autoConnect', 'discoveryTimeoutMs', 'reconnect', 'logLevel'],
  ...HANDSHAKE_FIELDS,
  ...TIMING_FIELDS,
  ...REQUEST_OPTIONS,
  ...ENABLED_TOOLS,
  ...DISABLED_TOOLS,
  ...['bearerTokenEnv', 'bearerTokenEnvVar'],
  // GitHub Copilot: how it shows a server, and what it does with a result.
  ...['deferTools', 'disableToolCache', 'slowConnectionThresholdMs', 'filterMapping'],
  ...['startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec', 'authProviderType', 'oauthScopes', 'codemode'],
  ...['oauth_resource', 'oauthRedirectUrl', 'oauthClientId'],
]);

/** Reports the keys of an entry that nothing reads, and those that stand there twice. */
export function reportKeys(reader: EntryReader, disabled: boolean): void {
  const seen = new Set<string>();
  for (const member of reader.members) {
    const { key, keyNode } = member;
    if (seen.has(key))
      reader.report(keyNode, 'duplicate-key', 'warning', {
        message: say`Duplicate property \`${key}\`; the last one is used.`,
        fix: say`Remove one of the two.`,
      });
    seen.add(key);
    const isSandbox = key === 'sandbox' && !reader.value('sandboxEnabled');
    if ((KNOWN_FIELDS.has(key) && !isSandbox) || isComment(key)) continue;
    const { code, severity, ...texts } = unreadField(member, (field) => reader.value(field) !== undefined);
    reader.report(keyNode, code, disabled ? 'hint' : severity, texts);
  }
}
