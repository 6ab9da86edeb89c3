import { say } from '../../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import type { ConfigSource } from '../configTypes.ts';
import { plainValue } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { refusalAt, replaceNode, type EditedConfig } from './editConfigFile.ts';
import { placesOf } from './removeServer.ts';

/**
 * The text of a source in JSON with another definition in a server's place. Everything outside of it stays as it is.
 * @param change the new value, given the one that stands there
 */
export function replaceServer(
  text: string,
  source: ConfigSource,
  name: string,
  change: (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): EditedConfig {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const plain = text.slice(mark.length);
  const { root, faults } = readJsonc(plain);
  const [fault] = faults;
  if (fault) return { refusal: refusalAt(plain, fault.span, fault.message) };
  // Of several of a name, the last counts.
  const place = placesOf(root, source, name).at(-1);
  const node = place?.node.children?.[1];
  if (node?.type !== 'object')
    return { refusal: refusalAt(plain, { offset: 0, length: 0 }, say`\`${name}\` isn’t in it.`) };
  const value = change(plainValue(node) as Readonly<Record<string, unknown>>);
  const edited = replaceNode(plain, node, value);
  const again = placesOf(readJsonc(edited).root, source, name).at(-1);
  const isRight = isDeepStrictEqual(again?.value, JSON.parse(JSON.stringify(value)));
  return isRight
    ? { text: mark + edited }
    : { refusal: refusalAt(plain, node, say`It stands there in a form that can’t be changed; change it by hand.`) };
}
