import { say } from '../../base/say.ts';
import type { ClientConventions } from '../clients/clientConventions.ts';
import { EntryReader } from './entryReader.ts';
import type { SyntaxFault } from '../syntax/readJsonc.ts';
import { checkValues } from './suspectValues.ts';
import { kindOf, stringOf, valueAt, type Member } from '../syntax/configNode.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import { DISABLED_TOOLS, ENABLED_TOOLS, reportKeys } from './knownFields.ts';
import { readStartOptions, readTimeouts } from './readConnectionOptions.ts';
import { readInputs } from './readInputs.ts';
import { readToolRules } from '../rules/readToolRules.ts';
import { readTransport } from './transport/readTransport.ts';
import type {
  BrokenEntry,
  ConfigProblem,
  InputDefinition,
  ServerEntry,
  ToolFilter,
  VariableUse,
} from '../configTypes.ts';
import { variableUsesOf } from '../variables/variableUses.ts';

/** Names that make tool names as they are. Others load, too. */
const PLAIN_NAME = /^[\w.@/-]+(?: [\w.@/-]+)*$/;
const LONGEST_PLAIN_NAME = 64;
/** In UTF-16 units, as of a tool’s name: a longer one leaves no room for what is said of its server. */
const LONGEST_NAME = 256;

/** An entry, or why it can't be used. */
export interface EntryResult {
  readonly entry?: ServerEntry;
  readonly broken?: BrokenEntry;
  /** It only says that the server of this name, which another file of the same client defines, is off. */
  readonly switchedOff?: true;
  readonly problems: readonly ConfigProblem[];
}

/** What an entry is read in. */
export interface EntryContext {
  readonly text: SourceText;
  readonly conventions: ClientConventions | undefined;
  /** The key that it stands under; see `ServerEntry.section`. */
  readonly section: string | undefined;
  /** Errors of syntax inside it. */
  readonly faults: readonly SyntaxFault[];
  /** The inputs of the file, by id. */
  readonly inputs: ReadonlyMap<string, InputDefinition>;
}

/**
 * Reads one server.
 * @param member its name and value in the file
 */
export function readEntry(member: Member, context: EntryContext): EntryResult {
  const { text, faults, conventions } = context;
  const name = member.key;
  const reader = new EntryReader(name, member.value, text, conventions);
  for (const { code, span, scope, message, fix, edit } of faults)
    reader.report(span, code, scope === 'nothing' ? 'warning' : 'error', {
      message,
      ...(fix === undefined ? {} : { fix }),
      ...(edit === undefined ? {} : { edit }),
    });
  checkName(reader, member);
  const isObject = member.value.type === 'object';
  if (!isObject)
    reader.report(member.value, 'entry-not-an-object', 'error', {
      message: say`The server \`${name}\` must be an object, not ${kindOf(member.value)}.`,
      fix: say`Write \`{ "command": "…", "args": [] }\` or \`{ "url": "https://…" }\`.`,
    });
  const disabled = reader.flag('disabled') === true || reader.flag('enabled') === false;
  // Of an entry that its syntax spoils there may be nothing to read.
  const isSpoiled = faults.some(({ scope }) => scope !== 'nothing') && member.value.children?.length === 0;
  const entry = isObject && !isSpoiled ? readFields(reader, member, disabled, context) : undefined;
  const error = reader.problems.find((problem) => problem.severity === 'error');
  if (!error) {
    const isOff = disabled && reader.problems.some(({ code }) => code === 'defined-elsewhere');
    return { ...(entry ? { entry } : {}), ...(isOff ? { switchedOff: true } : {}), problems: reader.problems };
  }
  // A disabled server's problems can wait until it is enabled.
  const problems = disabled ? reader.problems.map(asHint) : reader.problems;
  const problem = disabled ? asHint(error) : error;
  const broken = { name, range: text.range(member.keyNode), problem, ...(disabled ? { disabled } : {}) };
  return { broken, problems };
}

