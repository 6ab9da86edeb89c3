import { say } from '../../base/say.ts';
import { plainValue, stringOf, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import type { ConfigProblem, InputDefinition } from '../configTypes.ts';

/** Reads VS Code's `inputs` of each container; an item that makes no sense is a problem, and is left out. */
export function readInputs(
  containers: readonly (ConfigNode | undefined)[],
  text: SourceText,
): { readonly inputs: ReadonlyMap<string, InputDefinition>; readonly problems: readonly ConfigProblem[] } {
  const inputs = new Map<string, InputDefinition>();
  const problems: ConfigProblem[] = [];
  for (const item of containers.flatMap(itemsIn)) {
    const input = readInput(item);
    if (typeof input !== 'string') inputs.set(input.id, input);
    else
      problems.push(
        text.problem(item, 'invalid-input', 'warning', {
          message: say`This input can't be used: ${input}.`,
          fix: say`Write \`{ "id": "…", "type": "promptString", "description": "…" }\`.`,
        }),
      );
  }
  return { inputs, problems };
}

function itemsIn(container: ConfigNode | undefined): readonly ConfigNode[] {
  const list = valueAt(container, 'inputs');
  return list?.type === 'array' ? (list.children ?? []) : [];
}

/** @returns the input, or what is wrong with it */
function readInput(node: ConfigNode): InputDefinition | string {
  const id = stringOf(valueAt(node, 'id'));
  if (!id) return say`it has no \`id\``;
  const description = stringOf(valueAt(node, 'description'));
  const base = { id, ...(description === undefined ? {} : { description }) };
  const fallback = stringOf(valueAt(node, 'default'));
  const withDefault = fallback === undefined ? {} : { default: fallback };
  const type = stringOf(valueAt(node, 'type'));
  switch (type) {
    case 'promptString':
      return { ...base, type, password: valueAt(node, 'password')?.value === true, ...withDefault };
    case 'pickString': {
      const options = (valueAt(node, 'options')?.children ?? []).flatMap(readOption);
      return options.length > 0 ? { ...base, type, options, ...withDefault } : say`it has no \`options\``;
    }
    case 'command': {
      const command = stringOf(valueAt(node, 'command'));
      if (!command) return say`it has no \`command\``;
      const args = valueAt(node, 'args');
      return { ...base, type, command, ...(args ? { args: plainValue(args) } : {}) };
    }
    default:
      return say`its \`type\` must be \`promptString\`, \`pickString\` or \`command\``;
  }
}

function readOption(node: ConfigNode): { label: string; value: string }[] {
  const text = stringOf(node);
  if (text !== undefined) return [{ label: text, value: text }];
  const value = stringOf(valueAt(node, 'value'));
  return value === undefined ? [] : [{ label: stringOf(valueAt(node, 'label')) ?? value, value }];
}
