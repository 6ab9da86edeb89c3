import { clientOf } from '../clients/clientConventions.ts';
import { membersOf, plainValue, type ConfigNode, type Member } from '../syntax/configNode.ts';
import { editDistance } from '../../base/text/editDistance.ts';
import { oneLine } from '../../base/text/showInvisible.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import type { ClientId, ConfigProblem, TextEdit } from '../configTypes.ts';
import { isRecord } from '../../base/json/json.ts';
import { say } from '../../base/say.ts';

/** Names of what keeps something from running: lists, rules, hooks, sandboxes. */
const RESTRICTING =
  /allow|deny|denied|block|disallow|forbid|exclu|restrict|whitelist|blacklist|permission|security|hook|sandbox|approval|approve|polic|disabled|quarantine|read_?only|trusted|isolat|guard|confirm|(?:enabled|include)_?(?:mcp)?_?(?:json)?_?(?:tools|servers)/i;
/** Names of what a server is reached with. */
const CREDENTIAL = /^(?:api[-_]?key|(?:access|bearer|auth)?[-_]?token|bearer|authorization|password|credentials?)$/i;
/** Named for what they permit: without effect, less happens. */
const LOOSENING = /^(?:auto|always|skip|bypass|dangerously)|approve[sd]?$/i;

/** Whether a section that isn't read would have restricted something. `false`, nothing and empty don't. */
export function restricts(key: string, value: ConfigNode): boolean {
  const plain = plainValue(value);
  if (/^auto[-_]?(?:connect|start)$/i.test(key)) return plain === false;
  if (LOOSENING.test(key) || !RESTRICTING.test(key)) return false;
  if (Array.isArray(plain)) return plain.length > 0 || /allow|whitelist/i.test(key);
  if (isRecord(plain)) return Object.keys(plain).length > 0;
  return plain !== false && plain !== null && plain !== '';
}

/** What other words for a field mean, without case, blanks, `-` and `_`. */
const MEANT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['cmd', 'exec', 'executable', 'program', 'binary'].map((key) => [key, 'command'])),
  ...Object.fromEntries(
    ['arg', 'argv', 'arguments', 'commandargs', 'cmdargs', 'parameters'].map((key) => [key, 'args']),
  ),
  ...Object.fromEntries(['envs', 'environ', 'envvars', 'environmentvariables'].map((key) => [key, 'env'])),
  ...Object.fromEntries(['header', 'httpheaders', 'requestheaders'].map((key) => [key, 'headers'])),
  ...Object.fromEntries(['uri', 'endpointurl', 'mcpurl', 'address'].map((key) => [key, 'url'])),
  httpurl: 'httpUrl',
  serverurl: 'serverUrl',
  ...Object.fromEntries(['workingdirectory', 'workingdir', 'workdir'].map((key) => [key, 'cwd'])),
  ...Object.fromEntries(['command', 'args', 'env', 'url', 'headers', 'cwd', 'disabled'].map((key) => [key, key])),
};

/** The fields that docs/configuration.md and the schema describe: what a key can be a misspelling of. */
export const DESCRIBED_FIELDS: readonly string[] = [
  ...['type', 'command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers', 'headersHelper', 'oauth', 'tls'],
  ...['disabled', 'enabled', 'enabledTools', 'disabledTools', 'autoApprove', 'alwaysAllow', 'permissions', 'inputs'],
  ...['timeout', 'startMode', 'handshakeTimeoutMs', 'installMs', 'discoveryTimeoutMs', 'slowStartMs', 'registry'],
  ...['listDebounceMs', 'keepAliveMs', 'logLevel', 'reconnect', 'alwaysLoad', 'toolOverrides', 'customTools'],
];
/** Longer keys are no misspelling of any. */
const LONGEST_FIELD = 24;

/** The field that a key is written like: with one letter more, less, swapped or another, two in long names. */
function nearField(key: string): string | undefined {
  if (key.length < 3 || key.length > LONGEST_FIELD) return undefined;
  const written = key.toLowerCase().replaceAll(/[-_ ]/g, '');
  const near = DESCRIBED_FIELDS.map((field) => {
    const max = field.length < 6 ? 1 : 2;
    return { field, distance: editDistance(written, field.toLowerCase(), max), max };
  }).filter(({ distance, max }) => distance <= max);
  return near.sort((one, other) => one.distance - other.distance)[0]?.field;
}

