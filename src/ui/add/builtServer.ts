import { serverOf, type PastedServer } from '../../config/paste/readPasted.ts';
import type { PasteFault } from '../../config/paste/pasteFault.ts';
import type { RegistryEntry } from '../../config/registry/registryEntry.ts';
import { shortName, type ServerOption } from '../../config/registry/serverJson.ts';
import type { SetupAnswers } from '../../config/registry/setupQuestions.ts';

/** The server that an option of a registry's entry makes. @param answers as for `ServerOption.build` */
export function builtServer(
  entry: RegistryEntry,
  option: ServerOption,
  answers?: SetupAnswers,
): PastedServer | PasteFault {
  const { value, inputs, secrets } = option.build(answers);
  const registry = { name: entry.name, version: entry.version };
  return serverOf({ name: shortName(entry.server), value: { ...value, registry } }, inputs, secrets, process.platform);
}
