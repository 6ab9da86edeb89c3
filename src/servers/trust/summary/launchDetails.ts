import { say, type Verbatim } from '../../../base/say.ts';
import type { InputDefinition, ServerEntry } from '../../../config/configTypes.ts';
import { stableStringify } from '../../../base/json/json.ts';
import { written, writtenAll } from './quotedText.ts';

/** Characters of a hash that tell two values apart. */
const HASH_LENGTH = 8;

/** What an entry says beside what runs, a line each: what its inputs give, what its `envFile` sets, which tools it offers. */
export function detailLines({
  inputs = [],
  envVariables = {},
  tools = {},
}: Pick<ServerEntry, 'inputs' | 'envVariables' | 'tools'>): string[] {
  const variables = Object.entries(envVariables).map(
    ([name, hash]) => say`Environment from the file: ${written(name)}=(a value, ${hash.slice(0, HASH_LENGTH)})`,
  );
  return [
    ...inputs.map((input) => say`Input ${written(input.id)}: ${whatGives(input)}`),
    ...variables.sort(),
    ...(tools.enabled ? [say`Offers only these tools: ${writtenAll(tools.enabled)}`] : []),
    ...(tools.disabled ? [say`Doesn’t offer these tools: ${writtenAll(tools.disabled)}`] : []),
  ];
}

function whatGives(input: InputDefinition): string {
  if (input.type === 'command') {
    const command = written(input.command);
    return input.args === undefined
      ? say`the editor’s command ${command}`
      : say`the editor’s command ${command} with ${verbatim(stableStringify(input.args))}`;
  }
  const asks = input.description === undefined ? say`asks` : say`asks ${verbatim(JSON.stringify(input.description))}`;
  return say`${asks}${answersOf(input)}${preset(input.default)}`;
}

function answersOf(input: Exclude<InputDefinition, { type: 'command' }>): string {
  if (input.type === 'promptString') return input.password ? say`, and keeps the answer` : '';
  const options = input.options.map(({ label, value }) =>
    label === value ? JSON.stringify(value) : `${JSON.stringify(label)} → ${JSON.stringify(value)}`,
  );
  return say`: ${verbatim(options.join(', '))}`;
}

function preset(text: string | undefined): string {
  return text === undefined ? '' : say`; suggests ${verbatim(JSON.stringify(text))}`;
}

function verbatim(text: string): Verbatim {
  return { verbatim: text };
}
