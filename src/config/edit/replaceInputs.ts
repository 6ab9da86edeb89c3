import { applyEdits, modify } from 'jsonc-parser';
import type { ConfigSource, InputDefinition } from '../configTypes.ts';
import { containerOf } from '../read/serverMaps.ts';
import { plainValue, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { editConfigFile, type EditedConfig } from './editConfigFile.ts';
import { pathTo } from './removeServer.ts';
import { replaceServer } from './replaceServer.ts';
import { isRecord } from '../../base/json/json.ts';

type Value = Readonly<Record<string, unknown>>;

/** What becomes of the inputs where a definition is replaced. */
export interface InputChange {
  /** Inputs that it needs beside those that it had. */
  readonly fresh: readonly InputDefinition[];
  /** Ids of inputs that it no longer needs. They stay where something else names them. */
  readonly unused: readonly string[];
}

/** What the inputs of a new definition are beside those of the old one. */
export function inputChange(
  before: readonly InputDefinition[] = [],
  after: readonly InputDefinition[] = [],
): InputChange {
  const lacks = (all: readonly InputDefinition[], { id }: InputDefinition): boolean =>
    !all.some((each) => each.id === id);
  return {
    fresh: after.filter((input) => lacks(before, input)),
    unused: before.filter((input) => lacks(after, input)).map(({ id }) => id),
  };
}

/**
 * As `replaceServer`, with the inputs that the new definition needs: in the file's own list if it has one, as VS Code's
 * mcp.json, and else in the definition.
 */
export function replaceWithInputs(
  text: string,
  source: ConfigSource,
  name: string,
  change: (value: Value) => Value,
  inputs: InputChange,
): EditedConfig {
  const { fresh, unused } = inputs;
  const list = fileList(text, source);
  const ofEntry = list ? { fresh: [], unused: [...unused, ...fresh.map(({ id }) => id)] } : inputs;
  const edited = replaceServer(text, source, name, (value) => withOwnInputs(change(value), ofEntry, fresh));
  if (!list || 'refusal' in edited) return edited;
  const left = unused.filter((id) => !edited.text.includes(`{input:${id}}`));
  const without = [...left, ...fresh.map(({ id }) => id)].reduce(
    (rest, id) => withoutItem(rest, list, id),
    edited.text,
  );
  return editConfigFile(without, () => fresh.map((value) => ({ path: list, value })));
}

/**
 * A definition with the inputs that it needs in a list of its own.
 * @param elsewhere inputs that stand in another list from now on: the definition's own would hide them
 */
export function withOwnInputs(
  definition: Value,
  { fresh, unused }: InputChange,
  elsewhere: readonly InputDefinition[] = [],
): Value {
  const { inputs, ...rest } = definition;
  if (inputs !== undefined && !Array.isArray(inputs)) return fresh.length > 0 ? { ...rest, inputs: fresh } : definition;
  const named = JSON.stringify(rest);
  const gone = new Set([
    ...unused.filter((id) => !named.includes(`{input:${id}}`)),
    ...[...fresh, ...elsewhere].map(({ id }) => id),
  ]);
  const all: unknown[] = [...((inputs ?? []) as unknown[]).filter((item) => !gone.has(idOf(item))), ...fresh];
  if (all.length > 0) return { ...definition, inputs: all };
  return inputs?.length === 0 ? definition : rest;
}

function idOf(item: unknown): string {
  return isRecord(item) && typeof item['id'] === 'string' ? item['id'] : '';
}

/** The path of the file's own list of inputs: the last, which counts. */
function fileList(text: string, source: ConfigSource): readonly string[] | undefined {
  const { root } = readJsonc(text.replace(/^\uFEFF/, ''));
  const container = root && containerOf(root, source.within ?? []);
  if (!root || !container) return undefined;
  const lists = [container, valueAt(container, 'mcp')].flatMap((node) => inputsIn(node) ?? []);
  return lists.map((property) => pathTo(root, property)).at(-1);
}

function inputsIn(node: ConfigNode | undefined): ConfigNode | undefined {
  return node?.children?.findLast(({ children }) => children?.[0]?.value === 'inputs' && children[1]?.type === 'array');
}

function withoutItem(text: string, list: readonly string[], id: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const plain = text.slice(mark.length);
  const { root } = readJsonc(plain);
  const node = list.reduce((at: ConfigNode | undefined, key) => valueAt(at, key), root);
  const items = node ? (plainValue(node) as readonly unknown[]) : [];
  const index = items.findIndex((item) => idOf(item) === id);
  return index < 0 ? text : mark + applyEdits(plain, modify(plain, [...list, index], undefined, {}));
}
