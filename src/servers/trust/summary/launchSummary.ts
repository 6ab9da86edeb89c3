import type { PermissionRule } from '../../../config/rules/permissionRules.ts';
import { fieldsOf, oauthTexts } from '../../../config/variables/specFields.ts';
import { environmentValue } from '../../../config/variables/expandVariables.ts';
import { variablesIn } from '../../../config/variables/variableSyntax.ts';
import { oneLine } from '../../../base/text/invisible.ts';
import { writtenSecrets } from '../../../config/variables/namedValues.ts';
import type { InputDefinition, ServerEntry, TransportSpec } from '../../../config/configTypes.ts';
import type { OAuthOptions } from '../../../config/oauthOptions.ts';
import { sha256, stableStringify, type JsonObject } from '../../../base/json/json.ts';
import { detailLines } from './launchDetails.ts';
import { quoted } from './quotedText.ts';
import { receiverOf } from './addressReceiver.ts';
import type { CustomTool } from '../../../config/rules/customTools.ts';
import type { ToolOverride, ToolOverrides } from '../../../config/rules/toolOverrides.ts';

type Described = Pick<
  ServerEntry,
  'transport' | 'inputs' | 'permissionRules' | 'toolOverrides' | 'customTools' | 'tools' | 'envVariables'
>;

interface LaunchOptions {
  readonly platform?: NodeJS.Platform;
  readonly shownValue?: (variable: string, field: string) => string | undefined;
}

/**
 * What would run or be reached, and which variable goes where: the lines that the user reads before approving. Every text
 * is shown whole, as written and on one line: no variable's value gets into it, and what a file says itself isn't covered,
 * since it may be what runs.
 * @param options.platform tells whether `%NAME%` is a variable
 * @param options.shownValue what a variable stands for now, for the user’s own eyes, without secrets: then it stands beside it
 */
export function describeLaunch(
  { transport, inputs = [], permissionRules = [], toolOverrides, customTools = [], ...details }: Described,
  { platform = process.platform, shownValue }: LaunchOptions = {},
): string[] {
  return [
    ...whatRuns(transport),
    ...variableLines(transport, inputs, platform, shownValue),
    ...detailLines({ inputs, ...details }),
    ...permissionRules.map(ruleLine),
    ...toolLines(toolOverrides, customTools),
  ].map(oneLine);
}

/** The command or address as written, on one line, with its secrets masked: for lists, where nothing is decided. */
export function launchText(spec: Exclude<TransportSpec, { type: 'sdk' }>): string {
  const text = spec.type === 'stdio' ? [spec.command, ...spec.args].join(' ') : spec.url;
  return oneLine(writtenSecrets(spec).mask(text));
}

/** A rule of the entry as a line. */
function ruleLine({ action, tool, args, reason }: PermissionRule): string {
  const what = { allow: 'runs without a question', ask: 'is asked about', deny: 'is denied' }[action];
  const where = args === undefined ? '' : ` with ${JSON.stringify(args)}`;
  return `Rule: ${quoted(tool)}${where} ${what}${reason === undefined ? '' : ` (${quoted(reason)})`}`;
}

