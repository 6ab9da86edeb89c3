import { sha256, stableStringify } from '../../base/json.ts';
import type { ServerEntry } from '../../config/configTypes.ts';

/**
 * SHA-256, in hexadecimal, of everything that decides what would run or be reached (design: *Trust*): type, command,
 * arguments, cwd, URL, `envFile`, `headersHelper`, and names and values of environment and headers. Values are taken as
 * written, so that no secret that a variable stands for gets into it. Inputs that run a command of the editor count, too,
 * and what the entry says of its tools: the user approves them as they are shown.
 */
export function fingerprintOf({
  transport,
  inputs,
  toolOverrides,
  customTools,
  permissionRules,
}: Pick<ServerEntry, 'transport' | 'inputs' | 'toolOverrides' | 'customTools' | 'permissionRules'>): string {
  const commands = inputs?.filter((input) => input.type === 'command') ?? [];
  return sha256(
    stableStringify({
      ...transport,
      commands: commands.length > 0 ? commands : undefined,
      // A list: later overrides add to earlier ones, so their order counts.
      toolOverrides: toolOverrides && [...toolOverrides],
      customTools,
      permissionRules,
    }),
  );
}
