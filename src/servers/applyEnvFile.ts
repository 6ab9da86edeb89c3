import { isDeepStrictEqual } from 'node:util';
import { SwitchboardError } from '../base/errors.ts';
import { oneSpelling } from '../base/environmentNames.ts';
import { changedNames, digestsOf, envSource, parseEnvFile } from '../config/sources/envFile.ts';
import { bindsEnvFile } from '../config/sources/envFiles.ts';
import { readSourceFile } from '../config/sources/readSourceFile.ts';
import type { ServerEntry, TransportSpec, WorkspaceFolder } from '../config/configTypes.ts';
import { say } from '../base/say.ts';

type ProcessSpec = Extract<TransportSpec, { type: 'stdio' }>;

/**
 * What to start, with the variables of its `envFile` in its environment; what the entry says itself goes on top. Where
 * others write the entry, the file must set what was approved.
 * @param spec of this entry, every variable expanded
 * @throws SwitchboardError `unresolved-variable` where the file can't be read, `denied` where it sets something else; the
 *   message has names, never a value
 */
export async function withEnvFile(
  entry: ServerEntry,
  { envFile, ...spec }: ProcessSpec & { readonly envFile: string },
  folders: readonly WorkspaceFolder[],
  platform: NodeJS.Platform,
): Promise<Omit<ProcessSpec, 'envFile'>> {
  const variables = await read(envFile, folders, platform);
  if (bindsEnvFile(entry)) checkApproved(entry, digestsOf(variables));
  return { ...spec, env: oneSpelling([...Object.entries(variables), ...Object.entries(spec.env)], platform) };
}

async function read(
  file: string,
  folders: readonly WorkspaceFolder[],
  platform: NodeJS.Platform,
): Promise<Record<string, string>> {
  try {
    const text = await readSourceFile(envSource(file, folders), platform);
    if (text === undefined) throw new Error(say`it does not exist`);
    return parseEnvFile(text);
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    throw new SwitchboardError('unresolved-variable', say`The envFile ${file} can't be read${why}.`, {
      remedy: say`Create it, or correct "envFile" in the server's definition.`,
      cause,
    });
  }
}

function checkApproved({ name, envVariables }: ServerEntry, found: Readonly<Record<string, string>>): void {
  if (envVariables === undefined) {
    const message = say`${name} did not start: what its envFile sets could not be shown for approval.`;
    const remedy = say`Name a file of this computer, without \${input:…} and \${command:…}, then review the server again.`;
    throw new SwitchboardError('denied', message, { remedy });
  }
  if (isDeepStrictEqual({ ...envVariables }, { ...found })) return;
  const names = changedNames(envVariables, found).join(', ');
  throw new SwitchboardError(
    'denied',
    say`${name} did not start: its envFile changed since you approved it (${names}).`,
    {
      remedy: say`Review the server again.`,
    },
  );
}