function whatRuns(spec: TransportSpec): string[] {
  const texts = (label: string, map: Readonly<Record<string, string>>): string[] =>
    Object.entries(map)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${label} ${quoted(name)}=${quoted(value)}`);
  if (spec.type === 'stdio')
    return [
      `Runs: ${[spec.command, ...spec.args].map(quoted).join(' ')}`,
      ...(spec.cwd === undefined ? [] : [`In the folder: ${quoted(spec.cwd)}`]),
      ...(spec.envFile === undefined ? [] : [`Environment from the file: ${quoted(spec.envFile)}`]),
      ...texts('Environment:', spec.env),
    ];
  if (spec.type === 'sdk') return [`Runs inside the extension ${quoted(spec.extension)}, as ${quoted(spec.server)}`];
  const protocol = { http: 'Streamable HTTP', sse: 'SSE', url: 'Streamable HTTP or SSE', ws: 'WebSocket' }[spec.type];
  const { address, warning } = receiverOf(spec.url);
  return [
    `Connects to: ${quoted(address)} (${protocol})`,
    ...(warning === undefined ? [] : [`⚠ ${warning}`]),
    ...texts('Header:', spec.headers),
    ...(spec.headersHelper === undefined ? [] : [`Runs for its headers: ${spec.headersHelper}`]),
    ...texts('Sign-in:', withoutKeys(oauthTexts(spec.oauth))),
    ...signInLines(spec.oauth),
    ...(spec.tls === undefined ? [] : [`Trusts the certificate with this fingerprint alone: ${spec.tls.fingerprint}`]),
  ];
}

/** What a sign-in has that isn't one text. */
function signInLines(oauth: OAuthOptions | false | undefined): string[] {
  if (oauth === false) return ['Sign-in: none'];
  const { scopes, callbackPort, dpop } = oauth ?? {};
  return [
    ...(scopes ? [`Sign-in: asks for ${scopes.map(quoted).join(', ') || 'no scopes'}`] : []),
    ...(callbackPort === undefined ? [] : [`Sign-in: callbackPort=${callbackPort}`]),
    ...(dpop ? ['Sign-in: tokens are bound to a key of this machine'] : []),
  ];
}

/**
 * The secrets of a client, which run nothing, as hashes: the lines are kept. One with a variable is shown as written, since
 * the person has to know where that goes.
 */
function withoutKeys(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shown = Object.entries(texts).map(([name, value]) => {
    const isKey = /^(?:clientSecret|privateKey|idpClientSecret|idToken|assertion)$/.test(name) && !/[$%]/.test(value);
    return [name, isKey ? `(a value, ${sha256(value).slice(0, 8)})` : value] as const;
  });
  return Object.fromEntries(shown);
}

function variableLines(
  spec: TransportSpec,
  inputs: readonly InputDefinition[],
  platform: NodeJS.Platform,
  shownValue: LaunchOptions['shownValue'],
): string[] {
  if (spec.type === 'sdk') return [];
  const receiver = quoted(spec.type === 'stdio' ? spec.command : receiverOf(spec.url).host);
  return fieldsOf(spec).flatMap(([field, text]) =>
    variablesIn(text, { percent: platform === 'win32' && !/^(?:url$|headers\.)/.test(field) }).map((variable) => {
      const isOwn =
        spec.type === 'stdio' &&
        !field.startsWith('env.') &&
        environmentValue(variable.replace(/^env:/, ''), { env: spec.env, platform }) !== undefined;
      const target = field === 'headersHelper' ? 'the command for its headers' : receiver;
      const value = isOwn ? undefined : shownValue?.(variable, field);
      const now = value === undefined ? '' : `, now ${quoted(value)}`;
      return `${target} receives ${quoted(`\${${variable}}`)} (${quoted(field)})${isOwn ? ', which its env sets' : origin(variable, inputs)}${now}`;
    }),
  );
}

/** Where the value of a variable that is no environment variable comes from. */
function origin(variable: string, inputs: readonly InputDefinition[]): string {
  if (variable.startsWith('command:'))
    return `, from the editor's command ${quoted(variable.slice('command:'.length))}`;
  if (!variable.startsWith('input:')) return '';
  const input = inputs.find(({ id }) => id === variable.slice('input:'.length));
  if (!input) return '';
  return input.type === 'command'
    ? `, from the editor's command ${quoted(input.command)}`
    : ', which you are asked for';
}

/** What an entry says of its server's tools, a line each: the user approves it with the rest of the entry. */
function toolLines(toolOverrides: ToolOverrides | undefined, customTools: readonly CustomTool[]): string[] {
  const overrides = [...(toolOverrides ?? [])].map(
    ([tool, override]) => `Tool ${quoted(tool)}: ${changesOf(override)}`,
  );
  return [...overrides, ...customTools.map(customLine)];
}

function changesOf({ name, description, hidden, fixedArguments, readOnly, destructive }: ToolOverride): string {
  const changes = [
    ...(hidden === undefined ? [] : [hidden ? 'hidden' : 'not hidden']),
    ...(name === undefined ? [] : [`called ${quoted(name)}`]),
    ...(description === undefined ? [] : [`described as ${JSON.stringify(description)}`]),
    ...(fixedArguments === undefined ? [] : [`always with ${argumentsText(fixedArguments)}`]),
    ...(readOnly === undefined ? [] : [readOnly ? 'counts as one that only reads' : 'counts as one that writes']),
    ...(destructive === undefined ? [] : [destructive ? 'counts as destructive' : 'counts as not destructive']),
  ];
  return changes.length > 0 ? changes.join('; ') : 'as it is';
}

function customLine({ name, tool, description, inputSchema, arguments: template }: CustomTool): string {
  // The whole schema would hide the rest; that it changed shows by its hash.
  const schema = sha256(stableStringify(inputSchema)).slice(0, 8);
  return `Tool of the entry’s own, ${quoted(name)}: calls ${quoted(tool)} with ${argumentsText(template)}; described as ${JSON.stringify(description)}; schema ${schema}`;
}

function argumentsText(args: JsonObject): string {
  const texts = Object.entries(args).map(([name, value]) => {
    const text = typeof value === 'string' ? value : stableStringify(value);
    return `${quoted(name)}=${quoted(text)}`;
  });
  return texts.length > 0 ? texts.join(', ') : 'no arguments';
}
