import { say } from '../../base/say.ts';
import type { Span } from './sourceText.ts';

/** A value of a config file and its place. What every syntax (JSONC, TOML) is turned into; jsonc-parser's nodes fit it. */
export interface ConfigNode extends Span {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'number' | 'boolean' | 'null';
  /** Of a string, number or boolean. */
  readonly value?: unknown;
  /** Properties of an object, items of an array, key and value of a property. */
  readonly children?: readonly ConfigNode[];
}

/** One `key: value` of an object. */
export interface Member {
  readonly key: string;
  readonly keyNode: ConfigNode;
  readonly value: ConfigNode;
  /** From the key to the end of the value. */
  readonly span: Span;
}

/** The members of an object in the order of the file, those without a value left out; none for another kind of node. */
export function membersOf(node: ConfigNode | undefined): Member[] {
  if (node?.type !== 'object') return [];
  const members: Member[] = [];
  for (const property of node.children ?? []) {
    const [keyNode, value] = property.children ?? [];
    if (keyNode && value && typeof keyNode.value === 'string')
      members.push({ key: keyNode.value, keyNode, value, span: { offset: property.offset, length: property.length } });
  }
  return members;
}

/** The value of the last member called `key`: of duplicates the last counts, as in every JSON parser. */
export function valueAt(node: ConfigNode | undefined, key: string): ConfigNode | undefined {
  return membersOf(node).findLast((member) => member.key === key)?.value;
}

/** The value if it is a string. */
export function stringOf(node: ConfigNode | undefined): string | undefined {
  return node?.type === 'string' && typeof node.value === 'string' ? node.value : undefined;
}

/** How a sentence names the kind of a value, e.g. `an array`. */
export function kindOf(node: ConfigNode): string {
  if (node.type === 'boolean') return `\`${String(node.value)}\``;
  return KIND_NAMES[node.type];
}

const KIND_NAMES = {
  object: say`an object`,
  property: say`an object`,
  array: say`an array`,
  string: say`a string`,
  number: say`a number`,
  null: '`null`',
} as const;

/** The value as plain data. */
export function plainValue(node: ConfigNode): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.type === 'null' ? null : node.value;
  return Object.fromEntries(membersOf(node).map(({ key, value }) => [key, plainValue(value)]));
}
