import { say, type Verbatim } from '../../../base/say.ts';
import type { PermissionRule } from '../../../config/rules/permissionRules.ts';
import { fieldsOf, oauthTexts } from '../../../config/variables/specFields.ts';
import { environmentValue } from '../../../config/variables/expandVariables.ts';
import { variablesIn } from '../../../config/variables/variableSyntax.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { writtenSecrets } from '../../../config/variables/namedValues.ts';
import type { InputDefinition, ServerEntry, TransportSpec } from '../../../config/configTypes.ts';
import type { OAuthOptions } from '../../../config/oauthOptions.ts';
import { sha256, stableStringify, type JsonObject } from '../../../base/json/json.ts';
import { detailLines } from './launchDetails.ts';
import { quoted, written, writtenAll } from './quotedText.ts';
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
  const what = { allow: say`runs without a question`, ask: say`is asked about`, deny: say`is denied` }[action];
  const which = args === undefined ? written(tool) : say`${written(tool)} with ${{ verbatim: JSON.stringify(args) }}`;
  return reason === undefined ? say`Rule: ${which} ${what}` : say`Rule: ${which} ${what} (${written(reason)})`;
}

function whatRuns(spec: TransportSpec): string[] {
  if (spec.type === 'stdio')
    return [
      say`Runs: ${writtenAll([spec.command, ...spec.args], ' ')}`,
      ...(spec.cwd === undefined ? [] : [say`In the folder: ${written(spec.cwd)}`]),
      ...(spec.envFile === undefined ? [] : [say`Environment from the file: ${written(spec.envFile)}`]),
      ...pairs(spec.env).map((pair) => say`Environment: ${pair}`),
    ];
  if (spec.type === 'sdk')
    return [say`Runs inside the extension ${written(spec.extension)}, as ${written(spec.server)}`];
  const protocol = { http: 'Streamable HTTP', sse: 'SSE', url: say`Streamable HTTP or SSE`, ws: 'WebSocket' }[
    spec.type
  ];
  const { address, warning } = receiverOf(spec.url);
  return [
    say`Connects to: ${written(address)} (${protocol})`,
    ...(warning === undefined ? [] : [say`⚠ ${warning}`]),
    ...pairs(spec.headers).map((pair) => say`Header: ${pair}`),
    ...(spec.headersHelper === undefined ? [] : [say`Runs for its headers: ${{ verbatim: spec.headersHelper }}`]),
    ...pairs(withoutKeys(oauthTexts(spec.oauth))).map((pair) => say`Sign-in: ${pair}`),
    ...signInLines(spec.oauth),
    ...(spec.tls === undefined
      ? []
      : [say`Trusts the certificate with this fingerprint alone: ${{ verbatim: spec.tls.fingerprint }}`]),
  ];
}

/** Names and their values, in the order of the names. */
function pairs(map: Readonly<Record<string, string>>): readonly Verbatim[] {
  return Object.entries(map)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ verbatim: `${quoted(name)}=${quoted(value)}` }));
}

/** What a sign-in has that isn't one text. */
function signInLines(oauth: OAuthOptions | false | undefined): string[] {
  if (oauth === false) return [say`Sign-in: none`];
  const { scopes, callbackPort, dpop } = oauth ?? {};
  return [
    ...(scopes?.length === 0 ? [say`Sign-in: asks for no scopes`] : []),
    ...(scopes?.length ? [say`Sign-in: asks for ${writtenAll(scopes)}`] : []),
    ...(callbackPort === undefined ? [] : [say`Sign-in: callbackPort=${callbackPort}`]),
    ...(dpop ? [say`Sign-in: tokens are bound to a key of this machine`] : []),
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
  const receiver = written(spec.type === 'stdio' ? spec.command : receiverOf(spec.url).host);
  return fieldsOf(spec).flatMap(([field, text]) =>
    variablesIn(text, { percent: platform === 'win32' && !/^(?:url$|headers\.)/.test(field) }).map((variable) => {
      const isOwn =
        spec.type === 'stdio' &&
        !field.startsWith('env.') &&
        environmentValue(variable.replace(/^env:/, ''), { env: spec.env, platform }) !== undefined;
      const target = field === 'headersHelper' ? say`the command for its headers` : receiver;
      const value = isOwn ? undefined : shownValue?.(variable, field);
      const from = isOwn ? say`, which its env sets` : origin(variable, inputs);
      const received = say`${target} receives ${written(`\${${variable}}`)} (${written(field)})${from}`;
      return value === undefined ? received : say`${received}, now ${written(value)}`;
    }),
  );
}

/** Where the value of a variable that is no environment variable comes from. */
function origin(variable: string, inputs: readonly InputDefinition[]): string {
  if (variable.startsWith('command:'))
    return say`, from the editor's command ${written(variable.slice('command:'.length))}`;
  if (!variable.startsWith('input:')) return '';
  const input = inputs.find(({ id }) => id === variable.slice('input:'.length));
  if (!input) return '';
  return input.type === 'command'
    ? say`, from the editor's command ${written(input.command)}`
    : say`, which you are asked for`;
}

/** What an entry says of its server's tools, a line each: the user approves it with the rest of the entry. */
function toolLines(toolOverrides: ToolOverrides | undefined, customTools: readonly CustomTool[]): string[] {
  const overrides = [...(toolOverrides ?? [])].map(
    ([tool, override]) => say`Tool ${written(tool)}: ${changesOf(override)}`,
  );
  return [...overrides, ...customTools.map(customLine)];
}

function changesOf({ name, description, hidden, fixedArguments, readOnly, destructive }: ToolOverride): string {
  const changes = [
    ...(hidden === undefined ? [] : [hidden ? say`hidden` : say`not hidden`]),
    ...(name === undefined ? [] : [say`called ${written(name)}`]),
    ...(description === undefined ? [] : [say`described as ${{ verbatim: JSON.stringify(description) }}`]),
    ...(fixedArguments === undefined ? [] : [say`always with ${argumentsText(fixedArguments)}`]),
    ...(readOnly === undefined ? [] : [readOnly ? say`counts as one that only reads` : say`counts as one that writes`]),
    ...(destructive === undefined ? [] : [destructive ? say`counts as destructive` : say`counts as not destructive`]),
  ];
  return changes.length > 0 ? changes.reduce((before, change) => say`${before}; ${change}`) : say`as it is`;
}

function customLine({ name, tool, description, inputSchema, arguments: template }: CustomTool): string {
  // The whole schema would hide the rest; that it changed shows by its hash.
  const schema = sha256(stableStringify(inputSchema)).slice(0, 8);
  return say`Tool of the entry’s own, ${written(name)}: calls ${written(tool)} with ${argumentsText(template)}; described as ${{ verbatim: JSON.stringify(description) }}; schema ${schema}`;
}

function argumentsText(args: JsonObject): string | Verbatim {
  const texts = Object.entries(args).map(([name, value]) => {
    const text = typeof value === 'string' ? value : stableStringify(value);
    return `${quoted(name)}=${quoted(text)}`;
  });
  return texts.length > 0 ? { verbatim: texts.join(', ') } : say`no arguments`;
}