/**
 * What is said of a key of an entry that isn't read.
 * @param has whether the entry has a field
 */
export function unreadField(
  { key, keyNode, value }: Member,
  has: (field: string) => boolean,
): {
  readonly code: string;
  readonly severity: 'warning' | 'hint';
  readonly message: string;
  readonly fix: string;
  readonly edit?: TextEdit;
} {
  const shown = oneLine(key);
  const meant = MEANT[key.toLowerCase().replaceAll(/[-_ ]/g, '')] ?? nearField(key);
  if (meant !== undefined && !has(meant))
    return {
      code: 'misspelt-field',
      severity: 'warning',
      message: say`\`${shown}\` isn’t read; the field is called \`${meant}\`.`,
      fix: say`Rename it to \`${meant}\`.`,
      edit: { offset: keyNode.offset, length: keyNode.length, text: JSON.stringify(meant) },
    };
  if (restricts(key, value))
    return {
      code: 'unread-restriction',
      severity: 'warning',
      message: say`\`${shown}\` isn’t read, so it restricts nothing.`,
      fix: say`Use \`disabledTools\`, \`permissions\` or \`mcpSwitchboard.permissions.rules\`, or remove it.`,
    };
  if (CREDENTIAL.test(key) && value.type === 'string')
    return {
      code: 'unread-credential',
      severity: 'warning',
      message: say`\`${shown}\` isn’t read, so the server doesn’t get it.`,
      fix: say`Put it into \`headers\`, e.g. \`"Authorization": "Bearer \${input:token}"\`, or into \`env\`.`,
    };
  return {
    code: 'unknown-field',
    severity: 'hint',
    message: say`Unknown property \`${shown}\`; it is ignored.`,
    fix: say`Check its spelling, or remove it.`,
  };
}

/** Sections of a settings file that other products' own tools go by, and servers never did. */
const OF_OWN_TOOLS = new Set(['approval_policy', 'sandbox_mode', 'sandbox_workspace_write', 'disabled_providers']);
/** Whose settings files hold what restricts servers; what Claude Code's say is read elsewhere. */
const WITH_RESTRICTIONS: ReadonlySet<ClientId | undefined> = new Set(['codex', 'gemini', 'opencode', 'claude-desktop']);
/** Sections that are named for something else, and may have restrictions in them. */
const LOOKED_INTO =
  /^(?:security|settings|config|options|defaults?|global|mcp|tools|servers?[-_]?settings|experimental)$/i;

/**
 * What is said of the sections of a file that aren't read: a warning where one would have restricted something. Of a
 * settings file, which has much that isn't about servers, only that.
 */
export function unreadSections(sections: readonly Member[], text: SourceText): ConfigProblem[] {
  const isSettings = text.source.format === 'settings';
  if (isSettings && !WITH_RESTRICTIONS.has(clientOf(text.source))) return [];
  return sections.flatMap((member): ConfigProblem[] => {
    const { key, keyNode, value } = member;
    const shown = oneLine(key);
    if (isSettings && OF_OWN_TOOLS.has(key)) return [];
    const within = LOOKED_INTO.test(key) ? membersOf(value).find((each) => restricts(each.key, each.value)) : undefined;
    // Of nothing but servers, it can only have been about them.
    const isLookedInto = LOOKED_INTO.test(key) && (isSettings || !/^security$/i.test(key));
    if (within ?? (!isLookedInto && restricts(key, value)))
      return [
        text.problem(within?.keyNode ?? keyNode, 'unread-restriction', 'warning', {
          message: say`\`${within ? `${shown}.${oneLine(within.key)}` : shown}\` isn’t read here, so it restricts nothing.`,
          fix: /^auto/i.test(key)
            ? say`Use \`mcpSwitchboard.startMode\`, or \`startMode\` of a server.`
            : say`Use \`mcpSwitchboard.deniedServers\`, \`mcpSwitchboard.permissions.rules\` or \`mcpSwitchboard.hooks\`.`,
        }),
      ];
    if (isSettings) return [];
    return [
      text.problem(keyNode, 'unread-key', 'hint', {
        message: say`\`${shown}\` isn’t read here.`,
        fix: say`Check its spelling, or remove it.`,
      }),
    ];
  });
}
