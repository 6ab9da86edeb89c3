import { say } from '../../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import { conventionsOf } from '../clients/clientConventions.ts';
import type { ConfigSource } from '../configTypes.ts';
import { containerOf, findServerMaps } from '../read/serverMaps.ts';
import { plainValue, type ConfigNode } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { syntaxOf } from '../syntax/sourceText.ts';
import { commaAfter, refusalAt, startsLine, type EditedConfig } from './editConfigFile.ts';

const BYTE_ORDER_MARK = '\uFEFF';
/** A comment at the end of the line belongs to what is before it. */
const REMARK = /^(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/;
const LINE_END = /^[ \t]*(?:\r\n|\r|\n)/;

/**
 * The text of a source with a server in front of another one of the same map of servers, or behind the last one. Comments
 * in front of a server, and at the end of its line, move with it. A file with a syntax error is refused.
 * @param before the server that it comes in front of; `undefined`: it becomes the last one
 */
export function reorderServer(
  text: string,
  source: ConfigSource,
  name: string,
  before: string | undefined,
): EditedConfig {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const plain = text.slice(mark.length);
  const start = { offset: 0, length: 0 };
  if (syntaxOf(source) === 'toml')
    return { refusal: refusalAt(plain, start, say`Servers in TOML can’t be reordered here.`) };
  const { root, faults } = readJsonc(plain);
  const [fault] = faults;
  if (fault) return { refusal: refusalAt(plain, fault.span, fault.message) };
  const map = root && mapOf(root, source, before === undefined ? [name] : [name, before]);
  if (!map) return { refusal: refusalAt(plain, start, say`\`${name}\` isn’t in it once, beside the other one.`) };
  const properties = map.children ?? [];
  const order = reordered(properties, name, before);
  const edited = properties.every(({ offset }) => startsLine(plain, offset))
    ? withLines(plain, map, order)
    : withSlots(plain, properties, order);
  const again = readJsonc(edited);
  const read = again.root && mapOf(again.root, source, [name]);
  const isRight =
    again.faults.length === 0 &&
    isDeepStrictEqual(again.root && plainValue(again.root), plainValue(root)) &&
    isDeepStrictEqual(read?.children?.map(keyOf), order.map(keyOf));
  if (!isRight) return { refusal: refusalAt(plain, map, say`It stands there in a form that can’t be reordered.`) };
  return { text: mark + edited };
}

/** The only map of servers that has all of these names, each once. */
function mapOf(root: ConfigNode, source: ConfigSource, names: readonly string[]): ConfigNode | undefined {
  const container = containerOf(root, source.within ?? []);
  if (!container) return undefined;
  const maps = findServerMaps(container, source.format, conventionsOf(source)?.mergesByName);
  const [map, ...others] = maps.filter(({ members }) => members.some(({ key }) => key === names[0]));
  const keys = map?.value.children?.map(keyOf) ?? [];
  const isThere = names.every((name) => keys.filter((key) => key === name).length === 1);
  return map && others.length === 0 && isThere ? map.value : undefined;
}

function keyOf({ children }: ConfigNode): unknown {
  return children?.[0]?.value;
}

function reordered(properties: readonly ConfigNode[], name: string, before: string | undefined): readonly ConfigNode[] {
  const moved = properties.filter((each) => keyOf(each) === name);
  const rest = properties.filter((each) => keyOf(each) !== name);
  const at = before === undefined ? rest.length : rest.findIndex((each) => keyOf(each) === before);
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)];
}

/** Each property starts a line: the lines move. */
function withLines(text: string, map: ConfigNode, order: readonly ConfigNode[]): string {
  const properties = map.children ?? [];
  let end = map.offset + 1;
  end += REMARK.exec(text.slice(end))?.[0].length ?? 0;
  end += LINE_END.exec(text.slice(end))?.[0].length ?? 0;
  const from = end;
  let trailing = false;
  const lines = new Map(
    properties.map((property) => {
      const begin = end;
      const propertyEnd = property.offset + property.length;
      const comma = commaAfter(text, propertyEnd);
      trailing = comma !== undefined;
      const rest = comma === undefined ? propertyEnd : comma + 1;
      const remark = REMARK.exec(text.slice(rest))?.[0] ?? '';
      const eol = LINE_END.exec(text.slice(rest + remark.length))?.[0] ?? '';
      end = rest + remark.length + eol.length;
      const between = comma === undefined ? '' : text.slice(propertyEnd, comma);
      return [property, { body: text.slice(begin, propertyEnd), remark: between + remark, eol }] as const;
    }),
  );
  const eols = properties.map((property) => lines.get(property)?.eol ?? '');
  const moved = order.map((property, index) => {
    const { body = '', remark = '' } = lines.get(property) ?? {};
    return body + (index < order.length - 1 || trailing ? ',' : '') + remark + (eols[index] ?? '');
  });
  return text.slice(0, from) + moved.join('') + text.slice(end);
}

/** Several stand on a line: they change places, and what is between them stays. */
function withSlots(text: string, properties: readonly ConfigNode[], order: readonly ConfigNode[]): string {
  const textOf = ({ offset, length }: ConfigNode): string => text.slice(offset, offset + length);
  return properties
    .map((slot, index) => ({ slot, next: order[index] ?? slot }))
    .reduceRight(
      (rest, { slot, next }) => rest.slice(0, slot.offset) + textOf(next) + rest.slice(slot.offset + slot.length),
      text,
    );
}
