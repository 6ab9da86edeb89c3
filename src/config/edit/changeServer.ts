import { say } from '../../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify } from 'jsonc-parser';
import { isRecord } from '../../base/json/json.ts';
import type { ConfigSource } from '../configTypes.ts';
import { plainValue } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { syntaxOf } from '../syntax/sourceText.ts';
import { eolOf, indentUnitOf, refusalAt, type EditedConfig } from './editConfigFile.ts';
import { placesOf } from './removeServer.ts';

/** One change of an entry: `value` at `path`, `undefined` takes it away; with `isItem`, a list at `path` gets it as its last item. */
export interface EntryChange {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly isItem?: boolean;
}

/** Changes of an entry, given what stands there; or a sentence why it stays as it is. */
export type EntryChanges = (entry: Readonly<Record<string, unknown>>) => readonly EntryChange[] | string;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The text of a source with changes of one server's fields. Everything else stays as it is. A file with a syntax error is
 * refused, and one in TOML, and one that has the server twice.
 */
export function changeServer(text: string, source: ConfigSource, name: string, changesFor: EntryChanges): EditedConfig {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const plain = text.slice(mark.length);
  const start = { offset: 0, length: 0 };
  const { root, faults } = readJsonc(plain);
  const [fault] = faults;
  if (syntaxOf(source) === 'toml') return { refusal: refusalAt(plain, start, say`Edit TOML by hand.`) };
  if (fault) return { refusal: refusalAt(plain, fault.span, fault.message) };
  const [place, ...others] = root ? placesOf(root, source, name) : [];
  if (!root || !place || others.length > 0 || !isRecord(place.value))
    return { refusal: refusalAt(plain, place?.node ?? start, say`\`${name}\` isn’t in it once, as an object.`) };
  const changes = changesFor(place.value);
  if (typeof changes === 'string') return { refusal: refusalAt(plain, place.node, changes) };
  const formattingOptions = {
    eol: eolOf(plain),
    insertSpaces: !indentUnitOf(plain).startsWith('\t'),
    tabSize: indentUnitOf(plain).length,
  };
  const edited = changes.reduce(
    (rest, { path, value, isItem = false }) =>
      applyEdits(
        rest,
        modify(rest, [...place.path, ...path, ...(isItem ? [-1] : [])], value, {
          formattingOptions,
          ...(isItem ? { isArrayInsertion: true } : {}),
        }),
      ),
    plain,
  );
  const expected = changedValue(plainValue(root), [{ path: place.path, value: changedEntry(place.value, changes) }]);
  const again = readJsonc(edited);
  const isRight = again.faults.length === 0 && isDeepStrictEqual(again.root && plainValue(again.root), expected);
  if (!isRight) return { refusal: refusalAt(plain, place.node, say`It stands there in a form that can’t be changed.`) };
  return { text: mark + edited };
}

/** An entry with its changes, where it stands in no file. */
export function changedEntry(
  entry: Readonly<Record<string, unknown>>,
  changes: readonly EntryChange[],
): Readonly<Record<string, unknown>> {
  return changedValue(entry, changes) as Readonly<Record<string, unknown>>;
}

function changedValue(value: unknown, changes: readonly EntryChange[]): unknown {
  return changes.reduce((rest, { path, value: next, isItem = false }) => put(rest, path, next, isItem), value);
}

function put(value: unknown, [key, ...rest]: readonly (string | number)[], next: unknown, isItem: boolean): unknown {
  if (key === undefined) return isItem ? [...(Array.isArray(value) ? (value as unknown[]) : []), next] : next;
  if (typeof key === 'number') return Array.isArray(value) ? value.filter((_, index) => index !== key) : value;
  const record = isRecord(value) ? value : {};
  if (rest.length > 0 || isItem) return { ...record, [key]: put(record[key], rest, next, isItem) };
  if (next !== undefined) return { ...record, [key]: next };
  const { [key]: _gone, ...left } = record;
  return left;
}
