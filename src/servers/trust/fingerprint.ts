import { sha256, stableStringify } from '../../base/json/json.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { isOwn } from './serverStatus.ts';

/**
 * SHA-256, in hexadecimal, of everything that decides what would run or be reached (design: *Trust*): type, command,
 * arguments, cwd, URL, `tls`, `envFile`, `headersHelper`, and names and values of environment and headers. Values are taken as
 * written, so that no secret that a variable stands for gets into it. Inputs that run a command of the editor count, too,
 * and what the entry says of its tools: the user approves them as they are shown. Where others write the entry, all of its
 * inputs count, what its `envFile` sets, and which tools it offers.
 */
export function fingerprintOf(entry: ServerEntry): string {
  const { transport, inputs, toolOverrides, customTools, permissionRules } = entry;
  const commands = inputs?.filter((input) => input.type === 'command') ?? [];
  return sha256(
    stableStringify({
      ...transport,
      commands: commands.length > 0 ? commands : undefined,
      // A list: later overrides add to earlier ones, so their order counts.
      toolOverrides: toolOverrides && [...toolOverrides],
      customTools,
      permissionRules,
      ...(isOwn(entry) ? {} : ofOthers(entry)),
    }),
  );
}

/** The same of what is started alone: what an entry says of its tools and calls is another without a restart. */
export function launchKeyOf(entry: ServerEntry): string {
  const {
    tools: _tools,
    toolOverrides: _overrides,
    customTools: _custom,
    permissionRules: _rules,
    ...launched
  } = entry;
  return fingerprintOf(launched);
}

function ofOthers({ inputs, tools, envVariables, sandboxed }: ServerEntry): object {
  const asked = inputs?.filter((input) => input.type !== 'command') ?? [];
  return { asked: asked.length > 0 ? asked : undefined, tools, envVariables, sandboxed };
}
