import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { BrokerPorts } from '../brokerTypes.ts';

/** Checks a call's arguments against its tool's schema. @throws SwitchboardError `invalid-arguments`, with every mistake */
export async function checkArguments(
  name: string,
  schema: JsonObject,
  args: JsonObject,
  ports: Pick<BrokerPorts, 'validate'>,
): Promise<void> {
  const checked = ports.validate(schema, args);
  const mistakes = checked instanceof Promise ? await checked : checked;
  if (mistakes.length === 0) return;
  throw new SwitchboardError(
    'invalid-arguments',
    `Invalid arguments for ${name}. The tool was not called:\n- ${mistakes.join('\n- ')}\n`,
    {
      remedy: `Fix the arguments and call the tool again. Schema: ${JSON.stringify(schema).slice(0, 4_000)}`,
    },
  );
}