function asHint(problem: ConfigProblem): ConfigProblem {
  return { ...problem, severity: 'hint' };
}

function checkName(reader: EntryReader, { key, keyNode }: Member): void {
  if (key.trim() === '')
    reader.report(keyNode, 'empty-name', 'error', {
      message: say`This server has no name.`,
      fix: say`Write a name between the quotes.`,
    });
  else if (key.length > LONGEST_NAME)
    reader.report(keyNode, 'long-name', 'error', {
      message: say`This server’s name has more than ${LONGEST_NAME} characters.`,
      fix: say`Write a shorter name.`,
    });
  else if (!PLAIN_NAME.test(key) || key.length > LONGEST_PLAIN_NAME)
    reader.report(keyNode, 'odd-name', 'hint', {
      message: say`Tool names can't contain \`${key.slice(0, LONGEST_PLAIN_NAME)}\` as it is; other characters are replaced.`,
      fix: say`Use letters, digits, \`-\` and \`_\`.`,
    });
}

function readFields(
  reader: EntryReader,
  { keyNode }: Member,
  disabled: boolean,
  { text, section, inputs }: EntryContext,
): ServerEntry | undefined {
  const transport = readTransport(reader);
  const timeouts = { ...readTimeouts(reader), ...readStartOptions(reader) };
  const tools = readToolFilter(reader);
  const rules = readToolRules(reader, text.source.scope);
  const alwaysLoad = reader.flag('alwaysLoad') === true || stringOf(reader.value('deferTools')) === 'never';
  const autoApprove = reader.names(['autoApprove', 'alwaysAllow']);
  const sandboxed = reader.flag('sandboxEnabled') === true;
  const registry = readRegistry(reader);
  checkValues(reader, disabled);
  reportKeys(reader, disabled);
  if (!transport) return undefined;
  const variables = variableUsesOf(reader, transport);
  const own = readInputs([reader.node], text);
  reader.problems.push(...own.problems);
  const used = usedInputs(variables, new Map([...inputs, ...own.inputs]));
  return {
    name: reader.name,
    scope: text.source.scope,
    source: text.source,
    range: text.range(keyNode),
    transport,
    ...(section === undefined ? {} : { section }),
    disabled,
    ...timeouts,
    ...(tools ? { tools } : {}),
    ...rules,
    ...(alwaysLoad ? { alwaysLoad } : {}),
    ...(autoApprove.length > 0 ? { autoApprove } : {}),
    ...(sandboxed ? { sandboxed } : {}),
    ...(registry ? { registry } : {}),
    ...(used.length > 0 ? { inputs: used } : {}),
    ...(variables.length > 0 ? { variables } : {}),
  };
}

/** Which server of a registry it was made of, so that updates are found. */
function readRegistry(reader: EntryReader): ServerEntry['registry'] {
  const node = reader.value('registry');
  const name = stringOf(valueAt(node, 'name'));
  const version = stringOf(valueAt(node, 'version'));
  return name && version ? { name, version } : undefined;
}

function readToolFilter(reader: EntryReader): ToolFilter | undefined {
  const only = reader.names(ENABLED_TOOLS);
  const disabled = reader.names(DISABLED_TOOLS);
  const enabled = only.includes('*') ? [] : only;
  // Copilot's way to say: none of them.
  if (reader.client === 'copilot' && reader.value('tools')?.children?.length === 0) disabled.push('*');
  if (enabled.length === 0 && disabled.length === 0) return undefined;
  return { ...(enabled.length > 0 ? { enabled } : {}), ...(disabled.length > 0 ? { disabled } : {}) };
}

function usedInputs(
  variables: readonly VariableUse[],
  inputs: ReadonlyMap<string, InputDefinition>,
): readonly InputDefinition[] {
  const ids = new Set(
    variables.flatMap(({ variable }) => (variable.startsWith('input:') ? [variable.slice('input:'.length)] : [])),
  );
  return [...ids].flatMap((id) => inputs.get(id) ?? []);
}
