import type { InputDefinition, ServerEntry } from '../../../config/configTypes.ts';
import { stableStringify } from '../../../base/json/json.ts';
import { quoted } from './quotedText.ts';

/** Characters of a hash that tell two values apart. */
const HASH_LENGTH = 8;

/** What an entry says beside what runs, a line each: what its inputs give, what its `envFile` sets, which tools it offers. */
export function detailLines({
  inputs = [],
  envVariables = {},
  tools = {},
}: Pick<ServerEntry, 'inputs' | 'envVariables' | 'tools'>): string[] {
  const variables = Object.entries(envVariables).map(
    ([name, hash]) => `Environment from the file: ${quoted(name)}=(a value, ${hash.slice(0, HASH_LENGTH)})`,
  );
  return [
    ...inputs.map((input) => `Input ${quoted(input.id)}: ${whatGives(input)}`),
    ...variables.sort(),
    ...(tools.enabled ? [`Offers only these tools: ${tools.enabled.map(quoted).join(', ')}`] : []),
    ...(tools.disabled ? [`Doesn’t offer these tools: ${tools.disabled.map(quoted).join(', ')}`] : []),
  ];
}

function whatGives(input: InputDefinition): string {
  if (input.type === 'command') {
    const args = input.args === undefined ? '' : ` with ${stableStringify(input.args)}`;
    return `the editor’s command ${quoted(input.command)}${args}`;
  }
  const asks = input.description === undefined ? 'asks' : `asks ${JSON.stringify(input.description)}`;
  const preset = input.default === undefined ? '' : `; suggests ${JSON.stringify(input.default)}`;
  if (input.type === 'promptString') return asks + (input.password ? ', and keeps the answer' : '') + preset;
  const options = input.options.map(({ label, value }) =>
    label === value ? JSON.stringify(value) : `${JSON.stringify(label)} gives ${JSON.stringify(value)}`,
  );
  return `${asks}: ${options.join(', ')}${preset}`;
}
