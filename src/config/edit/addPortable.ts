// Loaded when a portable entry is added.
import { say } from '../../base/say.ts';
import { stringify } from 'smol-toml';
import { CLIENT_FORMS } from '../clients/clientForms.ts';
import { PORTABLE_NAME } from '../clients/portableEntry.ts';
import type { ClientId, ConfigSource, TransportSpec } from '../configTypes.ts';
import type { ReadToml } from '../read/parseSource.ts';
import { valueAt } from '../syntax/configNode.ts';
import { syntaxOf } from '../syntax/sourceText.ts';
import { editConfigFile, eolOf, refusalAt, type EditedConfig } from './editConfigFile.ts';
import { placeForServers } from './serverPlace.ts';

const CODEX_TABLE = 'mcp_servers';

/** A portable entry as a client's file has it, alone. */
export function portableText(client: ClientId, spec: Extract<TransportSpec, { type: 'stdio' }>): string {
  const value = CLIENT_FORMS[client].local(spec);
  return client === 'codex'
    ? stringify({ [CODEX_TABLE]: { [PORTABLE_NAME]: value } })
    : JSON.stringify({ [PORTABLE_NAME]: value }, undefined, 2);
}

/**
 * The text of a file with a portable entry. All else stays as it is; a file that has another server of its name is refused, and
 * one with a syntax error.
 * @param readToml for a file in TOML
 */
export function addPortable(
  text: string,
  source: ConfigSource,
  client: ClientId,
  spec: Extract<TransportSpec, { type: 'stdio' }>,
  readToml: ReadToml,
): EditedConfig {
  if (syntaxOf(source) === 'toml') return addToToml(text, portableText(client, spec), readToml);
  const value = CLIENT_FORMS[client].local(spec);
  return editConfigFile(text, (root) => [
    { path: [...placeForServers(root, 'mcpServers').path, PORTABLE_NAME], value },
  ]);
}

/** As a table of its own, at the end, where nothing can come into it. */
function addToToml(text: string, table: string, readToml: ReadToml): EditedConfig {
  const before = readToml(text);
  const [fault] = before.faults;
  const start = { offset: 0, length: 0 };
  if (fault) return { refusal: refusalAt(text, fault.span, fault.message) };
  const there = valueAt(valueAt(before.root, CODEX_TABLE), PORTABLE_NAME);
  if (there) return { refusal: refusalAt(text, there, say`\`${PORTABLE_NAME}\` exists already.`) };
  const eol = eolOf(text);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const edited = `${text}${gap}${table.trim().replaceAll(/\r?\n/g, eol)}${eol}`;
  const after = readToml(edited);
  const isRight = after.faults.length === 0 && valueAt(valueAt(after.root, CODEX_TABLE), PORTABLE_NAME) !== undefined;
  return isRight
    ? { text: edited }
    : { refusal: refusalAt(text, start, say`\`${CODEX_TABLE}\` is no table that can be added to.`) };
}
